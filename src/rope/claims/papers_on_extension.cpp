// Chen et al., Extending Context Window of Large Language Models via Position Interpolation.
#include <numeric>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {
namespace {

// d/(8 ln b)·(s − s1)(s2 − s)·max|h| at the middle of a step, (s − s1)(s2 − s) = ¼
BigReal stated_bound(std::uint32_t dim, double base) {
    return real(dim) / (8.0 * natural_log(real(base))) / 4.0;
}

// Σθ_i² = (1 − b^−2)/(1 − b^{−4/d})
BigReal sum_of_squares(const FrequencyPlan& plan) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs) sum = sum + pair.inv_freq * pair.inv_freq;
    return sum;
}

// |a(½) − (a(0) + a(1))/2| for h_j = e^{−iθ_j/2}: Σ(1 − cos(θ_j/2))
BigReal deviation(const FrequencyPlan& plan) {
    const auto pairs = static_cast<double>(plan.pairs.size());
    return pairs - cosine_sum(plan, real(0.5));
}

struct Stretch {
    std::uint32_t dim;
    double base;
    const char *deviation, *bound;
};

void derive_theorem(Derivation& d) {
    d.say(
        "The proof uses b^x ≤ 1 + x·ln b, but b^x is the larger. Take h_j = e^{−iθ_j/2}, so "
        "max|h| = 1, between s1 = 0 and s2 = 1, at s = ½: there a(½) is Σ1, and the line through "
        "a(0) and a(1) has Σcos(θ_j/2).");
    bool exceeds = true;
    for (const Stretch& one :
         {Stretch{128, 1e4, "0.493875664885506", "0.434294481903252"},
          Stretch{64, 1e4, "0.28183", "0.21715"}, Stretch{128, 5e5, "0.36696", "0.30482"}}) {
        const std::string of = ", d = " + decimal(one.dim) + ", b = " + decimal(one.base);
        const BigReal off =
            d.number("deviation" + of, deviation(base_rope(one.dim, one.base)), one.deviation);
        const BigReal bound =
            d.number("stated bound" + of, stated_bound(one.dim, one.base), one.bound);
        exceeds = exceeds && off > bound;
    }
    d.number("excess for d = 128, b = 10000",
             100.0 * (deviation(base_rope()) / stated_bound(128, 1e4) - 1.0), "13.7", "%");
    d.refute("The deviation exceeds the bound each time.", exceeds);
}

void derive_correct_bound(Derivation& d) {
    d.say(
        "By Taylor |a − a_lin| ≤ ½(s − s1)(s2 − s)·max|a''| ≤ ½(s − s1)(s2 − s)·max|h|·Σθ_j², and "
        "the sum is geometric: (1 − b^−2)/(1 − b^{−4/d}).");
    const FrequencyPlan plan = base_rope();
    const BigReal squares =
        d.number("Σθ_j², d = 128, b = 10000", sum_of_squares(plan), "3.998308025299825");
    const BigReal closed =
        (1.0 - pow(real(1e4), real(-2))) / (1.0 - pow(real(1e4), real(-4) / 128.0));
    const BigReal bound = d.number("corrected bound at ½", squares / 8.0, "0.499788503162478");
    const BigReal off =
        d.number("deviation of the counterexample", deviation(plan), "0.493875664885506");
    d.confirm("The corrected bound holds, and is nearly met.",
              !(off > bound) && absolute(squares - closed) < real(0x1p-290));
}

void derive_ratio(Derivation& d) {
    d.say(
        "The paper compares two upper bounds: 2·max|h|·B(s) for extrapolation, with B(s) ≥ d, and "
        "d·max|h|/(32 ln b) for interpolation.");
    const FrequencyPlan plan = base_rope();
    const BigReal own = d.number("32 ln b", 32.0 * natural_log(real(1e4)), "294.7308919");
    d.number("2·32 ln b, the 600", 2.0 * own, "589.46");
    const BigReal corrected = sum_of_squares(plan) / 8.0;
    d.number("with the right constant and the least B on [0, 4096]",
             128.0 * abel_bound(plan, real(3643)) / corrected, "571.6");
    d.say("But any score is at most Σ|h| ≤ (d/2)·max|h|.");
    const BigReal trivial =
        d.number("that over the stated bound", 64.0 / stated_bound(128, 1e4), "147.4");
    d.number("that over the corrected bound", 64.0 / corrected, "128.1");
    d.refute(
        "Against what holds without any proof the ratio is 147, not 600; and it compares a "
        "score with a deviation.",
        trivial < real(150));
}

