#include "rope/diagnose/reading/own_head.hpp"

#include <algorithm>

#include "rope/diagnose/candidate/frequencies.hpp"

namespace rope {
namespace {

// Of the lanes from `first` on, as a whole head.
Spec part_of_head(const Spec& spec, std::uint32_t first, std::uint32_t lanes) {
    Spec part = spec;
    part.rotary_offset = first;
    part.rotary_dim = lanes;
    return part;
}

void add_lanes(OwnHead& head, const Spec& part, bool turns) {
    for (std::uint32_t i = 0; i < part.pairs(); ++i) {
        head.read.push_back(lanes_of_pair(part, i));
        head.written.push_back(turns ? written_lanes_of_pair(part, i) : head.read.back());
    }
}

}  // namespace

std::optional<OwnHead> own_head(const Spec& spec) {
    if (spec.scaling.rope_type != "proportional" || spec.layout == PairLayout::interleaved)
        return std::nullopt;
    const std::vector<double> theta = frequencies_of(spec).theta;
    const auto turning = static_cast<std::uint32_t>(std::ranges::find(theta, 0.0) - theta.begin());
    if (turning == 0 || turning == theta.size()) return std::nullopt;
    OwnHead head{2 * turning, {}, {}};
    add_lanes(head, part_of_head(spec, 0, 2 * turning), true);
    add_lanes(head, part_of_head(spec, 2 * turning, spec.head_dim - 2 * turning), false);
    return head;
}

}  // namespace rope
