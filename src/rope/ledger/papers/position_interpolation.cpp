// Chen et al., Extending Context Window of Large Language Models via Position Interpolation.
#include <string>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/abel_bound.hpp"
#include "rope/ledger/quantity/scores.hpp"

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

}  // namespace rope::ledger
