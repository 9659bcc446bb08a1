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
};

void derive_theorem(Derivation& d) {
    bool exceeds = true;
    for (const Stretch& one : {Stretch{128, 1e4}, Stretch{64, 1e4}, Stretch{128, 5e5}}) {
        const BigReal off = d.number(deviation(base_rope(one.dim, one.base)));
        const BigReal bound = d.number(stated_bound(one.dim, one.base));
        exceeds = exceeds && off > bound;
    }
    d.number(100.0 * (deviation(base_rope()) / stated_bound(128, 1e4) - 1.0));
    d.conclude(exceeds);
}

void derive_correct_bound(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal squares = d.number(sum_of_squares(plan));
    const BigReal closed =
        (1.0 - pow(real(1e4), real(-2))) / (1.0 - pow(real(1e4), real(-4) / 128.0));
    const BigReal bound = d.number(squares / 8.0);
    const BigReal off = d.number(deviation(plan));
    d.conclude(!(off > bound) && absolute(squares - closed) < real(0x1p-290));
}

void derive_ratio(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const BigReal own = d.number(32.0 * natural_log(real(1e4)));
    d.number(2.0 * own);
    const BigReal corrected = sum_of_squares(plan) / 8.0;
    d.number(128.0 * abel_bound(plan, real(3643)) / corrected);
    const BigReal trivial = d.number(64.0 / stated_bound(128, 1e4));
    d.number(64.0 / corrected);
    d.conclude(trivial < real(150));
}

void derive_lower_bound(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    const std::vector<double> curve = abel_curve(plan, 65536);
    std::size_t first = 0, least = 0;
    for (std::size_t s = 0; s < curve.size(); ++s) {
        if (first == 0 && curve[s] < 2) first = s;
        if (curve[s] < curve[least]) least = s;
    }
    const double below = d.number(first);
    d.conclude(!(abel_bound(plan, real(below - 1)) < real(2)));
    const BigReal at_least = d.number(abel_bound(plan, real(static_cast<double>(least))) / 2.0);
    d.conclude(at_least < real(1));
}

// Peng et al., YaRN, §3: NTK-aware scaling, the ramp by parts, and the temperature.

BigReal ntk_base(double s) { return 1e4 * pow(real(s), real(128) / 126.0); }

void derive_endpoints(Derivation& d) {
    bool exact = true;
    const BigReal last = base_rope().pairs.back().inv_freq;
    for (const double s : {2, 4, 8, 16, 32}) {
        const BigReal base = d.number(ntk_base(s));
        const BigReal scaled = pow(base, real(-126) / 128.0);
        exact = exact && absolute(scaled * s / last - real(1)) < real(1e-12);
    }
    d.conclude(exact);
}

void derive_plain_base(Derivation& d) {
    const BigReal factor = d.number(pow(real(4), real(-126) / 128.0));
    const BigReal right = d.number(pow(ntk_base(4) / 1e4, real(-126) / 128.0));
    d.conclude(factor > right * 1.01);
}

void derive_dynamic(Derivation& d) {
    const BigReal s = d.number(2.0 * real(8192) / 2048.0 - 1.0);
    const BigReal base = d.number(1e4 * pow(s, real(128) / 126.0));
    Spec spec{.max_position_embeddings = 2048, .seq_len = 8192};
    spec.scaling = {.rope_type = "dynamic", .factor = 2};
    const BigReal own = plan_frequencies(spec, exact_precision).pairs.back().inv_freq;
    d.conclude(absolute(pow(base, real(-126) / 128.0) / own - real(1)) < real(1e-12));
}

BigReal temperature(double s) { return 0.1 * natural_log(real(s)) - -1.0; }

