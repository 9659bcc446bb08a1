#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/diagnose/damage.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

constexpr const char* norms_kept = "every pair of the sampled rows keeps its norm";

std::string amplitude_fact(const Samples& samples) {
    const Moduli moduli(samples);
    const double low = moduli.low, high = moduli.high;
    if (!(low <= high)) return "no value of the sampled rows is finite";
    const double factor = few_digits(fitted_amplitude(samples).value, 1e-4);
    if (keeps_norms(samples) && factor == 1) return norms_kept;
    if (keeps_norms(samples))
        return "in the sampled rows, every pair's norm is multiplied by " + decimal(factor);
    const double tolerance =
        std::clamp((high - low) / (10 * high), 1e-9, 1e-3);  // distinguishes both
    return "pair norms are multiplied by " + decimal(few_digits(low, tolerance)) + " to " +
           decimal(few_digits(high, tolerance)) +
           (high - low > 0.1 * high ? ": not a rotation of these pairs" : "");
}

// The largest error of each pair over its tolerance; of one that is wrong any number over 1.
using PairErrors = std::vector<double>;

PairErrors sampled_errors(const DumpView& view, const Hypothesis& asked) {
    PairErrors worst;
    for (std::uint32_t i = 0; i < view.samples.pairs; ++i)
        worst.push_back(pair_misfit(view.samples, asked, i, 1));
    return worst;
}

PairErrors all_errors(const DumpView& view, const DumpPart& part, const Hypothesis& asked) {
    RowErrors rows = row_errors(view, part, asked);
    PairErrors worst(view.samples.pairs);
    every_row(part, [&](std::size_t row) {
        const std::vector<double>& errors = rows.pair_errors(row);
        for (std::size_t i = 0; i < worst.size(); ++i)
            worst[i] = std::isnan(errors[i]) ? HUGE_VAL : std::max(worst[i], errors[i]);
        return std::ranges::any_of(worst, [](double error) { return error <= 1; });
    });
    return worst;
}

// Whether float32 carries the pair's angle to a tenth of a radian at any position but 0, where
// nothing turns.
bool is_carried(const Samples& samples, const Hypothesis& asked, std::uint32_t pair) {
    constexpr double most = 0.1;
    double least = HUGE_VAL;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double m = samples.position(row, asked.axis[pair]);
        if (m != 0) least = std::min(least, angle_tolerance(samples, asked, m, pair));
    }
    return least <= most || least == HUGE_VAL;
}

// Whether a pair that is the Spec's may as well not turn at all.
bool is_still_too(const Samples& samples, const Hypothesis& asked, std::uint32_t pair) {
    if (asked.theta[pair] == 0) return false;
    Hypothesis still = asked;
    still.theta[pair] = 0;
    return pair_misfit(samples, still, pair, 1) <= 1;
}

using PairNumbers = std::vector<std::uint32_t>;

void add_pairs(std::vector<std::string>& known, const Samples& samples, const Hypothesis& asked,
               const PairErrors& errors) {
    PairNumbers right, wrong, undetermined, alike;
    for (std::uint32_t i = 0; i < errors.size(); ++i)
        (!(errors[i] <= 1)                 ? wrong
         : !is_carried(samples, asked, i)  ? undetermined
         : is_still_too(samples, asked, i) ? alike
                                           : right)
            .push_back(i);
    if (wrong.empty()) return;
    if (right.empty() && undetermined.empty() && alike.empty())
        known.emplace_back("no pair matches the config at every position");
    else if (right.empty())
        known.push_back(of_pairs(wrong, " does", " do") + " not match the config");
    else
        known.push_back(of_pairs(right, " matches", " match") + " the config, " +
                        of_pairs(wrong, " does not", " do not"));
    if (!undetermined.empty())
        known.push_back(of_pairs(undetermined, "", "") +
                        " cannot be determined: float32 is too coarse at these positions");
    if (!alike.empty())
        known.push_back(
            of_pairs(alike, "", "") +
            " cannot be determined: at the sampled positions the config and no rotation at all "
            "fit alike");
}

// By its position, the least first; rows go outward from 0.
std::optional<std::size_t> first_wrong(const Samples& samples, const Hypothesis& asked) {
    std::optional<std::size_t> first;
    const std::vector<double>& positions = samples.positions[0];
    for (std::size_t row = 0; row < samples.rows(); ++row)
        if ((!first || positions[row] < positions[*first]) &&
            !(row_misfit(samples, asked, 1, row) <= 1))
            first = row;
    return first;
}

