// Frequencies with parameters fitted to a dump's phase lines.
#include <cmath>
#include <iterator>
#include <numbers>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// Returns (base/rope_theta)^((d − 2)/d), the factor by which ntk and dynamic stretch positions to
// obtain this base. Requires d > 2.
double stretch_of(const Spec& asked, double base) {
    const double d = asked.rotary_dim;
    return portable::pow(base / asked.rope_theta, (d - 2) / d);
}

// Returns the base of frequencies times `scale` that were rounded to a 16-bit format; none if they
// follow no power law. For every pair but the first
//   ln b = −(d/2i)·ln(θ·scale) for a θ that rounds to the format's number.
std::optional<Estimate> base_of_rounded(Format format, double scale, const PhaseLines& lines) {
    const double subnormal = std::ldexp(unit_roundoff(format), smallest_exponent(format));
    const auto pairs = static_cast<double>(lines.size());
    double low = 0, high = portable::log(1e30);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const double theta = round_to(format, lines[i].theta);
        if (!(theta >= 0) ||
            std::abs(theta - lines[i].theta) > 0x1p-20 * theta + 8 * lines[i].error)
            return std::nullopt;
        // exp and log have an error of 2·ln b units of 2^-24 before the rounding
        const double half = std::max(half_spacing(format, theta), subnormal) + 0x1p-19 * theta;
        if (!(theta > half)) continue;
        const double per_pair = pairs / static_cast<double>(i);
        low = std::max(low, -per_pair * portable::log((theta + half) * scale));
        high = std::min(high, -per_pair * portable::log((theta - half) * scale));
    }
    if (!(low <= high)) return std::nullopt;
    return Estimate{portable::exp((low + high) / 2), (high - low) / 2};
}

// Whether the axis' line of ln θ over the exponent has an offset other than 0, given the variance
// of the slope.
bool has_scale(const LineSums& sums, double slope, double variance) {
    return sums.w > 0 && std::abs(sums.offset(slope)) >
                             4 * std::sqrt((1 + sums.x * sums.x / sums.w * variance) / sums.w);
}

// Returns the base of lines that follow its power law on each axis, with a scale per axis; none if
// they do not, or if every scale is 1: Σ_a cov_a(x, y) / Σ_a var_a(x) = −ln base
std::optional<Estimate> base_of_axes(const Spec& asked, const PhaseLines& lines) {
    const std::vector<std::uint32_t> axis = axis_of_pairs(asked.axes, asked.pairs());
    const std::vector<FrequencyStep> steps = frequency_steps(asked.axes, asked.pairs());
    const auto exponent = [&](std::size_t i) { return 2.0 * steps[i].index / steps[i].width; };
    std::vector<LineSums> sums(axis_count(asked.axes));
    std::size_t determined = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_of_a_law()) continue;
        sums[axis[i]].add(exponent(i), portable::log(lines[i].theta), lines[i].weight());
        ++determined;
    }
    double spread = 0, covariance = 0;
    for (const LineSums& one : sums) {
        if (!(one.w > 0)) continue;
        spread += one.spread() / one.w;
        covariance += one.covariance() / one.w;
    }
    if (determined < sums.size() + 3 || !(spread > 0)) return std::nullopt;
    const double slope = covariance / spread;
    if (std::ranges::none_of(
            sums, [&](const LineSums& one) { return has_scale(one, slope, 1 / spread); }))
        return std::nullopt;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_of_a_law()) continue;
        const double own = portable::exp(sums[axis[i]].at(exponent(i), slope));
        if (!(std::abs(lines[i].theta - own) <= 8 * lines[i].error)) return std::nullopt;
    }
    return Estimate{portable::exp(-slope), 1 / std::sqrt(spread)};
}

constexpr double largest_fitted = 1e10;  // published bases end at 5e9; beyond it few pairs rotate

void add_base(FrequencySet& list, const Spec& asked, double base) {
    if (base > 1 && base < largest_fitted) add_base_candidate(list, asked, base);
}

