// A Spec whose rotating lanes are of another number, and with them the pairs of each axis.
#include <algorithm>
#include <numeric>
#include <utility>

#include "rope/diagnose/reading/other_readings.hpp"

namespace rope {
namespace {

// An axis that takes turns has what fits of its section, the other one the rest.
void interleave(std::vector<std::uint32_t>& sections, std::uint32_t pairs) {
    const std::size_t rest = sections.size() == 4 ? 3 : 0;
    std::uint32_t left = pairs;
    for (std::uint32_t axis = 0; axis < sections.size(); ++axis)
        if (axis != rest) left -= sections[axis] = std::min(sections[axis], (pairs + 2 - axis) / 3);
    sections[rest] = left;
}

// In proportion; as they are where that is no whole number.
void scale(std::vector<std::uint32_t>& sections, std::uint32_t pairs) {
    const auto sum = std::accumulate(sections.begin(), sections.end(), std::uint64_t{0});
    const auto is_whole = [&](std::uint64_t one) { return sum != 0 && one * pairs % sum == 0; };
    if (!std::ranges::all_of(sections, is_whole)) return;
    for (std::uint32_t& one : sections)
        one = static_cast<std::uint32_t>(std::uint64_t{one} * pairs / sum);
}

}  // namespace

std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim,
                                    std::uint32_t head_dim) {
    Spec spec = asked;
    spec.rotary_dim = rotary_dim;
    spec.head_dim = std::max(head_dim, rotary_dim);
    const AxisScheme scheme = spec.axes.scheme;
    if (scheme == AxisScheme::interleaved || scheme == AxisScheme::interleaved4)
        interleave(spec.axes.sections, spec.pairs());
    else
        scale(spec.axes.sections, spec.pairs());
    return is_sound(spec) ? std::optional(std::move(spec)) : std::nullopt;
}

}  // namespace rope
