// Liu et al., Scaling Laws of RoPE-based Extrapolation.
#include <string>

#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::ledger {
namespace {

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
    d.confirm("Each is the lanes of the pairs that complete a turn, counted one by one.", counted);
}

void derive_clamp(Derivation& d) {
    d.say(
        "For a small base every pair turns within T, and the formula counts on. d = 128, b = 500, "
        "T = 4096.");
    const BigReal formula =
        d.number("2⌈(d/2)·log_b(T/2π)⌉", 2.0 * whole_above(full_turn_pairs(128, 500, 4096)), "134");
    const double lanes = d.number("lanes of pairs that complete a turn",
                                  2 * full_turns(base_rope(128, 500), 4096), "128");
    d.refute("A head of 128 lanes has no 134: the formula must be cut at d.",
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
     "d_extra = 2⌈(d/2)·log_b(T/2π)⌉ lanes turn fully.", Status::theorem, derive_critical_dimension,
     "rope-check explain --model llama-2-7b"},
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
     derive_dead_pairs, "rope-check plot-spectrum"},
};

}  // namespace

std::span<const Entry> extrapolation_laws() { return extrapolation_laws_entries; }

}  // namespace rope::ledger