void derive_lower_bound(Derivation& d) {
    d.say("B(s) is Σ|S_j|, which is (d/2)·A(s); B(s)/d = A(s)/2.");
    const FrequencyPlan plan = base_rope();
    const std::vector<double> curve = abel_curve(plan, 65536);
    std::size_t first = 0, least = 0;
    for (std::size_t s = 0; s < curve.size(); ++s) {
        if (first == 0 && curve[s] < 2) first = s;
        if (curve[s] < curve[least]) least = s;
    }
    const double below = d.number("first s with B(s)/d < 1", static_cast<double>(first), "4861");
    d.confirm("To 4860 it holds.", !(abel_bound(plan, real(below - 1)) < real(2)));
    d.say("Look further.");
    const BigReal at_least =
        d.number("least B(s)/d to 65536", abel_bound(plan, real(static_cast<double>(least))) / 2.0,
                 "0.60312");
    d.refute("Beyond, it does not.", at_least < real(1));
}

constexpr Entry position_interpolation_entries[] = {
    {"pi-theorem", "Theorem 2.1", "|a − a_lin| ≤ d·max|h|·(s − s1)(s2 − s)/(8 ln b).",
     Status::false_as_stated, derive_theorem},
    {"pi-corrected", "Theorem 2.1", "|a − a_lin| ≤ ½Σθ_j²·max|h|·(s − s1)(s2 − s).",
     Status::theorem, derive_correct_bound},
    {"pi-600", "after Theorem 2.1", "Interpolation's bound is about 600 times smaller.",
     Status::false_as_stated, derive_ratio},
    {"pi-lower-bound", "after Theorem 2.1", "B(s)/d ≥ 1.", Status::on_a_range, derive_lower_bound},
};

}  // namespace

std::span<const Entry> position_interpolation() { return position_interpolation_entries; }

