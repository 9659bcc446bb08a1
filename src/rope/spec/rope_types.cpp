// Rope types without a ramp over turns, each a function of the base frequencies.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

// θ_i = base^(-2i/d)   (Su et al., RoFormer, equation 15)

FrequencyPlan plan_default(const Spec& spec, Precision precision) {
    return {base_frequencies(spec, precision)};
}

// Frequencies without a formula: learned, random, or derived from pixels.

FrequencyPlan plan_given(const Spec& spec, Precision precision) {
    FrequencyPlan plan;
    for (const double theta : spec.scaling.given_inv_freq)
        plan.pairs.push_back({BigReal(theta, precision), std::nullopt});
    return plan;
}

constexpr UsedKey given_keys[] = {required_key(&Scaling::given_inv_freq)};

// θ_i / factor: Position Interpolation (Chen et al., arXiv 2306.15595)

FrequencyPlan plan_linear(const Spec& spec, Precision precision) {
    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (PlannedFrequency& pair : plan.pairs) pair.inv_freq = pair.inv_freq / *spec.scaling.factor;
    return plan;
}

constexpr UsedKey linear_keys[] = {required_key(&Scaling::factor)};

// NTK-aware scaling replaces the base by b·factor^(d/(d−2)), which keeps θ_0 and divides the last θ
// by exactly `factor`. Hugging Face's dynamic type has a factor that depends on the length n:
//   factor·n/L − (factor − 1),   n = max(seq_len, L), L = max_position_embeddings
// Source: transformers modeling_rope_utils.py, _compute_dynamic_ntk_parameters. In Qwen-7B's
// use_dynamic_ntk it grows in steps (modeling_qwen.py, get_ntk_alpha).

void check_dimension(const Spec& spec) {
    if (spec.rotary_dim == 2)
        throw InputError("rotary_dim", "is 2; rope_type " + spec.scaling.rope_type +
                                           " divides by rotary_dim − 2 and needs at least 4");
}

FrequencyPlan plan_with_base(const Spec& spec, const BigReal& stretch, Precision precision) {
    const Precision scalar = stretch.precision();
    const BigReal exponent = BigReal(spec.rotary_dim, scalar) / (spec.rotary_dim - 2.0);
    const BigReal base(BigReal(spec.rope_theta, scalar) * pow(stretch, exponent), precision);
    FrequencyPlan plan;
    for (const BigReal& power : base_powers(base, spec))
        plan.pairs.push_back({1.0 / power, std::nullopt});
    return plan;
}

FrequencyPlan plan_ntk(const Spec& spec, Precision precision) {
    return plan_with_base(spec, BigReal(*spec.scaling.factor, scalar_precision(precision)),
                          precision);
}

FrequencyPlan plan_dynamic(const Spec& spec, Precision precision) {
    const Precision scalar = scalar_precision(precision);
    const double factor = *spec.scaling.factor;
    const auto length = static_cast<double>(spec.max_position_embeddings);
    const double n = std::max(static_cast<double>(spec.seq_len.value_or(0)), length);
    const BigReal stretch = BigReal(factor, scalar) * n / length - BigReal(factor - 1, scalar);
    return plan_with_base(spec, stretch, precision);
}

// α = max(2^⌈log2(n/L) + 1⌉ − 1, 1): 1 up to L, 3 up to 2L, 7 up to 4L, …
FrequencyPlan plan_qwen(const Spec& spec, Precision precision) {
    std::uint64_t reach = spec.max_position_embeddings, power = 2;
    for (; reach < spec.seq_len.value_or(0); reach *= 2) power *= 2;
    return plan_with_base(
        spec, BigReal(static_cast<double>(power - 1), scalar_precision(precision)), precision);
}

constexpr UsedKey ntk_keys[] = {required_key(&Scaling::factor)};

// Su Jianlin's NTK-RoPE, fixed (mixed_b = 1) or mixed; vLLM calls it ntk.
//     θ_i / exp(a·(i + 1)^mixed_b),   a = ln factor/(d/2)^mixed_b
// Pair 0 is scaled too, and the last pair by the full factor. mixed_b = 1 gives
// (b·factor)^(−2i/d)/factor^(2/d).
// Source: https://kexue.fm/archives/9706; vllm ntk_scaling_rope.py, NTKScalingRotaryEmbedding.

constexpr UsedKey ntk_mixed_keys[] = {required_key(&Scaling::factor),
                                      optional_key(&Scaling::mixed_b, 1.0)};

