// Article 001, §4: how far the readings of (c3) hold for other lengths and widths.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/random_scores.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

double first_failure(const FrequencyPlan& plan, PairQuantity quantity, std::uint64_t last) {
    return static_cast<double>(first_violation(plan, quantity, last).value().distance);
}

void derive_lengths(Derivation& d) {
    d.say(
        "Pair 0 turns by π/(2n) per position: a quarter turn at n, a half at 2n, a whole at 4n. "
        "So R3, R2 and R1 end at n + 1, 2n + 1 and 4n.");
    struct Row {
        std::uint64_t n;
        const char *r1, *r2, *r3;
    };
    bool beyond = true, as_said = true;
    for (const Row& row : {Row{2048, "8192", "4097", "2049"}, Row{3000, "12000", "6001", "3001"},
                           Row{4096, "16384", "8193", "4097"}}) {
        const FrequencyPlan plan = scaled_rope(128, 1e4, row.n);
        const std::string of_n = ", n = " + decimal(row.n);
        const auto ends = [&](const char* reading, PairQuantity quantity, const char* recorded) {
            return d.number("s* of " + (reading + of_n),
                            first_failure(plan, quantity, 4 * row.n + 1), recorded);
        };
        const auto n = static_cast<double>(row.n);
        const double r1 = ends("R1", PairQuantity::angle, row.r1);
        const double r2 = ends("R2", PairQuantity::cosine, row.r2);
        const double r3 = ends("R3", PairQuantity::modulus, row.r3);
        beyond = beyond && r1 > n && r2 > n && r3 > n;
        as_said = as_said && r1 == 4 * n && r2 == 2 * n + 1 && r3 == n + 1;
    }
    d.confirm("Each holds over the context n.", beyond);
    d.refute("Each ends where pair 0 has turned so far, and holds no further.", as_said);
}

struct Dimension {
    std::uint32_t dim;
    double base;
    const char *minimum, *base_rise, *in_contexts;
};

void derive_dimensions(Derivation& d) {
    d.say(
        "R5's s* depends on the width d and the base b: u* is where Σcos uθ_i first stops "
        "falling. Scaled θ stops at u*·2/π contexts.");
    constexpr Dimension rows[] = {{2, 1e4, "3.141592653589793238", "4", "2.0000"},
                                  {4, 1e4, "3.1419067925841383", "4", "2.0002"},
                                  {16, 1e4, "3.4663614220827885", "4", "2.2068"},
                                  {32, 1e4, "4.2179777635850724", "5", "2.6852"},
                                  {64, 1e4, "5.0535060519063988", "6", "3.2172"},
                                  {64, 5e5, "4.6500167334595459", "6", "2.9603"},
                                  {96, 1e4, "5.4202898675739562", "12", "3.4507"},
                                  {128, 5e5, "5.3674427014701449", "12", "3.4170"}};
    BigReal before = real(0);
    bool grows = true, ends = true;
    for (const Dimension& row : rows) {
        const std::string of = ", d = " + decimal(row.dim) + ", b = " + decimal(row.base);
        const FrequencyPlan plan = base_rope(row.dim, row.base);
        const BigReal u = d.number("u*" + of, first_minimum(plan), row.minimum, "positions");
        d.number("s* of base θ" + of, static_cast<double>(first_rise(plan, 64).value()),
                 row.base_rise, "positions");
        const BigReal contexts =
            d.number("contexts until scaled θ rises" + of, u * 2.0 / exact_pi(), row.in_contexts);
        ends = ends && contexts > real(1.9999) && contexts < real(4);
        if (row.base == 1e4) grows = grows && u > before, before = u;
    }
    d.confirm("Wider heads keep falling for longer.", grows);
    d.refute("Scaled θ rises after two to four contexts, whatever the width and the base.", ends);
}

