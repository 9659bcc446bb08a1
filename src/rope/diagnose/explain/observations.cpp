#include "rope/diagnose/explain/observations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/search/position_map.hpp"
#include "rope/diagnose/search/search.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string amplitude_fact(const Samples& samples) {
    double low = infinity, high = 0;
    for (const double modulus : samples.modulus) {
        if (Samples::is_left_out(modulus)) continue;
        low = std::min(low, modulus);
        high = std::max(high, modulus);
    }
    return keeps_norms(samples)
               ? "every pair's norm is multiplied by " +
                     decimal(few_digits(fitted_amplitude(samples), 1e-4))
               : "pair norms are multiplied by " + decimal(few_digits(low, 1e-3)) + " to " +
                     decimal(few_digits(high, 1e-3)) + ": not a rotation of these pairs";
}

Hypothesis as_asked(const DumpReading& reading) {
    Frequencies plan = frequencies_of(reading.asked);
    Hypothesis all{std::move(plan.theta), std::move(plan.angle_k), reading.axis, plan.amplitude};
    if (reading.samples.narrow) all.rounding.table = *reading.samples.narrow;
    return all;
}

void add_pairs(std::vector<std::string>& known, const DumpReading& reading,
               const Hypothesis& asked) {
    std::vector<std::uint32_t> right, wrong;
    for (std::uint32_t i = 0; i < reading.samples.pairs; ++i)
        (pair_misfit(reading.samples, asked, i, 1) <= 1 ? right : wrong).push_back(i);
    known.push_back(right.empty()
                        ? std::string("no pair matches the Spec at every sampled position")
                        : "pairs " + ranges(right, 4) + " match the Spec, pairs " +
                              ranges(wrong, 4) + " do not");
}

void add_rows(std::vector<std::string>& known, const DumpReading& reading,
              const Hypothesis& asked) {
    const Samples& samples = reading.samples;
    std::size_t row = 0;
    while (row < samples.rows() && misfit(samples, asked, 1, row + 1) <= 1) ++row;
    if (row == samples.rows()) return;
    known.push_back("position " + decimal(samples.positions[0][row]) +
                    " is the first sampled one that is wrong");
    if (samples.positions.size() > 1) return;
    for (; row < samples.rows(); ++row) {
        const double should = samples.positions[0][row];
        const auto own = fit_position(samples, asked, row);
        if (!own || !std::isfinite(*own) || std::abs(*own - should) < 0.01) continue;
        known.push_back("the row for position " + decimal(should) + " is rotated to position " +
                        decimal(few_digits(*own, 1e-5)));
        return;
    }
}

}  // namespace

std::vector<std::string> observations(const DumpReading& reading) {
    std::vector<std::string> known{amplitude_fact(reading.samples)};
    const Hypothesis asked = as_asked(reading);
    add_pairs(known, reading, asked);
    add_rows(known, reading, asked);
    const std::vector<PhaseLine> lines = fit_phase_lines(reading.samples, Orientation::right);
    if (lines.empty()) return known;
    std::size_t even = 0;
    for (const PhaseLine& line : lines) even += line.rows == reading.samples.rows() ? 1 : 0;
    known.push_back(decimal(even) + " of " + decimal(lines.size()) +
                    " pairs rotate at a constant rate");
    if (even == lines.size()) {
        const PowerLaw law = fit_power_law(lines, lines.size(), true);
        known.push_back("the nearest power law is θ_i = " + decimal(few_digits(law.scale, 1e-4)) +
                        "·" + decimal(few_digits(law.base, 1e-4)) + "^(−2i/d)");
    }
    return known;
}

}  // namespace rope
