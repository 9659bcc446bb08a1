#include "rope/spec/spec.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "base/text.hpp"

namespace rope {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 3> layouts{"half_split", "interleaved",
                                                  "interleaved_to_half_split"};
constexpr std::array<std::string_view, 2> directions{"forward", "reverse"};

}  // namespace

std::string_view to_string(PairLayout layout) { return layouts[static_cast<std::size_t>(layout)]; }

PairLayout parse_pair_layout(std::string_view text) {
    std::string full(text);
    std::replace(full.begin(), full.end(), '-', '_');
    if (full.ends_with("half")) full += "_split";
    const auto& name = one_of(layouts, std::identity{}, "layout", full);
    return static_cast<PairLayout>(&name - layouts.data());
}

std::string_view to_string(Direction direction) {
    return directions[static_cast<std::size_t>(direction)];
}

Direction parse_direction(std::string_view text) {
    const auto& name = one_of(directions, std::identity{}, "direction", text);
    return static_cast<Direction>(&name - directions.data());
}

}  // namespace rope