// Returns the parameter whose frequencies are nearest to the lines, by Gauss-Newton steps from x:
//   Σ w·(ln θ_i − ln own_i)·∂ln θ_i/∂ln x = 0
std::optional<Estimate> refined(const Spec& asked, Spec (*with)(Spec, double),
                                const PhaseLines& lines, double x) {
    constexpr double step = 1e-6;
    double curvature = 0;
    for (int round = 0; round < 8; ++round) {
        if (!(x > 1 && x < 1e30)) return std::nullopt;
        const std::vector<double> theta = frequencies_of(with(asked, x)).theta;
        const std::vector<double> moved =
            frequencies_of(with(asked, x * portable::exp(step))).theta;
        double gradient = 0;
        curvature = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!lines[i].is_of_a_law() || theta[i] <= 0) continue;
            const double slope = (portable::log(moved[i]) - portable::log(theta[i])) / step;
            const double residual = portable::log(lines[i].theta) - portable::log(theta[i]);
            const double weight = lines[i].weight();
            gradient += weight * slope * residual;
            curvature += weight * slope * slope;
        }
        if (!(curvature > 0)) return std::nullopt;
        const double change = std::clamp(gradient / curvature, -8.0, 8.0);
        x *= portable::exp(change);
        if (std::abs(change) < 1e-10) break;
    }
    return Estimate{x, 1 / std::sqrt(curvature)};
}

void add_fitted_bases(FrequencySet& list, const Spec& asked, const PhaseLines& lines) {
    if (lines.empty()) return;
    std::vector<double> starts;
    for (std::size_t pairs = lines.size(); pairs >= 4; pairs /= 2)
        starts.push_back(fit_power_law(lines, pairs, false).base);
    if (lines.size() > 2)  // he_xu's θ_0 is not 1
        starts.push_back(fit_power_law(lines, lines.size(), true).base);
    starts.push_back(asked.rope_theta);
    std::vector<double> found;
    for (const Frequencies& one : list) found.push_back(one.spec->rope_theta);
    for (const double start : starts) {
        const auto base = refined(asked, with_base, lines, start);
        if (!base) continue;
        const double error = std::max(2e-7, 4 * base->error);
        const double simple = few_digits(base->value, error);
        const bool is_known = std::ranges::any_of(
            found, [&](double other) { return std::abs(simple - other) <= error * other; });
        if (!is_known) {
            found.push_back(simple);
            add_base(list, asked, simple);
        }
        // ln θ_i is linear in ln base, so every start converges to one base
        if (has_type(asked, {"default", "linear"})) return;
    }
}

// dynamic's base for a sequence length n: base' = base·(factor·n/L − (factor − 1))^(d/(d−2)), which
// a cache that is not rebuilt keeps (huggingface/transformers#46624). For n below L the config's is
// rope_theta, but some apply the formula (NVIDIA/TensorRT-LLM#1299).
void add_sequence_length(FrequencySet& list, const Spec& asked, const PhaseLines& lines) {
    if (asked.scaling.rope_type != "dynamic" || !(asked.rotary_dim > 2)) return;
    const PowerLaw law = fit_power_law(lines, lines.size(), false);
    if (!(law.base > 1)) return;
    const double stretch = stretch_of(asked, law.base);
    const double per_stretch =
        static_cast<double>(asked.max_position_embeddings) / *asked.scaling.factor;
    const double n = per_stretch * (stretch - 1 + *asked.scaling.factor);
    const double error = std::max(2e-7, 4 * law.base_error) * stretch * per_stretch;
    const double length = std::round(n);
    if (!(error < 0.25 && std::abs(n - length) <= error && stretch > 0 && stretch != 1 &&
          length < static_cast<double>(max_context)))
        return;
    const auto seq_len = static_cast<std::uint64_t>(length);
    const bool is_below = stretch < 1;
    if (!is_below && seq_len == asked.seq_len) return;
    Spec other = is_below ? unscaled(asked) : asked;
    if (is_below) {
        const double d = asked.rotary_dim,
                     whole = (length / per_stretch) + 1 - *asked.scaling.factor;
        other.rope_theta *= portable::pow(whole, d / (d - 2));
    } else {
        other.seq_len = seq_len;
    }
    Parameters context;
    if (is_below)
        context.emplace_back("least", asked.max_position_embeddings);
    else if (asked.seq_len)
        context.emplace_back("asked", *asked.seq_len);
    add_candidate(list, named("scaling-parameter", {{"seq_len", seq_len}}, context), other);
}

