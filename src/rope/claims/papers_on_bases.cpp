// Men et al., Base of RoPE Bounds Context Length: the statements around its Table 2.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/base_bound/exclusion.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/spec/spectrum.hpp"

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
        "A dimension pair that does not rotate adds 1 to B at every distance. With as many such "
        "pairs "
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
     Status::empirical, derive_first_negative, "rope-check base-bound --dim 128 -o x.svg"},
    {"men-power-law", "power law", "The least base grows as 0.0424·L^1.628.", Status::empirical,
     derive_power_law},
    {"men-wide-heads", "follows, d → ∞", "For wide heads the least base is L/x0, Ci(x0) = 0.",
     Status::theorem, derive_limit},
    {"men-partial-rotary", "follows", "Every RoPE model's context is bounded by its base.",
     Status::false_as_stated, derive_passing},
};

}  // namespace

std::span<const Entry> base_bounds() { return base_bounds_entries; }

namespace {

// Men et al., Base of RoPE Bounds Context Length, Table 2: the least base of each context length,
// to keep B(s) = Σcos sθ_i ≥ 0. Read with d = 128, 1k = 1000 and bases of two digits, under which
// the rows agree best.

constexpr PairCounts pairs{64, 0};

struct Row {
    std::uint64_t length;
    double base;  // as published
    const char* first_negative;
    const char* least;              // B(s) within the length
    const char* of_two_digits;      // the least such base that holds
    const char* infimum = nullptr;  // of all bases that hold
    const char* binding = nullptr;  // its s
};
constexpr std::array<Row, 11> rows{{
    {1000, 4.3e3, "1077", "0.401493", "4300", "4206.01922326284", "884"},
    {2000, 1.6e4, "2724", "2.86273", "16000", "11587.2443031111", "1788"},
    {4000, 2.7e4, "4079", "0.58229", "27000", "26912.4782259947", "3572"},
    {8000, 8.4e4, "8592", "0.91852", "84000", "83613.4273793557", "6846"},
    {16000, 3.1e5, "12223", "-1.86063", "320000"},
    {32000, 6.4e5, "27685", "-1.93795", "630000"},
    {64000, 2.1e6, "77306", "1.54371", "2100000"},
    {128000, 7.8e6, "128915", "0.0252403", "7800000"},
    {256000, 3.6e7, "207455", "-0.878139", "33000000"},
    {512000, 6.4e7, "511210", "-0.223252", "65000000"},
    {1000000, 5.1e8, "874868", "-1.16020", "350000000"},
}};

void add_infimum(Derivation& d, const Row& row) {
    d.say(
        "Of all bases, with any digits, those that hold begin lower: each base below is excluded "
        "by some s.");
    const BaseBound bound =
        bound_base({.pairs = pairs, .context = row.length, .island_work = 0, .threads = 1});
    const double infimum = d.number("infimum of the bases", bound.infimum->base, row.infimum);
    d.number("s at which B is 0 there", static_cast<double>(bound.infimum->position.value()),
             row.binding);
    d.confirm(
        "It is below the published base, and that by rounding up or by a gap between bases "
        "that hold.",
        bound.proved && infimum < row.base);
}

template <std::size_t index>
void derive_row(Derivation& d) {
    constexpr Row row = rows[index];
    const auto length = static_cast<double>(row.length), binary = length / 1000 * 1024;
    d.say("Search every distance at base " + decimal(row.base) + " for B(s) < 0.");
    const BaseScan scan =
        scan_sum(CosineSum(pairs, ln(row.base)), row.length, row.length + row.length / 2);
    const double first =
        d.number("first s with B(s) < 0", static_cast<double>(scan.first_negative.value()),
                 row.first_negative);
    const double least = d.number("least B(s) to " + decimal(row.length), scan.least, row.least);
    d.say("Try every base of two digits, from 1 up.");
    const double round =
        d.number("least base of two digits that holds",
                 first_of_digits(pairs, row.length, 1, largest_base, 2).value(), row.of_two_digits);
    if (first <= length) {
        d.refute("The published base fails within " + decimal(row.length) + ", and " +
                     decimal(round) + " holds.",
                 least < 0 && round != row.base);
        return;
    }
    d.confirm("It is the published one.", least >= 0 && round == row.base);
    if (first <= binary)
        d.refute("If 1k is 1024, it fails within " + decimal(binary) + ".", first > length);
    if (row.infimum != nullptr) add_infimum(d, row);
}

constexpr Status holds = Status::theorem, partly = Status::on_a_range,
                 fails = Status::false_as_stated;
constexpr Entry men_table_entries[] = {
    {"men-table-1k", "Table 2", "Of bases of two digits, the least for 1k is 4.3e3.", holds,
     derive_row<0>},
    {"men-table-2k", "Table 2", "Of bases of two digits, the least for 2k is 1.6e4.", holds,
     derive_row<1>},
    {"men-table-4k", "Table 2", "Of bases of two digits, the least for 4k is 2.7e4.", partly,
     derive_row<2>},
    {"men-table-8k", "Table 2", "Of bases of two digits, the least for 8k is 8.4e4.", holds,
     derive_row<3>},
    {"men-table-16k", "Table 2", "Of bases of two digits, the least for 16k is 3.1e5.", fails,
     derive_row<4>},
    {"men-table-32k", "Table 2", "Of bases of two digits, the least for 32k is 6.4e5.", fails,
     derive_row<5>},
    {"men-table-64k", "Table 2", "Of bases of two digits, the least for 64k is 2.1e6.", holds,
     derive_row<6>},
    {"men-table-128k", "Table 2", "Of bases of two digits, the least for 128k is 7.8e6.", partly,
     derive_row<7>},
    {"men-table-256k", "Table 2", "Of bases of two digits, the least for 256k is 3.6e7.", fails,
     derive_row<8>},
    {"men-table-512k", "Table 2", "Of bases of two digits, the least for 512k is 6.4e7.", fails,
     derive_row<9>},
    {"men-table-1m", "Table 2", "Of bases of two digits, the least for 1M is 5.1e8.", fails,
     derive_row<10>},
};

}  // namespace