FrequencyPlan plan_ntk_mixed(const Spec& spec, Precision precision) {
    const Precision scalar = scalar_precision(precision);
    const BigReal factor(*spec.scaling.factor, scalar);
    const BigReal power(value_or_default(spec.scaling, ntk_mixed_keys, &Scaling::mixed_b), scalar);
    const BigReal half(spec.rotary_dim / 2.0, scalar);
    FrequencyPlan plan{base_frequencies(spec, precision)};
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        // exp(a·(i + 1)^b) = factor^(((i + 1)/(d/2))^b)
        const BigReal share = pow(BigReal(static_cast<double>(i + 1), scalar) / half, power);
        PlannedFrequency& pair = plan.pairs[i];
        pair.inv_freq = pair.inv_freq / BigReal(pow(factor, share), precision);
    }
    return plan;
}

// θ_i divided by a searched factor for each pair: short_factor up to the original length L0,
// long_factor beyond it (Ding et al., arXiv 2402.13753; transformers modeling_rope_utils.py,
// _compute_longrope_parameters).
//   attention_factor = √(1 + ln s/ln L0),  s = factor, or max_position_embeddings/L0 without it
// short_mscale and long_mscale are attention factors of the two lists (modeling_phimoe.py).

// √(1 + ln s/ln L0) with s > 1 needs L0 > 1, unless the config gives the attention factor.
void check_original(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    const bool is_given = scaling.attention_factor || (scaling.short_mscale && scaling.long_mscale);
    const double s = scaling.factor.value_or(static_cast<double>(spec.max_position_embeddings));
    if (is_given || *scaling.original_max_position_embeddings > 1 || !(s > 1)) return;
    throw InputError(std::string(name_of(&Scaling::original_max_position_embeddings)),
                     "is " + decimal(*scaling.original_max_position_embeddings) +
                         "; rope_type longrope divides by its logarithm and needs more than 1");
}

BigReal attention_factor(const Spec& spec, bool is_long) {
    const Scaling& scaling = spec.scaling;
    const BigReal one(1, exact_precision);
    if (const auto& own = is_long ? scaling.long_mscale : scaling.short_mscale) return one * *own;
    if (scaling.attention_factor) return one * *scaling.attention_factor;
    BigReal original = BigReal::whole(*scaling.original_max_position_embeddings, exact_precision);
    BigReal s = scaling.factor
                    ? one * *scaling.factor
                    : BigReal::whole(spec.max_position_embeddings, exact_precision) / original;
    if (!(s > one)) return BigReal(1, exact_precision);
    for (BigReal* x : {&s, &original}) mpfr_log(x->raw(), x->raw(), MPFR_RNDN);
    BigReal square = one + s / original;
    mpfr_sqrt(square.raw(), square.raw(), MPFR_RNDN);
    return square;
}

FrequencyPlan plan_longrope(const Spec& spec, Precision precision) {
    const Scaling& scaling = spec.scaling;
    const bool is_long = spec.seq_len.value_or(0) > *scaling.original_max_position_embeddings;
    const std::vector<double>& factors = is_long ? scaling.long_factor : scaling.short_factor;
    FrequencyPlan plan;
    for (const BigReal& power : base_powers(BigReal(spec.rope_theta, precision), spec))
        plan.pairs.push_back({1.0 / (factors[plan.pairs.size()] * power), std::nullopt});
    plan.set_amplitude(attention_factor(spec, is_long));
    return plan;
}

constexpr UsedKey longrope_keys[] = {required_key(&Scaling::original_max_position_embeddings),
                                     required_key(&Scaling::short_factor),
                                     required_key(&Scaling::long_factor),
                                     optional_key(&Scaling::factor),
                                     optional_key(&Scaling::attention_factor),
                                     optional_key(&Scaling::short_mscale),
                                     optional_key(&Scaling::long_mscale)};

// Gemma 4's global layers, p-RoPE (arXiv 2410.06205): the first fraction p of the pairs has the
// frequencies base^(-2i/head_dim), the others do not rotate. Pairs are (i, i + head_dim/2). Source:
// transformers modeling_rope_utils.py, _compute_proportional_rope_parameters.

constexpr UsedKey proportional_keys[] = {optional_key(&Scaling::factor, 1.0),
                                         optional_key(&Scaling::partial_rotary_factor, 1.0)};

void check_whole_head(const Spec& spec) {
    if (spec.rotary_dim != spec.head_dim)
        throw InputError("rotary_dim", "is " + decimal(spec.rotary_dim) +
                                           "; rope_type proportional covers the whole head, "
                                           "head_dim " +
                                           decimal(spec.head_dim));
}

FrequencyPlan plan_proportional(const Spec& spec, Precision precision) {
    FrequencyPlan plan{base_frequencies(spec, precision)};
    const double p =
        value_or_default(spec.scaling, proportional_keys, &Scaling::partial_rotary_factor);
    const double factor = value_or_default(spec.scaling, proportional_keys, &Scaling::factor);
    const auto turning = static_cast<std::size_t>(std::floor(p * spec.head_dim / 2));
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        PlannedFrequency& pair = plan.pairs[i];
        if (i < turning) {
            pair.inv_freq = pair.inv_freq / factor;
            continue;
        }
        pair.inv_freq = BigReal(0, precision);
        pair.turn = RationalTurn{0, 1};
    }
    return plan;
}

