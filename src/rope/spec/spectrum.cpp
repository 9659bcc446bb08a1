#include "rope/spec/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rope/exact/elementary.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

Contrast contrast(double a, double b) {
    const double larger = std::max(std::abs(a), std::abs(b));
    return {a, b, larger == 0 ? 0 : std::abs(a - b) / larger};
}

// Subtracts before rounding, because rounding to double could hide a difference below 2^-53.
Contrast contrast(const BigReal& a, const BigReal& b) {
    Contrast both = contrast(a.to_double(), b.to_double());
    const double larger = std::max(both.a, both.b);  // neither is negative
    if (larger != 0) both.relative = std::abs((a - b).to_double()) / larger;
    return both;
}

AngleDifference angle_difference(std::span<const double> rates, std::uint64_t position) {
    const auto m = static_cast<double>(position);
    const auto worst = std::max_element(rates.begin(), rates.end());
    const auto lost = std::count_if(rates.begin(), rates.end(),
                                    [&](double rate) { return m * rate >= std::numbers::pi / 2; });
    return {position, m * *worst, static_cast<std::uint32_t>(worst - rates.begin()),
            static_cast<std::uint32_t>(lost)};
}

// Equal up to the rounding of a few steps in double.
bool is_same(double a, double b) { return std::abs(a - b) <= 0x1p-48 * std::abs(b); }

// Returns the full divisor of the types that blend. Empty if the divisor differs between pairs, as
// with a larger base (ntk, dynamic), or is the same for all.
std::optional<double> whole_divisor(const Spec& spec) {
    const std::string& type = spec.scaling.rope_type;
    if (type == "llama3" || type == "yarn" || type == "yarn_paper") return spec.scaling.factor;
    return std::nullopt;
}

Band band_of(double divisor, const std::optional<double>& whole) {
    if (std::isinf(divisor)) return Band::still;
    if (is_same(divisor, 1)) return Band::unscaled;
    return !whole || is_same(divisor, *whole) ? Band::interpolated : Band::blended;
}

FrequencyPlan unscaled_plan(Spec spec) {
    spec.scaling = {};
    return plan_frequencies(spec, exact_precision);
}

bool is_trained_unscaled(const Spec& spec) {
    const std::string& type = spec.scaling.rope_type;
    return type == "default" || type == "dynamic" || type == "ntk" || type == "llama3" ||
           type == "yarn" || type == "yarn_paper" || type == "ntk_mixed" || type == "longrope" ||
           type == "qwen_ntk";
}

}  // namespace

Difference difference(const Spec& a, const Spec& b, std::span<const std::uint64_t> positions) {
    const FrequencyPlan plan_a = plan_frequencies(a, exact_precision);
    const FrequencyPlan plan_b = plan_frequencies(b, exact_precision);
    Difference result;
    result.a = a;
    result.b = b;
    std::vector<double> rates;  // |θ_a − θ_b|
    for (std::size_t i = 0; i < std::min(plan_a.pairs.size(), plan_b.pairs.size()); ++i) {
        const BigReal& theta_a = plan_a.pairs[i].inv_freq;
        const BigReal& theta_b = plan_b.pairs[i].inv_freq;
        result.inv_freq.push_back(contrast(theta_a, theta_b));
        rates.push_back(std::abs((theta_a - theta_b).to_double()));
    }
    const auto worst =
        std::ranges::max_element(result.inv_freq, {}, [](const Contrast& c) { return c.relative; });
    result.worst_pair = static_cast<std::uint32_t>(worst - result.inv_freq.begin());
    result.attention_factor = contrast(plan_a.attention_factor, plan_b.attention_factor);
    result.softmax_scale_factor =
        contrast(plan_a.softmax_scale_factor, plan_b.softmax_scale_factor);
    for (const std::uint64_t m : positions) result.angles.push_back(angle_difference(rates, m));
    return result;
}

