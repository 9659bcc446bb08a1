#include "io/subject/xpos_dumps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::io {
namespace {

double usual_centre(const std::vector<NamedDump>& dumps) {
    std::uint64_t length = 0;
    for (const NamedDump& one : dumps)
        if (const auto* vectors = std::get_if<RotatedDump>(&one.dump))
            length = std::max(length, context_of(vectors->positions));
    return std::ceil(static_cast<double>(length) / 2);
}

}  // namespace

void take_xpos_off(std::vector<NamedDump>& dumps, const Spec& spec, double base,
                   std::optional<double> centre) {
    const Xpos xpos{base, centre ? *centre : usual_centre(dumps)};
    for (NamedDump& one : dumps) {
        auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr)
            throw InputError(
                "--xpos",
                ": " + one.name + " does not hold vectors; name them with --q and --q-rot");
        const XposSide side = one.name.starts_with('k') ? XposSide::key : XposSide::query;
        *vectors = without_xpos(spec, std::move(*vectors), xpos, side);
        vectors->read_as.push_back(
            {"xpos", decimal(xpos.base) + ", centre " + decimal(xpos.centre), "--xpos"});
    }
}

}  // namespace rope::io