std::span<const Entry> men_table() { return men_table_entries; }

namespace {

// Liu et al., Scaling Laws of RoPE-based Extrapolation.

// (d/2)·log_b(T/2π)
BigReal full_turn_pairs(double dim, double base, double length) {
    return dim / 2 * natural_log(length / (2.0 * exact_pi())) / natural_log(real(base));
}

double full_turns(const FrequencyPlan& plan, double length) {
    double count = 0;
    for (const PlannedFrequency& pair : plan.pairs)
        if (!(length * pair.inv_freq < 2.0 * exact_pi())) ++count;
    return count;
}

struct Case {
    std::uint32_t dim;
    double base;
    std::uint64_t length;
    const char* dimension;
};

void derive_critical_dimension(Derivation& d) {
    d.say(
        "A pair completes a turn in training if Tθ ≥ 2π, that is for index ≤ (d/2)·log_b(T/2π). "
        "d_extra is twice the next whole number.");
    constexpr Case cases[] = {
        {128, 1e4, 2048, "82"},   {128, 1e4, 4096, "92"},   {128, 1e4, 8192, "100"},
        {128, 1e4, 16384, "110"}, {128, 1e4, 32768, "120"}, {128, 5e5, 8192, "70"},
        {128, 1e6, 32768, "80"},  {64, 1e4, 2048, "42"},    {128, 5e6, 131072, "84"}};
    d.number("(d/2)·log_b(T/2π), d = 128, b = 10000, T = 4096", full_turn_pairs(128, 1e4, 4096),
             "45.02688127");
    bool counted = true;
    for (const Case& one : cases) {
        const auto length = static_cast<double>(one.length);
        const double found =
            d.number("d_extra, d = " + decimal(one.dim) + ", b = " + decimal(one.base) +
                         ", T = " + decimal(one.length),
                     critical_dimension(one.dim, one.base, one.length), one.dimension);
        counted = counted && found == 2 * full_turns(base_rope(one.dim, one.base), length);
    }
    d.confirm("Each is the dimensions of the pairs that complete a turn, counted one by one.",
              counted);
}

void derive_clamp(Derivation& d) {
    d.say(
        "For a small base every pair turns within T, and the formula counts on. d = 128, b = 500, "
        "T = 4096.");
    const BigReal formula =
        d.number("2⌈(d/2)·log_b(T/2π)⌉", 2.0 * whole_above(full_turn_pairs(128, 500, 4096)), "134");
    const double lanes = d.number("dimensions of pairs that complete a turn",
                                  2 * full_turns(base_rope(128, 500), 4096), "128");
    d.refute("A head of 128 dimensions has no 134: the formula must be cut at d.",
             formula > real(lanes));
}

void derive_betas(Derivation& d) {
    d.say(
        "β₁, β₂, β₃ = 2T/π, T/π, T/2π are the bases at which the slowest pair turns by a quarter, "
        "a half, a whole turn within T, if its θ is 1/b.");
    d.number("β₁, T = 4096", real(8192) / exact_pi(), "2607.5945876");
    d.number("β₂, T = 4096", real(4096) / exact_pi(), "1303.7972938");
    const BigReal whole = d.number("β₃, T = 4096", real(2048) / exact_pi(), "651.8986469");
    d.number("β₁, T = 16384", real(32768) / exact_pi(), "10430.378");
    d.number("β₂, T = 16384", real(16384) / exact_pi(), "5215.189");
    d.number("β₃, T = 16384", real(8192) / exact_pi(), "2607.595");
    d.confirm("To the nearest whole they are the paper's 2608, 1304 and 652 for 4096.",
              nearest_whole(whole) == real(652));
    d.say("The slowest θ is b^{−(d−2)/d}, a little more. The exact bases are the powers d/(d−2):");
    const auto exact = [](double multiple) {
        return pow(multiple * real(4096) / exact_pi(), real(128) / 126.0);
    };
    d.number("exact β₁, T = 4096", exact(2), "2954.378");
    d.number("exact β₂, T = 4096", exact(1), "1461.026");
    const BigReal least = d.number("exact β₃, T = 4096", exact(0.5), "722.520");
    d.refute(
        "The thresholds are higher: at the paper's β₃ the slowest pair turns by more than a turn.",
        4096.0 * pow(real(652), real(-126) / 128.0) > 2.0 * exact_pi() && least > whole);
}

void derive_critical_base(Derivation& d) {
    d.say(
        "β₀ gives the critical pair of (b, T) a wavelength of the new length T': "
        "b^{ln(T'/2π)/ln(T/2π)}. b = 10000, T = 4096.");
    const auto critical = [](double longer) {
        return pow(real(1e4), natural_log(longer / (2.0 * exact_pi())) /
                                  natural_log(real(4096) / (2.0 * exact_pi())));
    };
    d.number("β₀, T' = 8192", critical(8192), "26784.0318");
    const BigReal base = d.number("β₀, T' = 16384", critical(16384), "71738.436200099877");
    d.number("β₀, T' = 32768", critical(32768), "192144.456");
    const BigReal apart = full_turn_pairs(128, 1e4, 4096) -
                          64.0 * natural_log(real(16384) / (2.0 * exact_pi())) / natural_log(base);
    d.confirm("At β₀ the index with one turn in 16384 is the one that had it in 4096.",
              absolute(apart) < real(1e-10));
}

void derive_extrapolation(Derivation& d) {
    d.say(
        "With a larger base β the critical pair, index 46 of 64, has the wavelength "
        "T_extra = 2πβ^{92/128}: up to there its angles were seen in training. b = 10000, "
        "T = 4096.");
    const auto reach = [](double base) {
        return 2.0 * exact_pi() * pow(real(base), real(92) / 128.0);
    };
    const BigReal own = d.number("T_extra, β = 10000", reach(1e4), "4711.72");
    d.number("T_extra, β = 40000", reach(4e4), "12761.76");
    d.number("T_extra, β = 160000", reach(1.6e5), "34565.36");
    const BigReal large = d.number("T_extra, β = 1000000", reach(1e6), "129026.78");
    d.confirm("It grows with the base; at β = b it is above T by the rounding up of d_extra.",
              own > real(4096) && large > own);
}

struct Turns {
    std::uint32_t dim;
    double base;
    const char* counts[6];
};

void derive_dead_pairs(Derivation& d) {
    d.say(
        "Pairs that complete a turn within L; the others are ordered by position alone, and meet "
        "new angles in any longer context.");
    constexpr double lengths[] = {2048, 4096, 8192, 32768, 131072, 1048576};
    constexpr Turns counted[] = {{128, 1e4, {"41", "46", "50", "60", "64", "64"}},
                                 {128, 5e5, {"29", "32", "35", "42", "49", "59"}},
                                 {128, 1e6, {"27", "31", "34", "40", "47", "56"}},
                                 {64, 1e4, {"21", "23", "25", "30", "32", "32"}},
                                 {64, 5e5, {"15", "16", "18", "21", "25", "30"}}};
    double dead = 0;
    for (const Turns& row : counted) {
        const FrequencyPlan plan = base_rope(row.dim, row.base);
        for (std::size_t k = 0; k < 6; ++k) {
            const double found =
                d.number("pairs that turn, d = " + decimal(row.dim) + ", b = " + decimal(row.base) +
                             ", L = " + decimal(lengths[k]),
                         full_turns(plan, lengths[k]), row.counts[k], "pairs");
            if (row.base == 5e5 && lengths[k] == 8192) dead = row.dim / 2.0 - found;
        }
    }
    d.confirm("With base 500000 many pairs never turn in 8192 positions.", dead > 0);
}

constexpr Entry extrapolation_laws_entries[] = {
    {"liu-critical-dimension", "critical dimension",
     "d_extra = 2⌈(d/2)·log_b(T/2π)⌉ dimensions turn fully.", Status::theorem,
     derive_critical_dimension, "rope-check explain --model llama-2-7b"},
    {"liu-clamp", "critical dimension", "The formula of d_extra serves any base.",
     Status::false_as_stated, derive_clamp},
    {"liu-betas", "smaller bases", "Below β = 2T/π, T/π, T/2π all pairs turn by π/2, π, 2π.",
     Status::on_a_range, derive_betas},
    {"liu-critical-base", "critical base", "β₀ = b^{ln(T'/2π)/ln(T/2π)}.", Status::theorem,
     derive_critical_base},
    {"liu-t-extra", "larger bases", "A larger base extrapolates to 2πβ^{d_extra/d}.",
     Status::empirical, derive_extrapolation},
    {"liu-full-turns", "critical dimension",
     "Long contexts leave pairs that never complete a turn in training.", Status::empirical,
     derive_dead_pairs, "rope-check explain --dim 128 -o x.svg"},
};

}  // namespace

