// NTK by parts: the forms of YaRN, and Llama 3.1's scaling.

#include <cmath>

#include "base/decimal.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

struct TurnRamp {
    double low, high, length, factor;
};

void blend(PlannedFrequency& pair, const BigReal& wavelength, const TurnRamp& ramp) {
    const auto [low, high, length, factor] = ramp;
    const BigReal turns = length / wavelength;  // L0/λ
    // low = high means no ramp; transformers computes 0/0 at the one wavelength on it
    const BigReal smooth =
        low == high ? BigReal(0, wavelength.precision()) : (turns - low) / (high - low);
    const BigReal& theta = pair.inv_freq;
    // d ln inv_freq / d ln θ = 1 + (L0/λ)/(high − low) · (factor − 1)/(1 + smooth·(factor − 1))
    const double gain = factor - 1;
    if (low != high)
        pair.conditioning =
            1 + std::abs(turns.to_double() / (high - low) * gain / (1 + smooth.to_double() * gain));
    pair.inv_freq = (1.0 - smooth) * theta / factor + smooth * theta;
}

// NTK by parts with a ramp over the number of turns r of a pair in the original length L0 (Peng et
// al., arXiv 2309.00071, §3.2): Llama 3.1's scaling, and YaRN as defined in its paper.
//   r = L0/λ turns:  θ if r > high, θ/factor if r < low, and between them
//   smooth = (r − low)/(high − low),   inv_freq = (1 − smooth)·θ/factor + smooth·θ
// Requires factor and original_max_position_embeddings.
FrequencyPlan plan_turn_ramp(const Spec& spec, double low, double high, Precision precision) {
    const Scaling& scaling = spec.scaling;
    const TurnRamp ramp{low, high, static_cast<double>(*scaling.original_max_position_embeddings),
                        *scaling.factor};
    const Precision scalar = scalar_precision(precision);
    const BigReal length(ramp.length, scalar);
    const BigReal longest(length / low, precision), shortest(length / high, precision);
    const BigReal two_pi(BigReal::pi(scalar) * 2.0, precision);

    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) {
        const BigReal wavelength = two_pi / pair.inv_freq;
        if (wavelength < shortest) continue;
        if (wavelength > longest)
            pair.inv_freq = pair.inv_freq / ramp.factor;
        else
            blend(pair, wavelength, ramp);
    }
    return plan;
}

// NTK by parts: pairs with many turns in the original length L0 are kept, pairs with few are
// interpolated, with a ramp over the pair index between them (Peng et al., arXiv 2309.00071, as in
// transformers modeling_rope_utils.py, _compute_yarn_parameters).
//     corr(β) = d·ln(L0/(2πβ))/(2·ln base),  low = corr(beta_fast), high = corr(beta_slow)
//     e_i = (1 − clip((i − low)/(high − low), 0, 1))·ext_factor
//     inv_freq = (θ_i/factor)·(1 − e_i) + θ_i·e_i
// ext_factor comes from llama.cpp (ggml.c, rope_yarn); vLLM calls it extrapolation_factor.

constexpr UsedKey yarn_keys[] = {required_key(&Scaling::factor),
                                 required_key(&Scaling::original_max_position_embeddings),
                                 optional_key(&Scaling::attention_factor),
                                 optional_key(&Scaling::beta_fast, yarn_beta_fast),
                                 optional_key(&Scaling::beta_slow, yarn_beta_slow),
                                 optional_key(&Scaling::ext_factor, 1.0),
                                 optional_key(&Scaling::truncate, true),
                                 optional_key(&Scaling::mscale),
                                 optional_key(&Scaling::mscale_all_dim)};

// Absent and zero betas become the default, as with Python's `or`.
double beta(const Scaling& scaling, std::optional<double> Scaling::* member) {
    const double value = value_or_default(scaling, yarn_keys, member);
    return value == 0 ? value_or_default(Scaling{}, yarn_keys, member) : value;
}

void check_base(const Spec& spec) {
    if (spec.rope_theta <= 1)
        throw InputError("rope_theta",
                         "is " + decimal(spec.rope_theta) +
                             "; rope_type yarn divides by its logarithm and needs more than 1");
}

BigReal logarithm(BigReal x) {
    mpfr_log(x.raw(), x.raw(), MPFR_RNDN);
    return x;
}

// Returns the (fractional) index of the pair with the given number of turns in the original length.
BigReal correction_dim(const Spec& spec, double turns, Precision scalar) {
    const BigReal length(*spec.scaling.original_max_position_embeddings == 0
                             ? 1.0
                             : static_cast<double>(*spec.scaling.original_max_position_embeddings),
                         scalar);
    const BigReal ratio = length / (BigReal::pi(scalar) * (2 * turns));
    return BigReal(spec.rotary_dim, scalar) * logarithm(ratio) /
           (logarithm(BigReal(spec.rope_theta, scalar)) * 2.0);
}

BigReal attention_factor(const Scaling& scaling) {
    if (scaling.attention_factor) return {*scaling.attention_factor, exact_precision};
    const double m = scaling.mscale.value_or(0), all = scaling.mscale_all_dim.value_or(0);
    if (m != 0 && all != 0)
        return yarn_magnitude(*scaling.factor, m) / yarn_magnitude(*scaling.factor, all);
    return yarn_magnitude(*scaling.factor, 1);
}

