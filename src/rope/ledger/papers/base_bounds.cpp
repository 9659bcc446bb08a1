// Men et al., Base of RoPE Bounds Context Length: the statements around its Table 2.
#include <array>
#include <cmath>

#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

void derive_expectation(Derivation& d) {
    d.say(
        "Let q have independent entries of mean 0 and variance σ², k* = q + ε a similar key, with "
        "E[ε|q] = 0, and k one that is independent of q. Then E[qᵀR_m k*] − E[qᵀR_m k] = "
        "E[qᵀR_m q] = σ²·trace R_m, and each pair adds 2cos mθ_i to the trace.");
    const FrequencyPlan plan = base_rope();
    const BigReal trace = d.number("trace of R_m, m = 1000, d = 128",
                                   2.0 * cosine_sum(plan, real(1000)), "20.355456264");
    const BigReal sum = d.number("2B(1000)", 128.0 * mean_score(plan, 1000), "20.355456264");
    d.confirm("The difference is 2σ²B_m.", absolute(trace - sum) < real(0x1p-290));
}

void derive_decrease(Derivation& d) {
    d.say("B_m for base 10000, d = 128.");
    const FrequencyPlan plan = base_rope();
    const auto rise = static_cast<double>(first_rise(plan, 64).value());
    const double first = d.number("first m with B_m > B_{m−1}", rise, "12");
    const BigReal before = d.number("B₁₁", 64.0 * mean_score(plan, 11), "42.344323");
    const BigReal after = d.number("B₁₂", 64.0 * mean_score(plan, 12), "42.381386");
    d.refute("It rises from m = 11 to 12, and oscillates from there on.",
             after > before && first == 12);
}

void derive_first_negative(Derivation& d) {
    d.say("L_θ is the last length to which B ≥ 0.");
    const auto last = [](double base, std::uint64_t farthest) {
        const BaseScan scan = scan_sum(CosineSum({64, 0}, ln(base)), farthest, farthest);
        return static_cast<double>(scan.first_negative.value() - 1);
    };
    const double small = d.number("L_θ, d = 128, base 10000", last(1e4, 4096), "1706");
    const double large = d.number("L_θ, d = 128, base 500000", last(5e5, 32768), "18437");
    d.confirm("The larger base reaches further, here.", large > small);
}

void derive_power_law(Derivation& d) {
    d.say(
        "The fit base = a·L^p to the 11 rows of Table 2, by least squares of logarithms, is near "
        "the published 0.0424·L^1.628.");
    constexpr std::array<double, 11> bases{4.3e3, 1.6e4, 2.7e4, 8.4e4, 3.1e5, 6.4e5,
                                           2.1e6, 7.8e6, 3.6e7, 6.4e7, 5.1e8};
    BigReal x = real(0), y = real(0), xx = real(0), xy = real(0);
    double length = 1000;
    for (const double base : bases) {
        const BigReal u = natural_log(real(std::min(length, 1e6))), v = natural_log(real(base));
        x = x + u, y = y + v, xx = xx + u * u, xy = xy + u * v;
        length *= 2;
    }
    const BigReal power = (11.0 * xy - x * y) / (11.0 * xx - x * x);
    const BigReal factor = exponential((y - power * x) / 11.0);
    const BigReal p = d.number("p", power, "1.6306");
    d.number("a", factor, "0.0432");
    d.confirm("The table's rows follow a power of the length.",
              absolute(p - real(1.628)) < real(0.01));
}

// Ci(x) = γ + ln x + Σ_k (−1)^k x^{2k}/(2k·(2k)!)
BigReal cosine_integral(const BigReal& x) {
    BigReal gamma = real(0);
    mpfr_const_euler(gamma.raw(), MPFR_RNDN);
    BigReal sum = gamma + natural_log(x), term = real(1);
    for (int k = 1; k < 60; ++k) {
        term = -1.0 * term * x * x / ((2.0 * k - 1) * (2.0 * k));
        sum = sum + term / (2.0 * k);
    }
    return sum;
}

void derive_limit(Derivation& d) {
    d.say(
        "For many pairs the mean of cos(s·b^{−x}) over x in [0, 1] is (Ci(s) − Ci(s/b))/ln b. For "
        "large s it is negative where Ci(s/b) > 0, that is from s/b = x0 on, where Ci is 0 first.");
    BigReal low = real(0.5), high = real(0.75);
    for (int k = 0; k < 200; ++k) {
        const BigReal middle = (low + high) / 2.0;
        (cosine_integral(middle) < real(0) ? low : high) = middle;
    }
    const BigReal zero = d.number("x0", low, "0.6165054856207162337971");
    const BigReal slope = d.number("1/x0, bases per position", 1.0 / zero, "1.622045583249222794");
    d.confirm("Wide heads need b ≥ 1.62·L: in proportion, not by a power of L.",
              slope > real(1.6) && slope < real(1.65));
}

void derive_passing(Derivation& d) {
    d.say(
        "A lane pair that does not rotate adds 1 to B at every distance. With as many such pairs "
        "as turning ones, B ≥ 0 for ever. Take 32 of 64 pairs with base 10000.");
    const BaseScan scan = scan_sum(CosineSum(base_rope(64), 32), 1 << 20, 1 << 20);
    const double least = d.number("least B(s) of 64 pairs to 1048576", scan.least, "15.7357");
    const double turning = static_cast<double>(
        scan_sum(CosineSum(base_rope(64), 0), 8192, 8192).first_negative.value_or(0));
    d.number("first negative s of the turning pairs alone", turning, "725");
    d.refute("For GLM-4 and other half-rotating models the bound asks for nothing.",
             least >= 0 && turning > 0);
}

constexpr Entry base_bounds_entries[] = {
    {"men-expectation", "Theorem 1", "Similar keys outscore random ones by 2σ²B_m on average.",
     Status::theorem, derive_expectation},
    {"men-decrease", "decay of B", "B_m decreases with m.", Status::false_as_stated,
     derive_decrease, "rope-check plot-decay"},
    {"men-last-length", "length of a base", "The base bounds the length to which B_m ≥ 0.",
     Status::empirical, derive_first_negative, "rope-check plot-base-bound"},
    {"men-power-law", "power law", "The least base grows as 0.0424·L^1.628.", Status::empirical,
     derive_power_law},
    {"men-wide-heads", "follows, d → ∞", "For wide heads the least base is L/x0, Ci(x0) = 0.",
     Status::theorem, derive_limit},
    {"men-partial-rotary", "follows", "Every RoPE model's context is bounded by its base.",
     Status::false_as_stated, derive_passing},
};

}  // namespace

std::span<const Entry> base_bounds() { return base_bounds_entries; }

}  // namespace rope::ledger
