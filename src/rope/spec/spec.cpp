#include "rope/spec/spec.hpp"

#include <string>

#include "base/printable.hpp"

namespace rope {

std::string_view to_string(PairLayout layout) {
    return layout == PairLayout::half_split ? "half_split" : "interleaved";
}

PairLayout parse_pair_layout(std::string_view text) {
    if (text == "half" || text == "half_split") return PairLayout::half_split;
    if (text == "interleaved") return PairLayout::interleaved;
    throw InputError("layout", "'" + printable(text) + "'", "half or interleaved");
}

}  // namespace rope
