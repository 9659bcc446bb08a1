#include "rope/diagnose/own_axes.hpp"

#include <algorithm>

#include "rope/spec.hpp"

namespace rope {
namespace {

// Pairs and the axes that they may follow.
using Possible = std::vector<std::vector<bool>>;

Possible possible_axes(const Samples& samples, const Hypothesis& hypothesis) {
    const std::size_t axes = samples.positions.size();
    Possible possible(samples.pairs, std::vector<bool>(axes));
    for (std::uint32_t a = 0; a < axes; ++a) {
        Hypothesis on_axis = hypothesis;
        on_axis.axis.assign(samples.pairs, a);
        for (std::uint32_t i = 0; i < samples.pairs; ++i)
            possible[i][a] = pair_misfit(samples, on_axis, i, 1) <= 1;
    }
    return possible;
}

bool allows(const Possible& possible, const AxisMap& map) {
    try {
        const auto axis = axis_of_pairs(map, static_cast<std::uint32_t>(possible.size()));
        for (std::size_t i = 0; i < axis.size(); ++i)
            if (axis[i] >= possible[i].size() || !possible[i][axis[i]]) return false;
        return true;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

Samples text_samples(const Samples& samples) {
    Samples text = samples;
    text.positions.assign(1, {});
    text.angle.clear();
    text.modulus.clear();
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double m = samples.positions[0][row];
        if (std::any_of(samples.positions.begin(), samples.positions.end(),
                        [&](const auto& on_axis) { return on_axis[row] != m; }))
            continue;
        text.positions[0].push_back(m);
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            text.angle.push_back(samples.angle[row * samples.pairs + i]);
            text.modulus.push_back(samples.modulus[row * samples.pairs + i]);
        }
    }
    return text;
}

std::optional<AxisMap> own_axes(const Samples& samples, const Hypothesis& hypothesis) {
    const std::size_t axes = samples.positions.size();
    if (axes < 3) return std::nullopt;
    const Possible possible = possible_axes(samples, hypothesis);
    const std::uint32_t pairs = samples.pairs;
    // time, height, width; a fourth axis of positions has no pairs of its own
    for (const AxisScheme scheme : {AxisScheme::sectioned, AxisScheme::interleaved})
        for (std::uint32_t time = 0; time <= pairs; ++time)
            for (std::uint32_t height = 0; height + time <= pairs; ++height) {
                AxisMap map{scheme, {time, height, pairs - time - height}};
                if (scheme == AxisScheme::sectioned) map.sections.resize(axes);
                if (axis_count(map) == axes && allows(possible, map)) return map;
            }
    return std::nullopt;
}

}  // namespace rope
