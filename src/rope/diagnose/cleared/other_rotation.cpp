#include <algorithm>
#include <cmath>
#include <string>

#include "rope/diagnose/cleared/undone.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/rotate.hpp"

namespace rope {
namespace {

constexpr double largest_position = 0x1p32;

enum class Angles { float32, exact };

// The rotation that a Spec asks for, of one vector at a time, or its inverse.
class Rotation {
  public:
    Rotation(const Spec& spec, const FrequencyPlan& plan, Angles angles)
        : spec_(spec),
          angles_(angles),
          exact_(turn_rates(plan.pairs)),
          amplitude_(plan.attention_factor) {
        for (const PlannedFrequency& pair : plan.pairs)
            inv_freq_.push_back(static_cast<float>(pair.inv_freq.to_double()));
    }

    void apply(double position, Vector& x) const { x = turned(position, x, amplitude_, 1); }
    void undo(double position, Vector& x) const { x = turned(position, x, 1 / amplitude_, -1); }

  private:
    Vector turned(double position, const Vector& x, double factor, double direction) const {
        Vector c(exact_.pairs()), s(exact_.pairs());
        fill_row(position, c.data(), s.data());
        for (double& each : c) each *= factor;
        for (double& each : s) each *= direction * factor;
        return rotate(spec_, x, c, s);
    }

    void fill_row(double position, double* c, double* s) const {
        if (angles_ == Angles::exact) {
            exact_.fill_row(static_cast<std::uint64_t>(position), c, s);
            return;
        }
        std::vector<float> angles;
        for (const float theta : inv_freq_) angles.push_back(static_cast<float>(position) * theta);
        kernels().cos_sin_of_angles(angles.size(), angles.data(), c, s);
    }

    Spec spec_;
    Angles angles_;
    ExactRows exact_;
    std::vector<float> inv_freq_;
    double amplitude_;
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
    const FrequencyPlan plan = plan_frequencies(other, exact_precision);
    for (const Angles angles : {Angles::float32, Angles::exact}) {
        const Rotation rotation(other, plan, angles);
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