// From the slopes on each axis only, so that its positions may be multiplied as well.
void add_base_of_axes(FrequencySet& list, const Spec& asked, const PhaseLines& lines) {
    if (asked.scaling.rope_type != "default") return;
    const auto own = base_of_axes(asked, lines);
    if (!own) return;
    const double error = std::max(2e-7, 4 * own->error);
    if (error < 0.02 && std::abs(own->value - asked.rope_theta) > error * asked.rope_theta)
        add_base(list, asked, few_digits(own->value, error));
}

// resonance's wavelengths are whole, λ_i = round(2π·base^(2i/d)). Adds a base in the interval that
// all of them permit.
void add_base_of_wavelengths(FrequencySet& list, const Spec& asked, const PhaseLines& lines) {
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

void add_bases_of_rounded(FrequencySet& list, const Spec& asked, const PhaseLines& lines) {
    const bool is_linear = asked.scaling.rope_type == "linear" && asked.scaling.factor;
    if (asked.scaling.rope_type != "default" && !is_linear) return;
    for (const Format format : {Format::bfloat16, Format::float16})
        if (const auto own = base_of_rounded(format, is_linear ? *asked.scaling.factor : 1, lines))
            add_base(list, asked, few_digits(own->value, own->error / 2));
}

// Each line has the frequency of a pair of the config, some of another pair. A few in words.
void add_permuted(FrequencySet& list, const Frequencies& plan, const PhaseLines& lines) {
    constexpr std::size_t most_named = 3;
    const std::vector<double>& theta = plan.theta;
    Frequencies one = plan;
    std::vector<double> order;  // the pair of the config that each pair has the frequency of
    std::string words;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].is_known() || lines[i].modulo > 0) return;
        const auto apart = [&](std::size_t j) { return std::abs(lines[i].theta - theta[j]); };
        const auto fits = [&](std::size_t j) {
            return apart(j) <= 8 * lines[i].error + 1e-6 * theta[j];
        };
        std::size_t nearest = i;
        for (std::size_t j = 0; j < theta.size(); ++j)
            if (apart(j) < apart(nearest)) nearest = j;
        if (!fits(nearest)) return;
        const bool is_own = fits(i);
        order.push_back(static_cast<double>(is_own ? i : nearest));
        if (is_own) continue;
        one.change(i, theta[nearest]);
        if (++moved <= most_named)
            words += (moved > 1 ? ", pair " : "pair ") + decimal(i) + " has that of pair " +
                     decimal(nearest);
    }
    if (moved == 0) return;
    if (moved > most_named) words += " and " + decimal(moved - most_named) + " more";
    one.name(named("frequency-order", {{"order", join(order)}}, {{"moved", words}}));
    one.cost = 2;
    one.spec.reset();
    list.push_back(std::move(one));
}

