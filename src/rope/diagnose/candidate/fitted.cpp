// Frequencies with parameters fitted to a dump's phase lines.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

using List = std::vector<Frequencies>;

constexpr double largest_fitted = 1e10;  // nobody's base is beyond 5e9, and few pairs would turn

void add_base(List& list, const Spec& asked, double base) {
    if (!(base > 1 && base < largest_fitted) || base == asked.rope_theta) return;
    Spec other = asked;
    other.rope_theta = base;
    Frequencies one = frequencies_of(other);
    one.mistake = "base";
    one.cost = 1;
    one.parameters = {{"rope_theta", base}};
    one.what = "rope_theta is " + decimal(base) + ", not " + decimal(asked.rope_theta);
    list.push_back(std::move(one));
}

double error_of_base(const std::vector<PhaseLine>& lines) {
    return fit_power_law(lines, lines.size(), false).base_error;
}

void add_fitted_bases(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    const double error = std::max(2e-7, 4 * error_of_base(lines));
    if (lines.empty()) return;
    std::vector<double> starts;
    for (std::size_t pairs = lines.size(); pairs >= 4; pairs /= 2)
        starts.push_back(fit_power_law(lines, pairs, false).base);
    if (starts.empty()) starts.push_back(fit_power_law(lines, lines.size(), false).base);
    if (lines.size() > 2)  // he_xu's pair 0 does not turn by 1
        starts.push_back(fit_power_law(lines, lines.size(), true).base);
    std::vector<double> found;
    for (const Frequencies& one : list) found.push_back(one.spec->rope_theta);
    for (const double start : starts) {
        const auto base = refined(asked, set_base, lines, start);
        if (!base) continue;
        const double simple = few_digits(base->value, error);
        const bool is_known = std::ranges::any_of(
            found, [&](double other) { return std::abs(simple - other) <= error * other; });
        if (is_known) continue;
        found.push_back(simple);
        add_base(list, asked, simple);
    }
}

// By frequencies that start over, or come in another order: ln θ_i is the exponent times ln base,
// so that any start finds it.
void add_base_of_ladders(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    const auto own = refined(asked, set_base, lines, asked.rope_theta);
    if (!own) return;
    const double base = few_digits(own->value, std::max(2e-7, 4 * own->error));
    const bool is_known = std::ranges::any_of(
        list, [&](const Frequencies& one) { return one.spec->rope_theta == base; });
    if (!is_known) add_base(list, asked, base);
}

// dynamic's base of another length n: base' = base·(factor·n/L − (factor − 1))^(d/(d−2)). A cache
// that was not rebuilt has it (huggingface/transformers#46624).
void add_sequence_length(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    if (asked.scaling.rope_type != "dynamic" || !(asked.rotary_dim > 2)) return;
    const PowerLaw law = fit_power_law(lines, lines.size(), false);
    if (!(law.base > 1)) return;
    const double stretch = stretch_of(asked, law.base);
    const double per_stretch =
        static_cast<double>(asked.max_position_embeddings) / *asked.scaling.factor;
    const double n = per_stretch * (stretch - 1 + *asked.scaling.factor);
    const double error = std::max(2e-7, 4 * law.base_error) * stretch * per_stretch;
    const double length = std::round(n);
    if (!(error < 0.25 && std::abs(n - length) <= error && stretch > 1 &&
          length < static_cast<double>(max_context)))
        return;
    Spec other = asked;
    other.seq_len = static_cast<std::uint64_t>(length);
    if (other.seq_len == asked.seq_len) return;
    add_candidate(list, "scaling-parameter", {{"seq_len", *other.seq_len}},
                  "the base is the one for sequences of " + decimal(length) + " positions" +
                      (asked.seq_len ? ", not " + decimal(*asked.seq_len) : ""),
                  other);
}

// By the slope alone: every position may be multiplied, too.
void add_base_of_slope(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    if (asked.scaling.rope_type != "default" || lines.size() < 4) return;
    const PowerLaw law = fit_power_law(lines, lines.size(), true);
    const double error = std::max(2e-7, 4 * law.base_error);
    if (error < 1e-3 && std::abs(law.scale - 1) > 1e-3 &&
        std::abs(law.base - asked.rope_theta) > error * asked.rope_theta)
        add_base(list, asked, few_digits(law.base, error));
}