void derive_exact_rises(Derivation& d) {
    d.say(
        "The whole distances at which B rises first with scaled θ, found by search and decided "
        "in exact arithmetic.");
    const auto rise = [](const FrequencyPlan& plan) {
        return static_cast<double>(first_rise(plan, 40000).value());
    };
    const double n = d.number("s*, d = 128, n = 4096", rise(scaled_rope(128, 1e4, 4096)), "14655");
    const double narrow =
        d.number("s*, d = 64, n = 2048", rise(scaled_rope(64, 1e4, 2048)), "6590");
    const double large =
        d.number("s*, d = 128, b = 500000, n = 8192", rise(scaled_rope(128, 5e5, 8192)), "27993");
    d.confirm("Each is beyond its context.", n > 4096 && narrow > 2048 && large > 8192);
    d.refute("Each is within four contexts.",
             n < 4 * 4096 && narrow < 4 * 2048 && large < 4 * 8192);
}

void derive_already_monotone(Derivation& d) {
    d.say(
        "Many pairs of base θ never fold within the context: a pair's cosine falls all the way if "
        "nθ ≤ π, and its |cosine| if nθ ≤ π/2.");
    const FrequencyPlan plan = base_rope();
    const auto within = [&](double n, double half_turns) {
        double count = 0;
        for (const PlannedFrequency& pair : plan.pairs)
            if (!(n * pair.inv_freq > half_turns * exact_pi())) ++count;
        return count;
    };
    const double folded = d.number("pairs with nθ ≤ π, n = 2048", within(2048, 1), "18", "of 64");
    d.number("pairs with nθ ≤ π, n = 4096", within(4096, 1), "14", "of 64");
    d.number("pairs with nθ ≤ π/2, n = 2048", within(2048, 0.5), "14", "of 64");
    d.number("pairs with nθ ≤ π/2, n = 4096", within(4096, 0.5), "9", "of 64");
    d.number("pairs that complete a turn, n = 2048", 64 - within(2048, 2), "41", "of 64");
    d.number("pairs that complete a turn, n = 4096", 64 - within(4096, 2), "46", "of 64");
    d.confirm("18 of 64 pairs have what the article wants without any change.", folded > 0);
}

void derive_random(Derivation& d) {
    d.say(
        "Draw 20000 pairs of q and k with normal entries, and look at the distances 0, 8, … 2048. "
        "An outside draw found 31.8, 27.1 and 64.0 %, to 0.7.");
    const Shares scaled = monotone_shares(scaled_rope(), 20000, 2048, 8);
    const Shares base = monotone_shares(base_rope(), 20000, 2048, 8);
    const double falling = d.number("r̂ falls, scaled θ", 100 * scaled.falling, "31.5", "%");
    const double modulus =
        d.number("|r̂| falls, scaled θ", 100 * scaled.modulus_falling, "26.7", "%");
    const double apart =
        d.number("|r̂ − r| grows, scaled θ", 100 * scaled.growing_apart, "63.7", "%");
    const double none =
        d.number("any of them, base θ",
                 100 * (base.falling + base.modulus_falling + base.growing_apart), "0", "%");
    d.confirm("Scaled θ makes a third of them fall, and base θ none.",
              std::abs(falling - 31.8) <= 0.7 && std::abs(modulus - 27.1) <= 0.7 &&
                  std::abs(apart - 64.0) <= 0.7 && none == 0);
}

constexpr Entry scaled_range_entries[] = {
    {"001-c3-lengths", "§4", "Scaled θ satisfies R1, R2 and R3 for any maximal length n.",
     Status::on_a_range, derive_lengths},
    {"001-c3-R5-dimensions", "§4", "Scaled θ satisfies R5 for any width and base.",
     Status::on_a_range, derive_dimensions},
    {"001-c3-R5-rises", "§4", "Scaled θ satisfies R5 for n = 4096 and 8192, too.",
     Status::on_a_range, derive_exact_rises},
    {"001-c3-random", "§4", "With scaled θ the score of random q and k falls.", Status::empirical,
     derive_random},
    {"001-c3-pairs", "follows from §4",
     "With base θ, 18 of 64 pairs fall all the way to 2048 as they are.", Status::theorem,
     derive_already_monotone, "rope-check plot-spectrum"},
};

}  // namespace

std::span<const Entry> scaled_range() { return scaled_range_entries; }

}  // namespace rope::ledger
