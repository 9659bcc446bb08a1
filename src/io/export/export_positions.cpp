#include <algorithm>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/export/export.hpp"
#include "io/text/number.hpp"
#include "rope/subject/diagnostic_positions.hpp"

namespace rope::io {
namespace {

constexpr std::uint64_t most_positions = std::uint64_t{1} << 20;

}  // namespace

std::vector<std::uint64_t> parse_positions(std::string_view field, const std::string& text) {
    std::vector<std::uint64_t> positions;
    for (const std::string& part : split_list(text)) {
        const std::size_t colon = part.find(':');
        const std::uint64_t first = parse_whole(field, part.substr(0, colon), 0, max_context - 1);
        const std::uint64_t end = colon == part.npos
                                      ? first + 1
                                      : parse_whole(field, part.substr(colon + 1), 1, max_context);
        if (end <= first)
            throw InputError(std::string(field) + ": '" + printable(part) +
                             "' contains no position; A:B runs from A to B - 1");
        if (end - first > most_positions - positions.size())
            throw InputError(std::string(field) + ": '" + printable(text, 60) + "' has more than " +
                             decimal(most_positions) + " positions");
        for (std::uint64_t m = first; m < end; ++m) positions.push_back(m);
    }
    return positions;
}

std::vector<std::uint64_t> default_positions(std::uint64_t context) {
    std::vector<std::uint64_t> positions;
    for (const std::uint64_t m : diagnostic_positions)
        if (m < context) positions.push_back(m);
    for (const std::uint64_t before : {2u, 1u})
        if (context >= before) positions.push_back(context - before);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
}

}  // namespace rope::io