void derive_temperature(Derivation& d) {
    BigReal before = real(1);
    bool grows = true;
    for (const double s : {2, 4, 8, 16, 32}) {
        const BigReal t = d.number(temperature(s));
        grows = grows && t > before;
        before = t;
    }
    const BigReal logits = temperature(16) * temperature(16);
    d.number(logits);
    d.number(exponential(logits));
    d.conclude(grows);
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
    Spec spec{.max_position_embeddings = 65536};
    spec.scaling = {.rope_type = "yarn", .factor = 16, .original_max_position_embeddings = 4096};
    const FrequencyPlan code = plan_frequencies(spec, exact_precision), plain = base_rope();
    const auto pair_with = [](double turns) {
        return 64.0 * natural_log(real(4096) / (2.0 * turns * exact_pi())) / natural_log(real(1e4));
    };
    d.number(pair_with(32));
    d.number(pair_with(1));
    BigReal worst = real(0);
    for (std::size_t i = 0; i < 64; ++i) {
        const BigReal paper = paper_frequency(plain.pairs[i].inv_freq, 4096, 16);
        const BigReal off = absolute(code.pairs[i].inv_freq - paper) / paper;
        if (off > worst) worst = off;
    }
    d.number(paper_frequency(plain.pairs[30].inv_freq, 4096, 16));
    d.number(code.pairs[30].inv_freq);
    const BigReal apart = d.number(worst);
    d.conclude(apart > real(1));
}

// Ding et al., LongRoPE.

void derive_factor(Derivation& d) {
    const BigReal factor = d.number(root(natural_log(real(32)) / natural_log(real(4096)) - -1.0));
    Spec spec{.head_dim = 4, .rotary_dim = 4, .max_position_embeddings = 131072};
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 4096,
                    .short_factor = {1, 1},
                    .long_factor = {1, 1}};
    const double planned = plan_frequencies(spec, exact_precision).attention_factor;
    d.conclude(absolute(factor - real(planned)) < real(1e-14));
}

// Wang et al., Resonance RoPE: wavelengths are rounded to whole numbers of positions.

void derive_periods(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    constexpr std::uint64_t trained = 4096;
    std::uint64_t joint = 1, slow = 0, longest = 0;
    bool returns = true;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const auto whole =
            static_cast<std::uint64_t>(nearest_whole(wavelength(plan.pairs[i])).to_double());
        const TurnRate rate{.numerator = 1, .denominator = whole};
        returns = returns && phase_at(rate, 5 + whole) == phase_at(rate, 5);
        if (i < 16) joint = std::lcm(joint, whole);
        if (whole > trained) ++slow;
        longest = whole;
    }
    d.number(nearest_whole(wavelength(plan.pairs[0])));
    d.number(BigReal::whole(joint, exact_precision));
    d.conclude(returns);
    const double new_angles = d.number(slow);
    d.number(longest);
    const auto angle = [&](double m) {
        return 2.0 * exact_pi() * m / static_cast<double>(longest);
    };
    const BigReal trained_to = d.number(angle(trained - 1)), later = d.number(angle(5000));
    d.conclude(new_angles > 0 && later > trained_to);
}

void derive_change(Derivation& d) {
    const FrequencyPlan plan = base_rope();
    BigReal worst = real(0);
    double pair = 0;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const BigReal own = wavelength(plan.pairs[i]);
        const BigReal off = absolute(own / nearest_whole(own) - real(1));
        if (off > worst) worst = off, pair = static_cast<double>(i);
    }
    d.number(pair);
    d.number(wavelength(plan.pairs[2]));
    const BigReal change = d.number(100.0 * worst);
    d.conclude(change < real(5));
}

constexpr Computation computations[] = {
    {"pi-theorem", derive_theorem},
    {"pi-corrected", derive_correct_bound},
    {"pi-600", derive_ratio},
    {"pi-lower-bound", derive_lower_bound},
    {"ntk-endpoints", derive_endpoints},
    {"ntk-plain-base", derive_plain_base},
    {"ntk-dynamic", derive_dynamic},
    {"yarn-temperature", derive_temperature},
    {"yarn-two-ramps", derive_ramps},
    {"longrope-factor", derive_factor},
    {"resonance-periods", derive_periods},
    {"resonance-change", derive_change},
};

}  // namespace

std::span<const Computation> papers_on_extension() { return computations; }

}  // namespace rope::ledger