// All frequencies are right but those of a range of pairs, which are multiplied by one number, or
// of pairs that rotate backwards.
void add_scaled_range(FrequencySet& list, const Frequencies& plan, const PhaseLines& lines) {
    constexpr std::uint32_t least = 3;  // pairs in the range, and others
    std::vector<std::uint64_t> scaled;
    double weights = 0, sum = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const PhaseLine& line = lines[i];
        if (line.is_left_out() || !line.is_known() || line.modulo > 0 || plan.theta[i] == 0) return;
        if (plan.is_on(line, i)) continue;
        const double weight = plan.theta[i] * plan.theta[i] / (line.error * line.error);
        scaled.push_back(i);
        weights += weight;
        sum += weight * line.theta / plan.theta[i];
    }
    if (scaled.size() < least || lines.size() < scaled.size() + least ||
        scaled.back() - scaled.front() + 1 != scaled.size())
        return;
    const double mean = sum / weights, error = 1e-6 + 8 / std::sqrt(weights);
    const bool is_backwards = std::abs(mean + 1) <= error;
    const auto written = written_scale(mean, error, 1);
    if (!is_backwards && (!written || written->digits > 2 || !(written->scale > 0))) return;
    const double scale = is_backwards ? -1 : written->scale;
    const std::string pairs = ranges(scaled, 4);
    add_changed_candidate(list, plan,
                          is_backwards
                              ? named("direction", {{"pairs", pairs}})
                              : named("scaling-type", {{"pairs", pairs}, {"scale", scale}}),
                          [&](std::size_t i) {
                              const bool is_in = scaled.front() <= i && i <= scaled.back();
                              return (is_in ? scale : 1) * plan.theta[i];
                          });
    list.back().cost = 3;  // only if nothing else fits
    list.back().spec.reset();
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!list.back().is_on(lines[i], i)) return list.pop_back();
}

// Frequencies in no order: memory that was never written. A rule's frequencies fall or rise; here
// at least a quarter of the steps goes each way, without pairs that are not finite.
void add_own(FrequencySet& list, const Frequencies& plan, const PhaseLines& lines) {
    Frequencies one = plan;
    std::vector<std::uint64_t> lost;
    const PhaseLine* before = nullptr;
    std::size_t falls = 0, rises = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const PhaseLine& line = lines[i];
        if (line.is_left_out() || line.modulo > 0) return;
        one.change(i, line.is_known() ? line.theta : NAN);
        if (!line.is_known()) {
            if (!std::isfinite(line.number.value_or(NAN))) lost.push_back(i);
            continue;
        }
        if (before) {
            const double last = std::abs(before->theta), own = std::abs(line.theta);
            const double open = 4 * (before->error + line.error);
            falls += own < last - open ? 1 : 0;
            rises += own > last + open ? 1 : 0;
        }
        before = &line;
    }
    const std::size_t known = lines.size() - lost.size();
    if (4 * std::min(falls, rises) < known || (!lost.empty() && known < 4)) return;
    std::size_t pair = 0;  // the first one that is not as asked
    while (pair + 1 < lines.size() && (!lines[pair].is_known() || plan.is_on(lines[pair], pair)))
        ++pair;
    Parameters context{{"pair", decimal(static_cast<double>(pair))},
                       {"rate", few_digits(lines[pair].theta, 1e-3)},
                       {"asked", few_digits(plan.theta[pair], 1e-3)}};
    if (!lost.empty()) context.emplace_back("lost", ranges(lost, 4));
    one.name(named("uninitialised", {{"inv_freq", "by no rule"}}, context));
    one.cost = 3;  // only if nothing else fits
    one.spec.reset();
    list.push_back(std::move(one));
}

constexpr std::size_t least_rows_of_scale = 4;
constexpr double least_scale = 1e-4;  // rows with a smaller scale do not rotate

std::optional<Estimate> factor_of_divided(const Spec& asked, const PhaseLines& lines) {
    const PhaseLine& slowest = lines.back();
    const double start = slowest.is_of_a_law()
                             ? frequencies_of(unscaled(asked)).theta.back() / slowest.theta
                             : *asked.scaling.factor;
    auto own = refined(asked, with_factor, lines, start);
    if (own) own->error = std::max(1e-6, 4 * own->error);
    return own;
}

