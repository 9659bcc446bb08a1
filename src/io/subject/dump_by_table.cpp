// Reads a dump by the table in it, and without scales.

#include "base/decimal.hpp"
#include "io/subject/subject.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/session/session.hpp"

namespace rope::io {
namespace {

bool explains_all(const std::vector<NamedDump>& dumps, const TableUse& use) {
    const TableDump& table = only_table(dumps);
    return std::ranges::all_of(dumps, [&](const NamedDump& one) {
        const auto* vectors = std::get_if<RotatedDump>(&one.dump);
        return vectors == nullptr ||
               summarize(judge_by_table(in_heads_of(one, use), *vectors, table)).violated == 0;
    });
}

double usual_centre(const std::vector<NamedDump>& dumps) {
    std::uint64_t length = 0;
    for (const NamedDump& one : dumps)
        if (const auto* vectors = std::get_if<RotatedDump>(&one.dump))
            length = std::max(length, context_of(vectors->positions));
    return std::ceil(static_cast<double>(length) / 2);
}

}  // namespace

const TableDump& only_table(const std::vector<NamedDump>& dumps) {
    const TableDump* found = nullptr;
    for (const NamedDump& one : dumps)
        if (const auto* table = std::get_if<TableDump>(&one.dump)) {
            if (found != nullptr)
                throw InputError("--table", ": the dump holds several tables, one after the other");
            found = table;
        }
    if (found == nullptr)
        throw InputError("--table",
                         ": the dump holds no table of cos and sin; name it with cos=NAME and "
                         "sin=NAME");
    return *found;
}

TableUse in_heads_of(const NamedDump& vectors, TableUse use) {
    use.place.head_dim = vectors.dimensions;
    return use;
}

std::vector<NamedDump> load_with_table(DumpTensors& tensors, DumpHints hints, const TableUse& use) {
    std::vector<NamedDump> dumps = load_dump(tensors, hints);
    const std::uint32_t rotary_dim = 2 * only_table(dumps).pairs;
    const auto may_be_fused = [&](const NamedDump& one) {
        return holds<RotatedDump>(one) && one.dimensions > rotary_dim &&
               one.dimensions % rotary_dim == 0;
    };
    if (hints.head_dim || std::ranges::none_of(dumps, may_be_fused) || explains_all(dumps, use))
        return dumps;
    hints.head_dim = rotary_dim;
    std::vector<NamedDump> fused = load_dump(tensors, hints);
    return explains_all(fused, use) ? fused : dumps;
}

void take_scale_off(std::vector<NamedDump>& dumps, double scale) {
    const auto is_query = [](const NamedDump& one) {
        return holds<RotatedDump>(one) && !one.name.starts_with('k');
    };
    const bool has_queries = std::ranges::any_of(dumps, is_query);
    bool is_taken = false;
    for (NamedDump& one : dumps) {
        auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr || (has_queries && !is_query(one))) continue;
        vectors->after = vectors->after.divided_by(
            std::make_shared<const std::vector<double>>(vectors->positions.size(), scale));
        int exponent = 0;
        // the factor and its product are rounded
        if (std::frexp(scale, &exponent) != 0.5)
            vectors->scale_rounding = 2 * unit_roundoff(vectors->format);
        vectors->read_as.push_back({"scale", decimal(scale), "--after"});
        is_taken = true;
    }
    if (!is_taken)
        throw InputError("--after",
                         ": the dump holds no vectors; name them with q=NAME and q_rot=NAME");
}

void take_xpos_off(std::vector<NamedDump>& dumps, const Spec& spec, double base,
                   std::optional<double> centre) {
    const Xpos xpos{base, centre ? *centre : usual_centre(dumps)};
    for (NamedDump& one : dumps) {
        auto* vectors = std::get_if<RotatedDump>(&one.dump);
        if (vectors == nullptr)
            throw InputError(
                "--after xpos",
                ": " + one.name + " does not hold vectors; name them with q=NAME and q_rot=NAME");
        const XposSide side = one.name.starts_with('k') ? XposSide::key : XposSide::query;
        *vectors = without_xpos(spec, std::move(*vectors), xpos, side);
        vectors->read_as.push_back(
            {"xpos", decimal(xpos.base) + ", centre " + decimal(xpos.centre), "--after xpos"});
    }
}

}  // namespace rope::io