std::vector<std::string> differing(const Difference& difference, double tolerance) {
    const Spec &a = difference.a, &b = difference.b;
    std::vector<std::string> names;
    const auto add_if = [&](bool apart, const char* name) {
        if (apart) names.emplace_back(name);
    };
    const auto differs = [tolerance](const Contrast& both) {
        return !(both.relative <= tolerance);
    };
    add_if(a.head_dim != b.head_dim, "head_dim");
    add_if(a.rotary_dim != b.rotary_dim, "rotary_dim");
    add_if(a.rotary_offset != b.rotary_offset, "rotary_offset");
    add_if(a.layout != b.layout, "layout");
    add_if(a.direction != b.direction, "direction");
    add_if(a.pairs() == b.pairs() &&
               axis_of_pairs(a.axes, a.pairs()) != axis_of_pairs(b.axes, b.pairs()),
           "axes");
    add_if(differs(difference.worst()), "inv_freq");
    add_if(differs(difference.attention_factor), "attention_factor");
    return names;
}

std::string_view to_string(Band band) {
    constexpr std::string_view names[] = {"unscaled", "blended", "interpolated", "still"};
    return names[static_cast<std::size_t>(band)];
}

std::vector<SpectralPair> spectrum(const Spec& spec) {
    const FrequencyPlan planned = plan_frequencies(spec, exact_precision);
    const FrequencyPlan unscaled = unscaled_plan(spec);
    const std::optional<double> whole = whole_divisor(spec);
    const BigReal two_pi = BigReal::pi(exact_precision) * 2.0;
    constexpr double infinity = std::numeric_limits<double>::infinity();

    std::vector<SpectralPair> pairs;
    for (std::size_t i = 0; i < planned.pairs.size(); ++i) {
        const BigReal& theta = planned.pairs[i].inv_freq;
        const BigReal& base = unscaled.pairs[i].inv_freq;
        const bool turns = theta.to_double() != 0;
        const double divisor = turns ? (base / theta).to_double() : infinity;
        pairs.push_back({theta.to_double(), base.to_double(), divisor,
                         turns ? (two_pi / theta).to_double() : infinity, band_of(divisor, whole)});
    }
    return pairs;
}

std::vector<BandRun> band_runs(std::span<const SpectralPair> pairs) {
    std::vector<BandRun> runs;
    for (const SpectralPair& pair : pairs) {
        const auto i = static_cast<std::uint32_t>(&pair - pairs.data());
        if (runs.empty() || runs.back().band != pair.band)
            runs.push_back({i, i, pair.band, pair.divisor, pair.divisor});
        BandRun& run = runs.back();
        run.last = i;
        if (is_same(pair.divisor, run.least) && is_same(pair.divisor, run.most)) continue;
        run.least = std::min(run.least, pair.divisor);
        run.most = std::max(run.most, pair.divisor);
    }
    return runs;
}

bool has_trained_length(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    return scaling.rope_type != "longrope" || scaling.short_factor != scaling.long_factor ||
           scaling.original_max_position_embeddings != spec.max_position_embeddings;
}

CriticalDimension critical_dimension(const Spec& spec, std::span<const SpectralPair> pairs) {
    const auto& original = spec.scaling.original_max_position_embeddings;
    const std::uint64_t length = original.value_or(spec.max_position_embeddings);
    const bool unscaled = is_trained_unscaled(spec);
    const double slowest = 2 * std::numbers::pi / static_cast<double>(length);
    CriticalDimension result{
        length,
        original ? name_of(&Scaling::original_max_position_embeddings) : "max_position_embeddings",
        {},
        0,
        std::nullopt};
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        const double theta = unscaled ? pairs[i].unscaled : pairs[i].inv_freq;
        if (theta < slowest) result.never_turn.push_back(i);
    }
    result.counted = 2 * static_cast<std::uint32_t>(pairs.size() - result.never_turn.size());
    if (unscaled && spec.axes.scheme != AxisScheme::blocks) {
        const std::uint32_t parts = frequency_restarts(spec.axes);
        result.formula =
            parts * critical_dimension(spec.rotary_dim / parts, spec.rope_theta, length);
    }
    return result;
}

std::uint32_t critical_dimension(std::uint32_t rotary_dim, double base, std::uint64_t length) {
    const double turns = static_cast<double>(length) / (2 * std::numbers::pi);
    if (base == 1) return turns > 1 ? rotary_dim : 0;  // every θ is 1
    const double dimensions =
        2 * std::ceil(rotary_dim / 2.0 * portable::log(turns) / portable::log(base));
    return static_cast<std::uint32_t>(std::clamp(dimensions, 0.0, static_cast<double>(rotary_dim)));
}

}  // namespace rope