namespace {

// Peng et al., YaRN, §3: NTK-aware scaling, the ramp by parts, and the temperature.

struct Factor {
    double s;
    const char* value;
};

BigReal ntk_base(double s) { return 1e4 * pow(real(s), real(128) / 126.0); }

void derive_endpoints(Derivation& d) {
    d.say(
        "The base b' = b·s^{d/(d−2)} leaves θ_0 = 1, and gives the last pair "
        "b'^{−(d−2)/d} = b^{−(d−2)/d}/s. d = 128, b = 10000.");
    bool exact = true;
    const BigReal last = base_rope().pairs.back().inv_freq;
    for (const Factor& one : {Factor{2, "20221.2616897379"}, Factor{4, "40889.9424324862"},
                              Factor{8, "82684.6226405622"}, Factor{16, "167198.739213204"},
                              Factor{32, "338096.945982444"}}) {
        const BigReal base = d.number("b', s = " + decimal(one.s), ntk_base(one.s), one.value);
        const BigReal scaled = pow(base, real(-126) / 128.0);
        exact = exact && absolute(scaled * one.s / last - real(1)) < real(1e-12);
    }
    d.confirm("The last frequency is divided by exactly s, the first kept.", exact);
}

void derive_plain_base(Derivation& d) {
    d.say("Multiplying the base by s itself divides the last frequency by s^{(d−2)/d}. s = 4.");
    const BigReal factor =
        d.number("factor of the last frequency, b·s", pow(real(4), real(-126) / 128.0), "0.2555");
    const BigReal right = d.number("factor with b·s^{d/(d−2)}",
                                   pow(ntk_base(4) / 1e4, real(-126) / 128.0), "0.250000000000");
    d.refute("It falls short of a quarter.", factor > right * 1.01);
}

void derive_dynamic(Derivation& d) {
    d.say(
        "The dynamic form lets s grow with the sequence: s = f·n/L − (f − 1). f = 2, L = 2048, "
        "n = 8192.");
    const BigReal s = d.number("s", 2.0 * real(8192) / 2048.0 - 1.0, "7");
    const BigReal base = d.number("b'", 1e4 * pow(s, real(128) / 126.0), "72195.8600865094");
    Spec spec{.max_position_embeddings = 2048, .seq_len = 8192};
    spec.scaling = {.rope_type = "dynamic", .factor = 2};
    const BigReal own = plan_frequencies(spec, exact_precision).pairs.back().inv_freq;
    d.confirm("It is what the dynamic rope_type plans with.",
              absolute(pow(base, real(-126) / 128.0) / own - real(1)) < real(1e-12));
}

BigReal temperature(double s) { return 0.1 * natural_log(real(s)) - -1.0; }

void derive_temperature(Derivation& d) {
    d.say("cos and sin are multiplied by √(1/t) = 0.1·ln s + 1, the logits by its square.");
    BigReal before = real(1);
    bool grows = true;
    for (const Factor& one :
         {Factor{2, "1.0693147181"}, Factor{4, "1.1386294361"}, Factor{8, "1.2079441542"},
          Factor{16, "1.2772588722"}, Factor{32, "1.3465735903"}}) {
        const BigReal t = d.number("√(1/t), s = " + decimal(one.s), temperature(one.s), one.value);
        grows = grows && t > before;
        before = t;
    }
    const BigReal logits = temperature(16) * temperature(16);
    d.number("factor of the logits, s = 16", logits, "1.63139");
    d.say("A gap of 1 between two logits becomes one of 1.63: softmax prefers the larger by:");
    d.number("e^1.63139 in place of e, s = 16", exponential(logits), "5.11098");
    d.confirm("Logits grow with s, which the paper found by fitting perplexities.", grows);
}

// The paper's ramp: γ is linear in the turns r = L/λ from α = 1 to β = 32.
BigReal paper_frequency(const BigReal& theta, double length, double s) {
    const BigReal turns = length * theta / (2.0 * exact_pi());
    BigReal kept = (turns - 1.0) / 31.0;
    if (kept < real(0)) kept = real(0);
    if (kept > real(1)) kept = real(1);
    return (1.0 - kept) * theta / s + kept * theta;
}

void derive_ramps(Derivation& d) {
    d.say(
        "The paper blends θ/s and θ by a ramp that is linear in the turns L/λ, from 1 to 32. The "
        "code's is linear in the pair's index, between the pairs with 32 and 1 turns. d = 128, "
        "b = 10000, L = 4096, s = 16.");
    Spec spec{.max_position_embeddings = 65536};
    spec.scaling = {.rope_type = "yarn", .factor = 16, .original_max_position_embeddings = 4096};
    const FrequencyPlan code = plan_frequencies(spec, exact_precision), plain = base_rope();
    const auto pair_with = [](double turns) {
        return 64.0 * natural_log(real(4096) / (2.0 * turns * exact_pi())) / natural_log(real(1e4));
    };
    d.number("index with 32 turns, ⌊…⌋ in the code", pair_with(32), "20.94");
    d.number("index with 1 turn, ⌈…⌉ in the code", pair_with(1), "45.03");
    BigReal worst = real(0);
    for (std::size_t i = 0; i < 64; ++i) {
        const BigReal paper = paper_frequency(plain.pairs[i].inv_freq, 4096, 16);
        const BigReal off = absolute(code.pairs[i].inv_freq - paper) / paper;
        if (off > worst) worst = off;
    }
    d.number("θ'_30, paper", paper_frequency(plain.pairs[30].inv_freq, 4096, 16),
             "3.935988590684745e-3");
    d.number("θ'_30, code", code.pairs[30].inv_freq, "8.526843772967408e-3");
    const BigReal apart = d.number("largest relative difference of a pair", worst, "2.0414");
    d.refute("A pair's frequency differs by a factor of up to 3: the code uses a different ramp.",
             apart > real(1));
}

constexpr Entry ntk_entries[] = {
    {"ntk-endpoints", "NTK-aware", "b' = b·s^{d/(d−2)} keeps θ_0 and divides the last θ by s.",
     Status::theorem, derive_endpoints,
     "rope-check explain --rope rope_type=ntk,factor=4 -o x.svg"},
    {"ntk-plain-base", "NTK-aware", "Multiplying the base by s divides the last θ by s.",
     Status::false_as_stated, derive_plain_base},
    {"ntk-dynamic", "dynamic scaling", "Dynamic NTK takes the s of the current length.",
     Status::theorem, derive_dynamic},
};
constexpr Entry yarn_entries[] = {
    {"yarn-temperature", "temperature", "√(1/t) = 0.1·ln s + 1.", Status::empirical,
     derive_temperature},
    {"yarn-two-ramps", "NTK-by-parts", "The published code blends by the paper's ramp.",
     Status::false_as_stated, derive_ramps, "rope-check explain yarn-llama-2-70b-32k -o x.svg"},
};

}  // namespace