std::span<const Entry> extrapolation_laws() { return extrapolation_laws_entries; }

namespace {

// Wang et al., When Precision Meets Position: BFloat16 Breaks Down RoPE in Long-Context Training.

const std::vector<std::uint64_t> lengths{64, 256, 1024, 4096, 8192};

// Numbers the drift of each length; returns them.
std::vector<double> drift(Derivation& d, Bfloat16Rotation rotation,
                          const std::vector<const char*>& recorded) {
    std::vector<double> means = logit_drift(rotation, lengths);
    for (std::size_t i = 0; i < means.size(); ++i)
        means[i] = d.number("T = " + decimal(lengths[i]), means[i], recorded[i]);
    return means;
}

void derive_broken(Derivation& d) {
    d.say(
        "Exactly, a query at m and the first token's key score alike wherever both are moved to. "
        "Rotate exactly and cast q and k to bfloat16, as in the paper, at shifts 0 and 16. The "
        "mean of |difference of the logits| over a sequence of T queries:");
    const std::vector<double> means =
        drift(d, Bfloat16Rotation::rounded_once,
              {"0.0066574", "0.0074485", "0.0079098", "0.0080635", "0.0079822"});
    d.confirm("It is not 0: the relative property is lost by about 2⁻⁹ of |q||k|/√d at any length.",
              means.front() > 0x1p-9);
}

void derive_growth(Derivation& d) {
    d.say(
        "Rotated exactly and cast once, each dimension is off by half a spacing, wherever the "
        "token "
        "is.");
    const std::vector<double> once = logit_drift(Bfloat16Rotation::rounded_once, lengths);
    const double ratio = d.number("drift at T = 8192 over that at 64, cast once",
                                  once.back() / once.front(), "1.1990");
    d.say("With cos, sin and arithmetic in bfloat16, as in transformers, the drift is:");
    const std::vector<double> table =
        drift(d, Bfloat16Rotation::arithmetic,
              {"0.0107716", "0.0116935", "0.0117567", "0.0121771", "0.0122970"});
    d.refute(
        "Over 128 times the length it grows by a fifth at most: more in trained models comes from "
        "their norms, not from arithmetic.",
        ratio < 1.25 && table.back() < 1.25 * table.front());
}

void derive_positions(Derivation& d) {
    d.say("The drift with cos, sin, arithmetic and position ids in bfloat16:");
    const std::vector<double> means =
        drift(d, Bfloat16Rotation::positions,
              {"0.0107716", "0.0348447", "0.0364294", "0.0909381", "1.1689759"});
    d.confirm("Then it grows a hundredfold: neighbours share a position.",
              means.back() > 100 * means.front());
}

void derive_distinct_positions(Derivation& d) {
    d.say("Whole numbers of 8 bits are exact to 256 only.");
    for (const auto& [last, recorded] : {std::pair{511U, "385"}, std::pair{2047U, "641"},
                                         std::pair{4095U, "769"}, std::pair{131071U, "1409"}})
        d.number("different positions of " + decimal(last + 1) + " in bfloat16",
                 static_cast<double>(distinct_positions(Format::bfloat16, last)), recorded);
    double lost = 0;
    while (round_to(Format::bfloat16, lost) == lost) ++lost;
    const double first = d.number("first whole number that bfloat16 lacks", lost, "257");
    const AngleRounding rounding{Format::float32, Format::bfloat16, Format::float32};
    d.number("worst angle error to 4096", worst_angle_error(128, 1e4, rounding, 0, 4096), "8.0",
             "rad");
    d.refute("From 257 on positions collide.", first == 257);
}

constexpr Entry bfloat16_relativity_entries[] = {
    {"bf16-relativity", "relative encoding", "bfloat16 breaks the relative property of RoPE.",
     Status::empirical, derive_broken},
    {"bf16-growth", "long contexts",
     "The arithmetic of bfloat16 makes the deviation grow with length.", Status::false_as_stated,
     derive_growth},
    {"bf16-position-growth", "follows",
     "With positions in bfloat16 the deviation grows with length.", Status::empirical,
     derive_positions},
    {"bf16-positions", "follows", "Position ids may be kept in bfloat16.", Status::false_as_stated,
     derive_distinct_positions, "rope-check verify --pipeline bf16-positions"},
};

}  // namespace

std::span<const Entry> bfloat16_relativity() { return bfloat16_relativity_entries; }

}  // namespace rope::ledger
