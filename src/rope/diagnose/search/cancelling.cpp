#include "rope/diagnose/search/cancelling.hpp"

#include <algorithm>
#include <cmath>

namespace rope {

bool is_within(const RoundingMistake& rounding, const Replay& replay) {
    const Format format = rounding.rounding.inv_freq;
    const std::optional<double> scale = replay.scale();
    return format != Format::float32 && scale && std::abs(*scale - 1) < 2 * half_spacing(format, 1);
}

bool is_scaled_on(const Replay& replay) {
    const auto is_scale = [](const NamedMistake& one) { return one.mistake == "position-scale"; };
    for (const AxisRule& rule : replay.on_axes)
        if (std::ranges::any_of(rule.mistakes, is_scale)) return true;
    if (!replay.positions) return false;
    const PositionRule& rule = *replay.positions;
    return rule.mistake == "position-scale" || rule.map.offset != std::round(rule.map.offset);
}

bool is_multiple(const std::vector<double>& theta, const std::vector<double>& asked) {
    const double scale = theta[0] / asked[0];
    return scale != 1 && std::ranges::equal(theta, asked, [&](double own, double wanted) {
               return std::abs(own - scale * wanted) <= 1e-12 * own;
           });
}

bool undoes_itself(const Replay& replay, const std::vector<double>& asked) {
    if (!replay.positions) return false;
    const PositionMap& map = replay.positions->map;
    if (replay.frequencies.mistake.empty() || map.kind != PositionMap::Kind::affine) return false;
    return std::ranges::equal(replay.frequencies.theta, asked, [&](double own, double wanted) {
        return std::abs(own * map.scale - wanted) <= 1e-4 * wanted;
    });
}

bool is_as_asked(const Replay& replay, const std::vector<double>& asked) {
    const Samples& samples = replay.reading->samples;
    const std::vector<double>& theta = replay.frequencies.theta;
    if (replay.frequencies.mistake.empty() && samples.ids.empty()) return false;
    if (samples.positions.size() > 1) return false;
    const PositionMap map = replay.positions ? replay.positions->map : PositionMap{};
    const std::vector<double>& places = samples.positions[0];
    const std::vector<double>& ids = samples.ids.empty() ? places : samples.ids;
    return std::ranges::equal(places, ids, [&](double place, double id) {
        return std::ranges::equal(theta, asked, [&](double own, double wanted) {
            return std::abs(map(place) * own - id * wanted) <= 1e-9 * std::abs(id * wanted);
        });
    });
}

}  // namespace rope