// The positions that rows are for, by the Spec's frequencies: only if all are whole, which wrong
// frequencies do not give.
void add_rows(std::vector<std::string>& known, const DumpView& view, const Hypothesis& asked) {
    const Samples& samples = view.samples;
    const auto row = first_wrong(samples, asked);
    if (!row) return;
    std::vector<double> place;
    for (const std::vector<double>& axis : samples.positions) place.push_back(axis[*row]);
    known.push_back("position " + point_name(place) + " is wrong, the first of those sampled");
    if (samples.positions.size() > 1) return;
    std::optional<std::pair<double, double>> moved;
    for (std::size_t each = 0; each < samples.rows(); ++each) {
        const auto own = fit_position(samples, asked, each);
        if (!own || std::abs(*own - std::round(*own)) > 0.01 || !std::isfinite(*own)) return;
        const double should = samples.positions[0][each];
        if (!moved && std::round(*own) != should) moved = {should, std::round(*own)};
    }
    if (moved)
        known.push_back("the row for position " + decimal(moved->first) +
                        " is rotated to position " + decimal(moved->second));
}

// Factors from about 1 on, as longrope's lists and other scalings have them, of the pairs whose
// frequency the values determine well.
void add_factors(std::vector<std::string>& known, const Spec& asked, const PhaseLines& lines) {
    constexpr double least_known = 0x1p-10;
    const std::vector<double> theta = frequencies_of(unscaled(asked)).theta;
    double low = HUGE_VAL, high = 0;
    PairNumbers known_ones;
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
        if (!(lines[i].error <= least_known * std::abs(lines[i].theta))) continue;
        known_ones.push_back(i);
        const double factor = theta[i] / lines[i].theta;
        if (!(factor > 0.9 && factor < 1000)) return;
        low = std::min(low, factor);
        high = std::max(high, factor);
    }
    if (high > 1.01 * low)
        known.push_back((known_ones.size() == lines.size()
                             ? "each pair's frequency is divided by its own factor, "
                             : "the frequencies of " + of_pairs(known_ones, "", "") +
                                   " are divided by their own factors, ") +
                        decimal(few_digits(low, 1e-3)) + " to " + decimal(few_digits(high, 1e-3)) +
                        ", as a scaling does");
}

std::string known_up_to(const PhaseLine& line) {
    if (line.modulo == 0) return "";
    const std::string apart = decimal(std::round(2 * std::numbers::pi / line.modulo));
    return ", known up to 2π/" + apart + " as positions are multiples of " + apart +
           " apart: taken nearest to the config's";
}

// At far positions float32 allows any angle, and only the angles determine whether a line fits.
bool is_straight(const Samples& samples, const PhaseLine& line, std::uint32_t pair) {
    constexpr double farthest = 1;  // radians
    if (line.rows != samples.rows()) return false;
    for (std::size_t row = 0; row < samples.rows() && line.is_known(); ++row) {
        const std::size_t k = row * samples.pairs + pair;
        if (Samples::is_left_out(samples.modulus[k])) continue;
        const double expected = line.offset + line.theta * samples.position(row, 0);
        if (std::abs(within_half_a_turn(samples.angle[k] - expected)) > farthest) return false;
    }
    return true;
}

// Two pairs are on any law, and frequencies in no order have a nearest one, too.
void add_power_law(std::vector<std::string>& known, const PhaseLines& turning) {
    if (std::ranges::count_if(turning, &PhaseLine::is_of_a_law) < 3) return;
    const PowerLaw law = fit_power_law(turning, turning.size(), true);
    constexpr double farthest = 4;
    for (std::size_t i = 0; i < turning.size(); ++i) {
        if (!turning[i].is_of_a_law()) continue;
        const double on_law = law.theta(i, turning.size());
        if (turning[i].theta > farthest * on_law || on_law > farthest * turning[i].theta) return;
    }
    known.push_back("the nearest power law is θ_i = " + decimal(few_digits(law.scale, 1e-4)) + "·" +
                    decimal(few_digits(law.base, 1e-4)) + "^(−2i/d)");
}

