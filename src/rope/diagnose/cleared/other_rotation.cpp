#include <algorithm>
#include <cmath>
#include <string>

#include "rope/diagnose/cleared/undone.hpp"
#include "rope/exact/phase.hpp"
#include "rope/frequency/frequency.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

constexpr double largest_position = 0x1p32;

enum class Angles { float32, exact };

// The rotation that a Spec asks for, of one vector at a time, or its inverse.
class Rotation {
  public:
    Rotation(const Spec& spec, Angles angles)
        : spec_(spec), angles_(angles), c_(spec.pairs()), s_(spec.pairs()) {
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        rates_ = turn_rates(plan.pairs);
        for (const PlannedFrequency& pair : plan.pairs)
            inv_freq_.push_back(static_cast<float>(pair.inv_freq.to_double()));
        amplitude_ = plan.attention_factor;
    }

    void apply(double position, std::vector<double>& x) { turn(position, x, amplitude_, 1); }
    void undo(double position, std::vector<double>& x) { turn(position, x, 1 / amplitude_, -1); }

  private:
    void turn(double position, std::vector<double>& x, double factor, int direction) {
        take_cos_sin(position);
        for (std::size_t i = 0; i < c_.size(); ++i) {
            const auto [first, second] = lanes_of_pair(spec_, i);
            const double a = x[first], b = x[second], sine = direction * s_[i];
            x[first] = factor * (a * c_[i] - b * sine);
            x[second] = factor * (a * sine + b * c_[i]);
        }
    }

    void take_cos_sin(double position) {
        const std::size_t pairs = c_.size();
        if (angles_ == Angles::exact) {
            std::vector<std::uint64_t> turns;
            for (const TurnRate& rate : rates_)
                turns.push_back(static_cast<std::uint64_t>(
                    phase_at(rate, static_cast<std::uint64_t>(position)) >> 64));
            kernels().cos_sin_of_turns(pairs, turns.data(), c_.data(), s_.data());
        } else {
            std::vector<float> angles;
            for (const float theta : inv_freq_)
                angles.push_back(static_cast<float>(position) * theta);
            kernels().cos_sin_of_angles(pairs, angles.data(), c_.data(), s_.data());
        }
    }

    Spec spec_;
    Angles angles_;
    std::vector<TurnRate> rates_;
    std::vector<float> inv_freq_;
    double amplitude_ = 1;
    std::vector<double> c_, s_;  // of the last position
};

bool are_whole(const std::vector<double>& positions) {
    return std::ranges::all_of(
        positions, [](double m) { return m >= 0 && m < largest_position && m == std::floor(m); });
}

NamedMistake rotated_in_both(const Spec& first, const Spec& then) {
    const std::string one(to_string(first.layout)), other(to_string(then.layout));
    return {
        "rotated-twice",
        {{"first", one}, {"then", other}},
        "every vector is rotated twice, first in " + one + " pairs and then in " + other + " ones"};
}

}  // namespace

void clear_of_other_rotation(const Spec& asked, const RotatedDump& dump,
                             const IsExplained& is_explained) {
    const Spec other = in_both_layouts(asked).back();
    if (dump.positions.size() * asked.head_dim > most_changed_lanes ||
        !dump.more_positions.empty() || !are_whole(dump.positions) || !is_sound(other))
        return;
    for (const Angles angles : {Angles::float32, Angles::exact}) {
        Rotation rotation(other, angles);
        for (const bool is_before : {true, false}) {
            const Undo undo = [&](SampledVector& one) {
                const double position = dump.positions[one.row];
                if (is_before)
                    rotation.apply(position, one.before);
                else
                    rotation.undo(position, one.after);
            };
            if (keeps_pairs_undone(asked, dump, undo) &&
                is_explained(undone(
                    asked, dump, undo,
                    is_before ? rotated_in_both(other, asked) : rotated_in_both(asked, other))))
                return;
        }
    }
}

}  // namespace rope
