#include "rope/spec/lanes.hpp"

#include <utility>

namespace rope {
namespace {

using LanesOfLayout = Lanes (*)(PairLayout, std::size_t, std::size_t);

Lanes in_head(const Spec& spec, std::size_t i, LanesOfLayout lanes_of) {
    const bool is_halved = spec.axes.scheme == AxisScheme::halves;
    const std::size_t width = is_halved ? spec.rotary_dim / 2 : spec.rotary_dim;
    const std::size_t start = spec.rotary_offset + i / (width / 2) * width;
    Lanes lanes = lanes_of(spec.layout, width, i % (width / 2));
    if (spec.direction == Direction::reverse) std::swap(lanes.first, lanes.second);
    return {start + lanes.first, start + lanes.second};
}

}  // namespace

Lanes lanes_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i) {
    if (layout == PairLayout::half_split) return {i, i + rotary_dim / 2};
    return {2 * i, 2 * i + 1};
}

Lanes written_lanes_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i) {
    return lanes_of_pair(
        layout == PairLayout::interleaved_to_half_split ? PairLayout::half_split : layout,
        rotary_dim, i);
}

Lanes lanes_of_pair(const Spec& spec, std::size_t i) {
    return in_head(spec, i, [](PairLayout layout, std::size_t width, std::size_t pair) {
        return lanes_of_pair(layout, width, pair);
    });
}

Lanes written_lanes_of_pair(const Spec& spec, std::size_t i) {
    return in_head(spec, i, [](PairLayout layout, std::size_t width, std::size_t pair) {
        return written_lanes_of_pair(layout, width, pair);
    });
}

std::vector<std::size_t> passed_lanes(const Spec& spec) {
    std::vector<std::size_t> lanes;
    for (std::size_t lane = 0; lane < spec.head_dim; ++lane)
        if (lane < spec.rotary_offset || lane >= spec.rotary_offset + spec.rotary_dim)
            lanes.push_back(lane);
    return lanes;
}

}  // namespace rope