void add_rates(std::vector<std::string>& known, const DumpView& view, const PhaseLines& lines) {
    PhaseLines turning = lines;
    PairNumbers still;
    std::size_t even = 0;
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
        if (!is_straight(view.samples, lines[i], i)) continue;
        if (!lines[i].is_known() || std::abs(lines[i].theta) > 4 * lines[i].error) {
            ++even;
            continue;
        }
        still.push_back(i);
        turning[i] = {.rows = lines[i].rows};
    }
    known.push_back(decimal(even) + " of " + decimal(lines.size()) +
                    (even == 1 ? " pairs rotates" : " pairs rotate") + " at a constant rate" +
                    known_up_to(lines.front()));
    if (!still.empty())
        known.push_back(of_pairs(still, " rotates", " rotate") +
                        " too little for any value to show, or not at all");
    if (even + still.size() < lines.size()) return;
    add_power_law(known, turning);
    add_factors(known, view.asked, lines);
}

// Pairs whose first dimension is as asked, and whose second is.
struct DimensionsRight {
    std::uint64_t pairs = 0, first = 0, second = 0;

    bool are_first_alone() const { return first == pairs && 2 * second < pairs; }
    bool are_second_alone() const { return second == pairs && 2 * first < pairs; }
};

// The sampled rows of vectors of the same shape, except rows in which nothing rotates.
DimensionsRight right_dimensions(const DumpView& view, const DumpPart& part, const Dump& vectors) {
    RowErrors rows(vectors, part.rows, &*view.arrangement, view.samples, as_asked(view));
    DimensionsRight all;
    for (const std::size_t row : part.sampled) {
        if (part.rows.position(row) == 0) continue;
        rows.pair_errors(row);
        for (std::uint32_t i = 0; i < view.samples.pairs; ++i) {
            const auto [first, second] = rows.right_dimensions(i);
            ++all.pairs;
            all.first += first ? 1 : 0;
            all.second += second ? 1 : 0;
        }
    }
    return all;
}

// A sentence if in every pair the same one of its two dimensions matches the Spec and the other
// does not. For one axis.
std::optional<std::string> dimension_fact(const DumpView& view, const DumpPart& part) {
    const auto* dump = std::get_if<RotatedDump>(&part.dump);
    if (!dump || !view.mistakes.empty() || part.rows.axes() > 1 || !part.before_group.empty())
        return std::nullopt;
    const DimensionsRight own = right_dimensions(view, part, part.dump);
    if (own.pairs == 0 || !(own.are_first_alone() || own.are_second_alone())) return std::nullopt;
    const bool is_first = own.are_first_alone();
    std::string sentence = std::string("the ") + (is_first ? "first" : "second") +
                           " dimension of every pair is right, the " +
                           (is_first ? "second" : "first");
    if (dump->other) {
        RotatedDump before_of_other = *dump;
        before_of_other.before = dump->other->before;
        const DimensionsRight other = right_dimensions(view, part, before_of_other);
        if ((is_first ? other.second : other.first) == other.pairs)
            return sentence + " is that of the rotation of " + dump->other->name;
    }
    return sentence + " is not";
}

}  // namespace

std::vector<std::string> observations(const DumpView& view, const DumpPart* part,
                                      const std::vector<std::uint32_t>& wrong_pairs) {
    const Samples& samples = view.samples;
    const Hypothesis asked = as_asked_and_stored(view);
    std::vector<std::string> known;
    if (!view.leaves_other_dimensions_unchanged)
        known.push_back("dimensions beyond rotary_dim are changed, which must not rotate");
    if (view.mistakes.empty()) {
        PairErrors errors = part ? all_errors(view, *part, asked) : sampled_errors(view, asked);
        for (const std::uint32_t pair : wrong_pairs)
            if (pair < errors.size()) errors[pair] = HUGE_VAL;
        add_pairs(known, samples, asked, errors);
        if (samples.inv_freq.empty()) add_rows(known, view, asked);
    }
    const PhaseLines lines =
        nearest_to(asked.theta, oriented(fit_phase_lines(samples), Orientation::right, samples));
    if (!lines.empty()) add_rates(known, view, lines);
    const std::string amplitude = amplitude_fact(samples);  // faults come first
    if (amplitude != norms_kept)
        known.insert(known.begin(), amplitude);
    else if (samples.inv_freq.empty())
        known.push_back(amplitude);
    if (part)
        if (auto fact = dimension_fact(view, *part)) known.insert(known.begin(), *std::move(fact));
    return known;
}

}  // namespace rope
