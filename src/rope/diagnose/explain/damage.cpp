#include "rope/diagnose/explain/damage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "rope/diagnose/explain/explain.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_identity(const Samples& samples) {
    bool moved = false;
    for (std::size_t row = 0; row < samples.rows(); ++row)
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const std::size_t k = row * samples.pairs + i;
            if (Samples::is_left_out(samples.modulus[k])) continue;
            if (samples.angle[k] != 0 || !(std::abs(samples.modulus[k] - 1) <= samples.storage))
                return false;
            moved = moved || samples.positions[0][row] != 0;
        }
    return moved;
}

bool is_zero(const Samples& samples) {
    return !samples.modulus.empty() && std::all_of(samples.modulus.begin(), samples.modulus.end(),
                                                   [](double modulus) { return modulus == 0; });
}

bool leaves_every_lane(const Dump& dump) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr) return true;
    const std::uint64_t lanes = vectors->before.size() / vectors->positions.size();
    for (const std::size_t row : diagnostic_rows(vectors->positions, true, {}))
        for (std::uint64_t lane = 0; lane < lanes; ++lane)
            if (vectors->before.at(row, lane) != vectors->after.at(row, lane)) return false;
    return true;
}

// No rounding changes a norm by as much, not even to 8 bits.
constexpr double rounded_norm = 1.0 / 16;

struct Damage {
    std::size_t rows = 0;  // correct ones, from the first
    bool zero = true;      // all others are zero
    bool finite = true;
    bool rounded = true;  // all others keep their norms up to a rounding
    double after = 0;
};

// Correct up to some row, and by no rule after it.
std::optional<Damage> damage(const Samples& samples, const Hypothesis& hypothesis) {
    Damage found;
    while (found.rows < samples.rows() && misfit(samples, hypothesis, 1, found.rows + 1) <= 1)
        ++found.rows;
    // many rules explain a single row, such as position 0's
    if (found.rows < 2 || found.rows == samples.rows()) return std::nullopt;
    for (std::size_t k = found.rows * samples.pairs; k < samples.modulus.size(); ++k) {
        if (Samples::is_left_out(samples.modulus[k])) continue;
        found.zero = found.zero && samples.modulus[k] == 0;
        found.finite = found.finite && std::isfinite(samples.modulus[k]);
        found.rounded = found.rounded &&
                        std::abs(samples.modulus[k] / hypothesis.amplitude - 1) <= rounded_norm;
    }
    found.after = misfit(samples, hypothesis, 1, found.rows);
    return found;
}

std::uint64_t count_not_finite(const Samples& samples) {
    return static_cast<std::uint64_t>(
        std::count_if(samples.modulus.begin(), samples.modulus.end(),
                      [](double modulus) { return !std::isfinite(modulus); }));
}

}  // namespace

double asked_misfit(const DumpReading& reading) {
    const Frequencies plan = frequencies_of(reading.asked);
    return misfit(reading.samples, {plan.theta, plan.angle_k, reading.axis, plan.amplitude},
                  infinity);
}

std::optional<Explanation> explain_stillness(const DumpReading& reading, const Dump& dump) {
    const Samples& samples = reading.samples;
    if (is_zero(samples))
        return explanation_of({"uninitialised",
                               {{"rows", std::string("zero")}},
                               "every value is 0 at every position"},
                              asked_misfit(reading), 0, {"table-truncated rows=0"});
    if (is_identity(samples) && leaves_every_lane(dump))
        return explanation_of(
            {"not-rotated", {}, "no row is rotated: cos is 1 and sin is 0 at every position"},
            asked_misfit(reading), 0, {"position-collapse position=0", "uninitialised inv_freq=0"});
    return std::nullopt;
}

std::optional<Explanation> explain_damage(const DumpReading& reading) {
    const Samples& samples = reading.samples;
    Hypothesis hypothesis{frequencies_of(reading.asked).theta,
                          frequencies_of(reading.asked).angle_k, reading.axis,
                          frequencies_of(reading.asked).amplitude};
    if (samples.narrow) hypothesis.rounding.table = *samples.narrow;
    const double before = misfit(samples, hypothesis, infinity);
    if (const auto found = damage(samples, hypothesis)) {
        const auto from = static_cast<std::uint64_t>(samples.positions[0][found->rows]);
        const std::string since = "from position " + decimal(from) + " on";
        if (found->zero)
            return explanation_of({"table-truncated",
                                   {{"rows", from}},
                                   "rows are correct at first, and zero " + since},
                                  before, found->after, {"uninitialised from=" + decimal(from)});
        if (!found->finite || !found->rounded)
            return explanation_of({"uninitialised",
                                   {{"from", from}},
                                   "rows are correct at first, and not a rotation " + since},
                                  before, found->after, {"table-truncated rows=" + decimal(from)});
    }
    if (const std::uint64_t lost = count_not_finite(samples))
        return explanation_of({"uninitialised",
                               {{"not_finite", lost}},
                               decimal(lost) + " of " + decimal(samples.modulus.size()) +
                                   " sampled values are not finite"},
                              before, before);
    return std::nullopt;
}

}  // namespace rope