FrequencyPlan plan_yarn(const Spec& spec, Precision precision) {
    const double factor = *spec.scaling.factor;
    const YarnRamp ramp = yarn_ramp(spec, scalar_precision(precision));
    const BigReal low(ramp.low, precision), width(ramp.high - ramp.low, precision);
    const BigReal zero(0, precision), one(1, precision);
    const double kept = value_or_default(spec.scaling, yarn_keys, &Scaling::ext_factor);

    FrequencyPlan plan;
    for (const BigReal& power : base_powers(BigReal(spec.rope_theta, precision), spec)) {
        const auto i = static_cast<double>(plan.pairs.size());
        BigReal r = (BigReal(i, precision) - low) / width;
        r = r < zero ? zero : r > one ? one : r;
        const BigReal extrapolation = (1.0 - r) * kept;
        PlannedFrequency pair{
            (1.0 / (factor * power)) * (1.0 - extrapolation) + (1.0 / power) * extrapolation,
            std::nullopt};
        // error of the ramp ≤ (i + low + width)/width·2^-24, with the largest effect near r = 1
        const double gain = std::abs(factor - 1) * kept, width_d = width.to_double();
        const double e = extrapolation.to_double();
        pair.blend_error = (i + low.to_double() + width_d) / width_d * gain / (factor * e + 1 - e);
        if (r == zero || r == one) pair.blend_error = 0;
        plan.pairs.push_back(std::move(pair));
    }
    plan.set_amplitude(attention_factor(spec.scaling));
    // DeepSeek also multiplies its scores by the square of this factor (modeling_deepseek_v3.py).
    const double all = spec.mscale_of_scores ? spec.scaling.mscale_all_dim.value_or(0) : 0;
    const double scale = yarn_magnitude(factor, all).to_double();
    if (all != 0) plan.softmax_scale_factor = scale * scale;
    return plan;
}

// YaRN as defined in its paper: the ramp runs over turns in the original length, from α = beta_slow
// to β = beta_fast. All implementations instead run it over the pair index (plan_yarn).
//     attention_factor = √(1/t) = 0.1·ln factor + 1
// Source: Peng et al., arXiv 2309.00071, definitions 1 and 2, equation 15.

constexpr UsedKey yarn_paper_keys[] = {
    required_key(&Scaling::factor), required_key(&Scaling::original_max_position_embeddings),
    optional_key(&Scaling::attention_factor), optional_key(&Scaling::beta_fast, yarn_beta_fast),
    optional_key(&Scaling::beta_slow, yarn_beta_slow)};

double beta(const Spec& spec, std::optional<double> Scaling::* member) {
    return value_or_default(spec.scaling, yarn_paper_keys, member);
}

FrequencyPlan plan_yarn_paper(const Spec& spec, Precision precision) {
    FrequencyPlan plan = plan_turn_ramp(spec, beta(spec, &Scaling::beta_slow),
                                        beta(spec, &Scaling::beta_fast), precision);
    const auto& own = spec.scaling.attention_factor;
    plan.set_amplitude(own ? BigReal(*own, exact_precision)
                           : yarn_magnitude(*spec.scaling.factor, 1));
    return plan;
}

// Llama 3.1: divides long wavelengths by factor, keeps short ones, with a ramp between.
// Source: transformers modeling_rope_utils.py, _compute_llama3_parameters.

void check_bands(const Spec& spec) {
    const double low = *spec.scaling.low_freq_factor, high = *spec.scaling.high_freq_factor;
    if (low > high)
        throw InputError(
            std::string(name_of(&Scaling::low_freq_factor)),
            "is " + decimal(low) + "; it must not exceed high_freq_factor (" + decimal(high) + ")");
}

FrequencyPlan plan_llama3(const Spec& spec, Precision precision) {
    return plan_turn_ramp(spec, *spec.scaling.low_freq_factor, *spec.scaling.high_freq_factor,
                          precision);
}

constexpr UsedKey llama3_keys[] = {required_key(&Scaling::factor),
                                   required_key(&Scaling::low_freq_factor),
                                   required_key(&Scaling::high_freq_factor),
                                   required_key(&Scaling::original_max_position_embeddings)};

}  // namespace

YarnRamp yarn_ramp(const Spec& spec, Precision scalar) {
    YarnRamp ramp{correction_dim(spec, beta(spec.scaling, &Scaling::beta_fast), scalar),
                  correction_dim(spec, beta(spec.scaling, &Scaling::beta_slow), scalar)};
    if (value_or_default(spec.scaling, yarn_keys, &Scaling::truncate)) {
        mpfr_floor(ramp.low.raw(), ramp.low.raw());
        mpfr_ceil(ramp.high.raw(), ramp.high.raw());
    }
    const BigReal least(0, scalar), most(spec.rotary_dim - 1.0, scalar);  // d − 1, not d/2 − 1
    if (ramp.low < least) ramp.low = least;
    if (ramp.high > most) ramp.high = most;
    if (ramp.low == ramp.high) ramp.high = ramp.high - BigReal(-0.001, scalar);
    return ramp;
}

BigReal yarn_magnitude(double s, double m) {
    const BigReal one(1, exact_precision);
    return s <= 1 ? one : logarithm(BigReal(s, exact_precision)) * m / 10.0 + one;
}

const Variant yarn_variant{"yarn", yarn_keys, check_base, plan_yarn};

const Variant yarn_paper_variant{"yarn_paper", yarn_paper_keys, nullptr, plan_yarn_paper};

const Variant llama3_variant{"llama3", llama3_keys, check_bands, plan_llama3};

}  // namespace rope