// By the slope alone on each axis: the positions of some are multiplied, too.
void add_base_of_axes(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    if (asked.scaling.rope_type != "default" || axis_count(asked.axes) < 2) return;
    const auto own = base_of_axes(asked, lines);
    if (!own) return;
    const double error = std::max(2e-7, 4 * own->error);
    if (error < 0.02 && std::abs(own->value - asked.rope_theta) > error * asked.rope_theta)
        add_base(list, asked, few_digits(own->value, error));
}

// resonance's wavelengths are whole numbers, λ_i = round(2π·base^(2i/d)): a base between what all
// of them allow.
void add_base_of_wavelengths(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    if (asked.scaling.rope_type != "resonance") return;
    double low = 1, high = largest_fitted;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const PhaseLine& line = lines[i];
        if (!line.is_known() || !(line.theta > 4 * line.error)) continue;
        const double exact = 2 * std::numbers::pi / line.theta,
                     error = exact * line.error / line.theta;
        const double whole = error < 0.25 ? std::round(exact) : exact;
        const double reach = error < 0.25 ? 0.5 : 0.5 + 4 * error;
        const auto base_of = [&](double wavelength) {
            return portable::pow(wavelength / (2 * std::numbers::pi),
                                 static_cast<double>(lines.size()) / static_cast<double>(i));
        };
        low = std::max(low, base_of(whole - reach));
        high = std::min(high, base_of(whole + reach));
    }
    if (low < high && high < 2 * low)
        add_base(list, asked, few_digits((low + high) / 2, (high - low) / (high + low) / 2));
}

void add_bases_of_rounded(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    const bool is_linear = asked.scaling.rope_type == "linear" && asked.scaling.factor;
    if (asked.scaling.rope_type != "default" && !is_linear) return;
    for (const Format format : {Format::bfloat16, Format::float16})
        if (const auto own = base_of_rounded(format, is_linear ? *asked.scaling.factor : 1, lines))
            add_base(list, asked, few_digits(own->value, own->error / 2));
}

// As they are, by no rule: memory that was never written. Frequencies of any rule fall or rise; of
// one in four that do the other, beyond their errors, there is no order.
void add_own(List& list, const Spec& asked, const std::vector<PhaseLine>& lines) {
    Frequencies one = frequencies_of(asked);
    std::size_t falls = 0, rises = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_known() || lines[i].modulo > 0) return;
        one.change(i, lines[i].theta);
        if (i == 0) continue;
        const double before = std::abs(lines[i - 1].theta), own = std::abs(lines[i].theta);
        const double open = 4 * (lines[i - 1].error + lines[i].error);
        falls += own < before - open ? 1 : 0;
        rises += own > before + open ? 1 : 0;
    }
    if (4 * std::min(falls, rises) < lines.size()) return;
    one.mistake = "uninitialised";
    one.parameters = {{"inv_freq", std::string("by no rule")}};
    one.what =
        "each pair rotates at a constant rate, but the rates follow no known rule (pair 0: " +
        decimal(few_digits(lines[0].theta, 1e-3)) + ")";
    one.cost = 3;  // when nothing else does
    one.spec.reset();
    list.push_back(std::move(one));
}

}  // namespace

List fitted_frequencies(const Spec& asked, const std::vector<PhaseLine>& lines) {
    List list;
    if (lines.size() < 2) return list;
    add_base_of_axes(list, asked, lines);
    if (!is_one_ladder(asked.axes)) {
        add_base_of_ladders(list, asked, through_zero(lines));
        add_base_of_ladders(list, asked, lines);
        add_own(list, asked, lines);
        return list;
    }
    for (Frequencies& one : fitted_factors(asked, lines)) list.push_back(std::move(one));
    add_sequence_length(list, asked, lines);
    if (error_of_base(lines) > 1e-6) add_fitted_bases(list, asked, through_zero(lines));
    add_fitted_bases(list, asked, lines);
    add_base_of_slope(list, asked, lines);
    add_bases_of_rounded(list, asked, lines);
    add_base_of_wavelengths(list, asked, lines);
    add_own(list, asked, lines);
    return list;
}

}  // namespace rope
