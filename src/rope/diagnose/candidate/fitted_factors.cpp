// Scaling whose factor is fitted to a dump's phase lines.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr std::size_t least_rows_of_scale = 4;
constexpr double least_scale = 1e-4;  // rows below it do not turn

bool divides_slowest_pairs(const Spec& asked) {
    const std::string& type = asked.scaling.rope_type;
    return type == "yarn" || type == "llama3";
}

bool changes_base(const Spec& asked) {
    const std::string& type = asked.scaling.rope_type;
    return type == "ntk" || type == "dynamic";
}

std::optional<Estimate> factor_of_divided(const Spec& asked, const std::vector<PhaseLine>& lines) {
    const PhaseLine& slowest = lines.back();
    const double start = slowest.is_of_a_law()
                             ? frequencies_of(unscaled(asked)).theta.back() / slowest.theta
                             : *asked.scaling.factor;
    auto own = refined(asked, set_factor, lines, start);
    if (own) own->error = std::max(1e-6, 4 * own->error);
    return own;
}

// ntk multiplies the base by factor^(d/(d−2)), dynamic by that of factor·n/L − (factor − 1).
std::optional<Estimate> factor_of_base(const Spec& asked, double base, double error) {
    if (!(asked.rotary_dim > 2) || !(base > 1)) return std::nullopt;
    const double stretch = stretch_of(asked, base);
    if (asked.scaling.rope_type == "ntk") return Estimate{stretch, error};
    const auto length = static_cast<double>(asked.max_position_embeddings);
    const double beyond = static_cast<double>(asked.seq_len.value_or(0)) / length - 1;
    if (!(beyond > 0) || !(stretch > 1)) return std::nullopt;
    return Estimate{(stretch - 1) / beyond, error * stretch / (stretch - 1)};
}

// ln x ∈ [ln_x(i, θ_i + half), ln_x(i, θ_i − half)] for every pair from `first` on: what a
// parameter may be where θ_i, which fall as it rises, were rounded to the format.
template <class LogParameter>
std::optional<Estimate> parameter_of_rounded(Format format, const std::vector<PhaseLine>& lines,
                                             std::size_t first, const LogParameter& ln_x) {
    const double subnormal = std::ldexp(unit_roundoff(format), smallest_exponent(format));
    double low = 0, high = portable::log(1e30);
    for (std::size_t i = first; i < lines.size(); ++i) {
        const double theta = round_to(format, lines[i].theta);
        if (!(theta >= 0) ||
            std::abs(theta - lines[i].theta) > 0x1p-20 * theta + 8 * lines[i].error)
            return std::nullopt;
        // exp and log are off by 2·ln b units of 2^-24 before
        const double half = std::max(half_spacing(format, theta), subnormal) + 0x1p-19 * theta;
        if (!(theta > half)) continue;
        low = std::max(low, ln_x(i, theta + half));
        high = std::min(high, ln_x(i, theta - half));
    }
    if (!(low <= high)) return std::nullopt;
    return Estimate{portable::exp((low + high) / 2), (high - low) / 2};
}

// ln f = ln θ_i − ln(θ_i/f)
std::optional<Estimate> linear_factor_of_rounded(Format format, const Spec& asked,
                                                 const std::vector<PhaseLine>& lines) {
    const std::vector<double> whole = frequencies_of(unscaled(asked)).theta;
    return parameter_of_rounded(format, lines, 0, [&](std::size_t i, double theta) {
        return portable::log(whole[i] / theta);
    });
}

constexpr double largest_factor = 1e4;  // beyond, it stands for another width or base

void add_factor(FrequencySet& list, const Spec& asked, const std::optional<Estimate>& own) {
    if (!own) return;
    // exp and log leave every frequency off by the same few units of 2^-24
    const double wide = std::max(own->error, 8e-6);
    const bool written = is_written(own->value, wide);
    const double factor = few_digits(own->value, written ? wide : own->error);
    if (!(factor > 0 && factor <= largest_factor) || factor == *asked.scaling.factor) return;
    add_factor_candidate(list, asked, factor);
    // where nobody would write that number, only if nothing else is wrong
    if (!list.empty() && (factor < 1 || !written)) list.back().cost = 3;
}

}  // namespace

double stretch_of(const Spec& asked, double base) {
    const double d = asked.rotary_dim;
    return portable::pow(base / asked.rope_theta, (d - 2) / d);
}

std::optional<Estimate> base_of_rounded(Format format, double scale,
                                        const std::vector<PhaseLine>& lines) {
    const auto d = 2 * static_cast<double>(lines.size());
    // ln b = −(d/2i)·ln(θ_i·scale)
    return parameter_of_rounded(format, lines, 1, [&](std::size_t i, double theta) {
        return -d / (2 * static_cast<double>(i)) * portable::log(theta * scale);
    });
}

FrequencySet fitted_factors(const Spec& asked, const std::vector<PhaseLine>& lines) {
    FrequencySet list;
    if (!asked.scaling.factor) return list;
    if (divides_slowest_pairs(asked)) add_factor(list, asked, factor_of_divided(asked, lines));
    if (asked.scaling.rope_type == "linear")
        for (const Format format : {Format::bfloat16, Format::float16})
            add_factor(list, asked, linear_factor_of_rounded(format, asked, lines));
    if (!changes_base(asked)) return list;
    const PowerLaw law = fit_power_law(lines, lines.size(), false);
    add_factor(list, asked, factor_of_base(asked, law.base, std::max(1e-6, 4 * law.base_error)));
    for (const Format format : {Format::bfloat16, Format::float16})
        if (const auto own = base_of_rounded(format, 1, lines))
            add_factor(list, asked, factor_of_base(asked, own->value, own->error));
    return list;
}

FrequencySet factors_beside(const Spec& asked, const std::vector<PhaseLine>& lines,
                            const std::vector<PowerLaw>& laws) {
    FrequencySet list;
    const PhaseLine& slowest = lines.back();
    if (!asked.scaling.factor || !divides_slowest_pairs(asked) || !slowest.is_of_a_law())
        return list;
    const double last = static_cast<double>(lines.size() - 1) / static_cast<double>(lines.size());
    for (const PowerLaw& law : laws) {
        const double own = law.scale * portable::pow(law.base, -last) / slowest.theta;
        const double error = 1e-6 + 4 * (law.base_error + slowest.error / slowest.theta);
        if (error < 1e-2) add_factor(list, asked, Estimate{own, error});
    }
    std::erase_if(list, [](const Frequencies& one) { return one.cost > 1; });
    return list;
}

FrequencySet fitted_scale(const Spec& asked, const std::vector<PhaseLine>& lines) {
    double w = 0, sum = 0;
    const Frequencies plan = frequencies_of(asked);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].rows < least_rows_of_scale || !(lines[i].error > 0) || plan.theta[i] == 0)
            return {};
        const double error = std::max(lines[i].error / plan.theta[i], 0x1p-24);
        w += 1 / (error * error);
        sum += lines[i].theta / plan.theta[i] / (error * error);
    }
    const auto scale = written_scale(sum / w, 1e-6 + 8 / std::sqrt(w), position_unit(asked));
    FrequencySet list;
    if (!scale || scale->scale == 1 || !(scale->scale > least_scale)) return list;
    add_changed_candidate(list, plan, "position-scale", {{"scale", scale->scale}},
                          "positions are multiplied by " + decimal(scale->scale),
                          [&](std::size_t i) { return scale->scale * plan.theta[i]; });
    Frequencies& scaled = list.back();
    scaled.cost = scale->cost();
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!scaled.is_on(lines[i], i)) return {};
    return list;
}

}  // namespace rope