std::span<const Entry> ntk_aware() { return ntk_entries; }
std::span<const Entry> yarn_ramps() { return yarn_entries; }

namespace {

// Ding et al., LongRoPE.

void derive_factor(Derivation& d) {
    d.say("For s = 32 and L = 4096, √(1 + ln 32/ln 4096) = √(1 + 5/12).");
    const BigReal factor =
        d.number("√(1 + 5/12)", root(natural_log(real(32)) / natural_log(real(4096)) - -1.0),
                 "1.190238071423808");
    Spec spec{.head_dim = 4, .rotary_dim = 4, .max_position_embeddings = 131072};
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 4096,
                    .short_factor = {1, 1},
                    .long_factor = {1, 1}};
    const double planned = plan_frequencies(spec, exact_precision).attention_factor;
    d.confirm(
        "It is the attention_factor that the longrope rope_type plans with for Phi-3's "
        "lengths.",
        absolute(factor - real(planned)) < real(1e-14));
}

constexpr Entry longrope_factor_entries[] = {
    {"longrope-factor", "attention factor", "cos and sin are multiplied by √(1 + ln s/ln L).",
     Status::theorem, derive_factor, "rope-check explain --model phi-3.5-mini"},
};

}  // namespace

std::span<const Entry> longrope_factor() { return longrope_factor_entries; }

namespace {

// Wang et al., Resonance RoPE: wavelengths are rounded to whole numbers of positions.

BigReal wavelength(const PlannedFrequency& pair) { return 2.0 * exact_pi() / pair.inv_freq; }

void derive_periods(Derivation& d) {
    d.say(
        "With a wavelength of a whole number λ of positions, position m + λ has the very angle of "
        "m: beyond the training length a pair meets no new one. d = 128, base 10000.");
    const FrequencyPlan plan = base_rope();
    std::uint64_t joint = 1;
    bool returns = true;
    for (std::size_t i = 0; i < 16; ++i) {
        const auto whole =
            static_cast<std::uint64_t>(nearest_whole(wavelength(plan.pairs[i])).to_double());
        const TurnRate rate{.numerator = 1, .denominator = whole};
        returns = returns && phase_at(rate, 5 + whole) == phase_at(rate, 5);
        joint = std::lcm(joint, whole);
    }
    d.number("rounded wavelength of pair 0, from 2π", nearest_whole(wavelength(plan.pairs[0])), "6",
             "positions");
    d.number("joint period of the first 16 pairs", BigReal::whole(joint, exact_precision),
             "25250966100360", "positions");
    d.confirm("In exact phases each of them comes back to where it was.", returns);
}

void derive_change(Derivation& d) {
    d.say("Rounding λ changes the frequency by |λ/round(λ) − 1|, most where λ is short.");
    const FrequencyPlan plan = base_rope();
    BigReal worst = real(0);
    double pair = 0;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const BigReal own = wavelength(plan.pairs[i]);
        const BigReal off = absolute(own / nearest_whole(own) - real(1));
        if (off > worst) worst = off, pair = static_cast<double>(i);
    }
    d.number("pair that changes most", pair, "2");
    d.number("its wavelength, which becomes 8", wavelength(plan.pairs[2]), "8.3788", "positions");
    const BigReal change = d.number("change of its frequency", 100.0 * worst, "4.7345", "%");
    d.confirm("No frequency changes by 5 % or more.", change < real(5));
}

constexpr Entry resonance_periods_entries[] = {
    {"resonance-periods", "rounded wavelengths", "With whole wavelengths no pair meets new angles.",
     Status::theorem, derive_periods},
    {"resonance-change", "rounded wavelengths",
     "Rounding wavelengths changes the frequencies little.", Status::empirical, derive_change},
};

}  // namespace

std::span<const Entry> resonance_periods() { return resonance_periods_entries; }

}  // namespace rope::ledger
