#include "rope/frequency/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rope/exact/elementary.hpp"
#include "rope/frequency/frequency.hpp"

namespace rope {
namespace {

// The same but for the rounding of a few steps in double.
bool is_same(double a, double b) { return std::abs(a - b) <= 0x1p-48 * std::abs(b); }

// What the types that blend divide by where they scale fully. Empty where nothing lies between:
// each pair has its own divisor, or all share one.
std::optional<double> whole_divisor(const Spec& spec) {
    const std::string& type = spec.scaling.rope_type;
    if (type == "llama3" || type == "yarn" || type == "yarn_paper" || type == "ntk" ||
        type == "ntk_mixed")
        return spec.scaling.factor;
    if (type != "dynamic") return std::nullopt;
    // base grows so that the last pair is divided by s·n/L − (s − 1)
    const double s = *spec.scaling.factor;
    const auto length = static_cast<double>(spec.max_position_embeddings);
    return s * std::max(1.0, static_cast<double>(spec.seq_len.value_or(0)) / length) - (s - 1);
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
                         turns ? (two_pi / theta).to_double() : infinity,
                         band_of(divisor, whole)});
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
    CriticalDimension result{length, {}, 0, std::nullopt};
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
    if (base == 1) return turns > 1 ? rotary_dim : 0;  // every pair turns by 1
    const double lanes =
        2 * std::ceil(rotary_dim / 2.0 * portable::log(turns) / portable::log(base));
    return static_cast<std::uint32_t>(std::clamp(lanes, 0.0, static_cast<double>(rotary_dim)));
}

}  // namespace rope
