// Laws fitted to a dump's phase lines.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {

namespace {

double rounded_to_digits(double x, int digits) {
    char text[32];
    const auto written =
        std::to_chars(text, std::end(text), x, std::chars_format::scientific, digits - 1);
    double rounded = x;
    std::from_chars(text, written.ptr, rounded);
    return rounded;
}

// As few as `tolerance` allows; more than 12 are all of them.
int digits_of(double x, double tolerance) {
    int digits = 1;
    while (digits <= 12 && !(std::abs(rounded_to_digits(x, digits) - x) <= tolerance * std::abs(x)))
        ++digits;
    return digits;
}

}  // namespace

double few_digits(double x, double tolerance) {
    if (x == 0 || !std::isfinite(x)) return x;
    const int digits = digits_of(x, tolerance);
    return digits <= 12 ? rounded_to_digits(x, digits) : x;
}

bool is_written(double x, double tolerance) {
    return x != 0 && std::abs(rounded_to_digits(x, 4) - x) <= tolerance * std::abs(x);
}

std::optional<WrittenScale> written_scale(double x, double tolerance, double unit) {
    if (std::abs(x - 1) <= tolerance) return WrittenScale{1, 1};
    if (std::abs(x - 1) < 1e-3)
        return WrittenScale{
            std::round(1e12 * (1 + few_digits(x - 1, tolerance / std::abs(x - 1)))) / 1e12, 1};
    std::optional<WrittenScale> scale;
    for (const auto& [numerator, is_inverse] : {std::pair{1.0, false}, {1.0, true}, {unit, true}}) {
        const double own = is_inverse ? numerator / x : x;
        const double simple = few_digits(own, tolerance);
        const bool is_count = is_inverse && simple == std::round(simple) && simple < 1e6;
        int digits = digits_of(own, tolerance);
        if (is_count) digits = std::min(digits, 4);
        if (digits >= (scale ? scale->digits : 5)) continue;
        scale = {is_inverse ? numerator / simple : simple, digits};
    }
    return scale;
}

// (1 − s)/factor + s = own/θ with s = (turns − low)/(high − low), turns = L0·θ/2π: a line through
// the blended pairs.
FrequencyFactors fit_llama3(const Spec& spec, const std::vector<PhaseLine>& lines) {
    Spec plain = spec;
    plain.scaling = {};
    const std::vector<double> theta = frequencies_of(plain).theta;
    const double factor = *spec.scaling.factor;
    const auto length = static_cast<double>(*spec.scaling.original_max_position_embeddings);
    std::vector<std::pair<double, double>> blended;  // turns, s
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double s = (lines[i].theta / theta[i] - 1 / factor) / (1 - 1 / factor);
        if (s > 0.001 && s < 0.999)
            blended.emplace_back(length * theta[i] / (2 * std::numbers::pi), s);
    }
    if (blended.empty()) return {};
    const auto [first_turns, first] = blended.front();
    if (blended.size() == 1) return {1, few_digits(1 + (first_turns - 1) / first, 1e-3)};
    const auto [last_turns, last] = blended.back();
    const double width = (first_turns - last_turns) / (first - last);
    const double low = few_digits(last_turns - last * width, 1e-3);
    return {low, few_digits(low + width, 1e-3)};
}

PowerLaw fit_power_law(const std::vector<PhaseLine>& lines, std::size_t first, std::size_t end,
                       bool scaled) {
    LineSums sums;
    for (std::size_t i = first; i < end; ++i) {
        if (!lines[i].is_of_a_law()) continue;
        const double weight = lines[i].weight(), log_theta = portable::log(lines[i].theta);
        const double exponent = static_cast<double>(i) / static_cast<double>(lines.size());
        sums.add(exponent, log_theta, weight);
    }
    if (scaled && sums.spread() > 0) {
        const double slope = sums.slope();
        return {portable::exp(-slope), portable::exp(sums.offset(slope)),
                std::sqrt(sums.w / sums.spread())};
    }
    if (!(sums.xx > 0)) return {};
    return {portable::exp(-sums.xy / sums.xx), 1, 1 / std::sqrt(sums.xx)};
}

}  // namespace rope