// θ̄_i = π/(2n) · base^(-2i/d), n = max_position_embeddings, so that the first pair rotates by a
// quarter turn over the context.  (He & Xu, Easy Derivation of Rotary Position Embeddings)

// Returns base^(a/c), a/c in lowest terms, if base is a perfect c-th power, else nothing. Then it
// is an integer; in all other cases it is irrational, by unique factorisation.
std::optional<std::uint64_t> whole_power(double base, std::uint32_t a, std::uint32_t c) {
    if (a == 0 || base == 1) return 1;
    constexpr double largest = 0x1p26;
    if (base != std::floor(base) || base > 0x1p53) return std::nullopt;
    const double root = std::round(portable::exp(portable::log(base) / c));
    double check = 1, power = 1;
    for (std::uint32_t k = 0; k < c; ++k) {
        check *= root;
        if (check > base || root < 2) return std::nullopt;
    }
    if (check != base) return std::nullopt;
    for (std::uint32_t k = 0; k < a; ++k) {
        power *= root;
        if (power > largest) return std::nullopt;
    }
    return static_cast<std::uint64_t>(power);
}

FrequencyPlan plan_he_xu(const Spec& spec, Precision precision) {
    const Precision scalar = scalar_precision(precision);
    const std::uint64_t n = spec.max_position_embeddings;
    const BigReal scale(BigReal::pi(scalar) / static_cast<double>(2 * n), precision);

    FrequencyPlan plan{base_frequencies(spec, precision)};
    const std::vector<FrequencyStep> steps = frequency_steps(spec.axes, spec.pairs());
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        PlannedFrequency& pair = plan.pairs[i];
        pair.inv_freq = scale * pair.inv_freq;
        // θ̄_i/2π = 1/(4n · base^(2·index/width))
        const auto [index, width] = steps[i];
        const std::uint32_t common = std::gcd(2 * index, width);
        if (const auto power = whole_power(spec.rope_theta, 2 * index / common, width / common))
            pair.turn = RationalTurn{1, 4 * n * *power};
    }
    return plan;
}

// Resonance RoPE: every wavelength is rounded to an integer number of positions, so that beyond the
// trained length each pair repeats values it had in training.
//     λ_i = round(2π/θ_i),  inv_freq = 2π/λ_i
// Source: Wang et al., arXiv 2403.00071, §4.

void check_wavelengths(const Spec& spec) {
    const FrequencyPlan plan{base_frequencies(spec, exact_precision)};
    const BigReal two_pi = exact_pi() * 2.0;
    for (const PlannedFrequency& pair : plan.pairs)
        if (!(two_pi / pair.inv_freq < real(0x1p53)))
            throw InputError("rope_theta",
                             "makes wavelengths beyond 2^53 positions; it must be smaller for "
                             "rope_type resonance");
}

FrequencyPlan plan_resonance(const Spec& spec, Precision precision) {
    const BigReal two_pi = exact_pi() * 2.0;
    FrequencyPlan plan{base_frequencies(spec, exact_precision)};
    for (PlannedFrequency& pair : plan.pairs) {
        const BigReal wavelength = nearest_whole(two_pi / pair.inv_freq);
        pair.inv_freq = BigReal(two_pi / wavelength, precision);
        if (wavelength < real(0x1p53))  // a search may try a base that no valid Spec has
            pair.turn = RationalTurn{1, static_cast<std::uint64_t>(wavelength.to_double())};
    }
    return plan;
}

}  // namespace

const Variant default_variant{"default", {}, nullptr, plan_default};

const Variant given_variant{"given", given_keys, nullptr, plan_given};

const Variant linear_variant{"linear", linear_keys, nullptr, plan_linear};

const Variant ntk_variant{"ntk", ntk_keys, check_dimension, plan_ntk};
const Variant dynamic_variant{"dynamic", ntk_keys, check_dimension, plan_dynamic};
const Variant qwen_ntk_variant{"qwen_ntk", {}, check_dimension, plan_qwen};

const Variant ntk_mixed_variant{"ntk_mixed", ntk_mixed_keys, nullptr, plan_ntk_mixed};

const Variant longrope_variant{"longrope", longrope_keys, check_original, plan_longrope};

const Variant proportional_variant{"proportional", proportional_keys, check_whole_head,
                                   plan_proportional};

const Variant he_xu_variant{"he_xu", {}, nullptr, plan_he_xu};

const Variant resonance_variant{"resonance", {}, check_wavelengths, plan_resonance};

}  // namespace rope