// ntk multiplies the base by factor^(d/(d−2)), dynamic by (factor·n/L − (factor − 1))^(d/(d−2)).
std::optional<Estimate> factor_of_base(const Spec& asked, double base, double error) {
    if (!(asked.rotary_dim > 2) || !(base > 1)) return std::nullopt;
    const double stretch = stretch_of(asked, base);
    if (asked.scaling.rope_type == "ntk") return Estimate{stretch, error};
    const auto length = static_cast<double>(asked.max_position_embeddings);
    const double beyond = static_cast<double>(asked.seq_len.value_or(0)) / length - 1;
    if (!(beyond > 0) || !(stretch > 1)) return std::nullopt;
    return Estimate{(stretch - 1) / beyond, error * stretch / (stretch - 1)};
}

constexpr double largest_factor = 1024;  // a larger one is an effect of another width or base

void add_factor(FrequencySet& list, const Spec& asked, const std::optional<Estimate>& own) {
    if (!own) return;
    // exp and log give every frequency the same error of a few units of 2^-24
    const double wide = std::max(own->error, 8e-6);
    const bool written = is_written(own->value, wide);
    double factor = few_digits(own->value, written ? wide : own->error);
    for (const double usual : usual_factors(asked))
        if (std::abs(usual - own->value) <= own->error * usual) factor = usual;
    if (!(factor > 0 && factor <= largest_factor) || factor == *asked.scaling.factor) return;
    add_factor_candidate(list, asked, factor);
    // an unusual number is a candidate only if nothing else is wrong
    if (!list.empty() && (factor < 1 || !written)) list.back().cost = 3;
}

// The fewest digits that give x within the relative tolerance; 13 if 12 do not.
int digits_of(double x, double tolerance) {
    int digits = 1;
    while (digits <= 12 && !(std::abs(rounded_to_digits(x, digits) - x) <= tolerance * std::abs(x)))
        ++digits;
    return digits;
}

}  // namespace

FrequencySet fitted_frequencies(const Spec& asked, const PhaseLines& lines) {
    FrequencySet list;
    if (lines.size() < 2) return list;
    const Frequencies plan = frequencies_of(asked);
    add_base_of_axes(list, asked, lines);
    const bool is_one = is_one_ladder(asked.axes);
    if (is_one) {
        for (Frequencies& one : fitted_factors(asked, lines)) list.push_back(std::move(one));
        add_sequence_length(list, asked, lines);
        if (fit_power_law(lines, lines.size(), false).base_error > 1e-6)
            add_fitted_bases(list, asked, through_zero(lines));
    }
    add_fitted_bases(list, asked, lines);
    if (is_one) {
        add_bases_of_rounded(list, asked, lines);
        add_base_of_wavelengths(list, asked, lines);
    }
    add_permuted(list, plan, lines);
    add_scaled_range(list, plan, lines);
    add_own(list, plan, lines);
    return list;
}

FrequencySet fitted_factors(const Spec& asked, const PhaseLines& lines) {
    FrequencySet list;
    if (!asked.scaling.factor) return list;
    if (has_type(asked, {"yarn", "llama3"}))
        add_factor(list, asked, factor_of_divided(asked, lines));
    if (!has_type(asked, {"ntk", "dynamic"})) return list;
    const PowerLaw law = fit_power_law(lines, lines.size(), false);
    add_factor(list, asked, factor_of_base(asked, law.base, std::max(1e-6, 4 * law.base_error)));
    return list;
}

FrequencySet fitted_scale(const Spec& asked, const PhaseLines& lines) {
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
    add_changed_candidate(list, plan, named("position-scale", {{"scale", scale->scale}}),
                          [&](std::size_t i) { return scale->scale * plan.theta[i]; });
    Frequencies& scaled = list.back();
    scaled.cost = scale->cost();
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!scaled.is_on(lines[i], i)) return {};
    return list;
}

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

// (1 − s)/factor + s = θ_i/(unscaled θ_i), s = (turns − low)/(high − low), turns = L0·θ/2π: a line
// through the pairs between low and high.
FrequencyFactors fit_llama3(const Spec& spec, const PhaseLines& lines) {
    const std::vector<double> theta = frequencies_of(unscaled(spec)).theta;
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

PowerLaw fit_power_law(const PhaseLines& lines, std::size_t end, bool scaled, std::size_t first) {
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
