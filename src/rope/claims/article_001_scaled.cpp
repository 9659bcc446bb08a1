// Article 001, §4: the doubt, Figures 1 and 2 (the angle between two tokens, modulo a turn), and
// the proposal.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"

namespace rope::ledger {
namespace {

BigReal modulo_turn(const BigReal& angle) {
    const BigReal turn = exact_pi() * 2.0;
    return angle - whole_below(angle / turn) * turn;
}

void derive_figure_1(Derivation& d) {
    d.say(
        "The first pair turns by 1 radian per position, so at distance s the angle is s, less "
        "whole turns of 2π.");
    const BigReal six = d.number("angle at s = 6", modulo_turn(real(6)), "6", "rad");
    const BigReal seven =
        d.number("angle at s = 7, 7 − 2π", modulo_turn(real(7)), "0.71681469282041352307", "rad");
    d.confirm("7 is further away than 6, but its angle is smaller.", seven < six);
    d.say(
        "The figure hides that the two directions are apart by at most half a turn: the angle "
        "between them folds back earlier.");
    const BigReal four =
        d.number("angle between the directions at s = 4, 2π − 4",
                 exact_pi() * 2.0 - modulo_turn(real(4)), "2.283185307179586477", "rad");
    d.confirm("It is smaller than the 3 of s = 3 already.", four < modulo_turn(real(3)));
}

void derive_figure_2(Derivation& d) {
    const FrequencyPlan scaled = scaled_rope();
    d.say(
        "With θ̄₀ = π/4096 the angle of pair 0 grows to a quarter turn at 2048, and to a whole "
        "one at 8192, where it starts over.");
    d.number("angle at s = 2048, π/2", scaled.pairs.front().inv_freq * 2048.0,
             "1.570796326794896619", "rad");
    const auto first = first_violation(scaled, PairQuantity::angle, std::uint64_t{4} * 8192);
    const double at = d.number("first s at which an angle does not grow",
                               static_cast<double>(first->distance), "8192", "positions");
    d.confirm("Up to 8191 the angle grows in each of the 64 pairs, as the figure shows.",
              at == 8192);
    d.say(
        "Property (c3) asks for more: that |r̂ − r| falls. With q = k = 1 it is the distance of "
        "B̂ from 1.");
    const BigReal none = d.number("|r̂ − r| per pair at s = 0", 1.0 - mean_score(scaled, 0), "0");
    const BigReal one =
        d.number("|r̂ − r| per pair at s = 1", 1.0 - mean_score(scaled, 1), "1.837579411356698e-8");
    d.refute("It grows from s = 0 to s = 1, so (c3) as it is worded fails.", one > none);
}

void derive_difference(Derivation& d) {
    d.say(
        "The text has θ_ij = θ_i − θ_j in (4), so θ_ij = (i − j)θ̄. §4 writes (j − i)θ̄₁: the "
        "other sign, and an index that the even t never takes.");
    const BigReal right = d.number("(i − j)θ̄₀ for j − i = 6", real(-6), "-6", "rad");
    const BigReal written = d.number("(j − i)θ̄₁ for j − i = 6, t = 1",
                                     6.0 * pow(real(1e4), real(-1) / 128.0), "5.583432246", "rad");
    d.refute(
        "Figure 1's value at 6 is 6, in size that of (i − j)θ̄₀: neither sign nor index is as "
        "written.",
        absolute(right) == real(6) && absolute(written - 6.0) > real(0.1));
}

void derive_changed_equation(Derivation& d) {
    d.say(
        "§4 proposes to change equation (4) to θ̄_t = π/(2n₉)·10000^(−t/n₆). (4) is r̂_ij; what "
        "defines θ̄_t is (5). The change multiplies (5) by a constant.");
    const BigReal scale = d.number("π/(2·2048)", exact_pi() / 4096.0, "7.66990393942820614859e-4");
    d.number("θ̄₀ for n₉ = 3000", exact_pi() / 6000.0, "5.23598775598298873e-4");
    d.number("θ̄₀ for n₉ = 4096", exact_pi() / 8192.0, "3.83495196971410307e-4");
    d.refute("No θ̄_t stands in (4); in (5) the change takes θ̄₀ from 1 to π/(2n₉).",
             scale < real(1));
}

constexpr Entry scaled_figures_entries[] = {
    {"001-angle-difference", "§4", "The angle difference is θ_ij = (j − i)θ̄₁.",
     Status::false_as_stated, derive_difference},
    {"001-changed-equation", "§4", "The proposal changes equation (4).", Status::false_as_stated,
     derive_changed_equation},
    {"001-figure-1", "§4, Figure 1",
     "With θ̄₀ = 1 the angle is 6 at distance 6 and 0.7168 at distance 7.", Status::theorem,
     derive_figure_1, "rope-check plot-angles"},
    {"001-figure-2", "§4, Figure 2", "With θ̄₀ = π/(2·2048), (c3) is satisfied.",
     Status::false_as_stated, derive_figure_2, "rope-check plot-angles"},
};

}  // namespace

std::span<const Entry> scaled_figures() { return scaled_figures_entries; }

namespace {

// Article 001, §4: what scaling θ by π/(2n) costs the scores. d = 128, base 10000, n = 2048.

void derive_frequencies(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.say("Each angle is multiplied by π/4096.");
    d.number("θ₀, base", base.pairs.front().inv_freq, "1", "rad");
    d.number("θ₀, scaled", scaled.pairs.front().inv_freq, "7.66990393942820614859e-4", "rad");
    d.number("θ₆₃, base", base.pairs.back().inv_freq, "1.15478198468945818e-4", "rad");
    const BigReal last =
        d.number("θ₆₃, scaled", scaled.pairs.back().inv_freq, "8.85706689355039773e-8", "rad");
    const BigReal at_end = d.number("angle of pair 63 at s = 2048, scaled", last * 2048.0,
                                    "1.81392729979912146e-4", "rad");
    d.confirm(
        "The slowest pair turns by less than a thousandth of a radian over the whole context: "
        "it says nothing about position.",
        at_end < real(1e-3));
}

void derive_interpolation(Derivation& d) {
    d.say(
        "Scaling every angle by a constant is position interpolation: position s has the angles "
        "that s/f has with base θ, f = 2n/π.");
    const BigReal f = d.number("f for n = 2048", 4096.0 / exact_pi(), "1303.797293808806590618696");
    const BigReal end = d.number("base θ's position for s = 2048", 2048.0 / f, "1.570796326794897");
    const BigReal apart =
        absolute(cosine_sum(scaled_rope(), real(700)) - cosine_sum(base_rope(), real(700) / f));
    d.confirm("B(700) with scaled θ is B(700/f) with base θ.", apart < real(0x1p-290));
    d.confirm("The whole context lies within base θ's positions 0 to π/2.", end < real(1.571));
}

struct Score {
    std::uint64_t s;
    const char *base, *scaled;
};

void derive_scores(Derivation& d) {
    d.say("B̂(s), the score of two equal tokens per pair, at distance s.");
    constexpr Score rows[] = {{1, "0.970213809465119135", "0.999999981624205886"},
                              {2, "0.896591571137871294", "0.999999926496829723"},
                              {7, "0.731591104281689000", "0.999999099587299228"},
                              {512, "0.219424372560104330", "0.995218134720762750"},
                              {1024, "0.204441419254552918", "0.981288877745690388"},
                              {2047, "0.136313188015677887", "0.931498610455191936"},
                              {2048, "0.119283917690929348", "0.931439466781134873"},
                              {4096, "-0.052853342570036882", "0.805413591066183690"},
                              {8192, "0.024909272509725568", "0.735343308428702207"},
                              {16384, "-0.142275898923308679", "0.661902919985352937"}};
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    BigReal base_end = real(1), scaled_end = real(1);
    for (const Score& row : rows) {
        const std::string of = "B̂(" + decimal(row.s) + ")";
        const BigReal b = d.number(of + ", base θ", mean_score(base, row.s), row.base);
        const BigReal s = d.number(of + ", scaled θ", mean_score(scaled, row.s), row.scaled);
        if (row.s == 2048) base_end = b, scaled_end = s;
    }
    d.say("The decay over the whole context, 1 − B̂(2048):");
    d.number("base θ", 100.0 * (1.0 - base_end), "88.07", "%");
    const BigReal decay = d.number("scaled θ", 100.0 * (1.0 - scaled_end), "6.856", "%");
    d.confirm(
        "With scaled θ two equal tokens at the two ends score 93 % of what they score side by "
        "side.",
        decay < real(7));
}

void derive_neighbours(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.say("What tells a token from its neighbour is 1 − B̂(1).");
    const BigReal b =
        d.number("1 − B̂(1), base θ", 1.0 - mean_score(base, 1), "2.978619053488086e-2");
    const BigReal s =
        d.number("1 − B̂(1), scaled θ", 1.0 - mean_score(scaled, 1), "1.837579411356698e-8");
    const BigReal ratio = d.number("ratio, to the nearest whole", nearest_whole(b / s), "1620947");
    d.say(
        "The distance of the two rotations of a vector of ones, √(2(64 − B(1))), and the odd "
        "part, Σsin θ_i/64, which tells before from after:");
    const auto apart = [](const FrequencyPlan& plan) {
        return root(2.0 * (64.0 - cosine_sum(plan, real(1))));
    };
    d.number("distance, base θ", apart(base), "1.952596319894296711");
    d.number("distance, scaled θ", apart(scaled), "1.533656300002243985e-3");
    d.number("odd part, base θ", sine_sum(base, real(1)) / 64.0, "0.109383406162420589");
    d.number("odd part, scaled θ", sine_sum(scaled, real(1)) / 64.0, "8.940176476948375895e-5");
    d.confirm("Neighbours are distinguished 1.6 million times less well.", ratio > real(1e6));
}

void derive_softmax_cost(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.say(
        "With q = k of |q|² = d, a logit is √128·B̂(s); softmax weighs a token next to itself "
        "e^{√128(1 − B̂(s))} times as much as one at distance s.");
    const auto weight = [](const FrequencyPlan& plan, std::uint64_t s) {
        return exponential(root(real(128)) * (1.0 - mean_score(plan, s)));
    };
    d.number("s = 1, base θ", weight(base, 1), "1.40073");
    d.number("s = 1, scaled θ", weight(scaled, 1), "1.0000002079");
    d.number("s = 2048, base θ", weight(base, 2048), "21251.12");
    const BigReal far = d.number("s = 2048, scaled θ", weight(scaled, 2048), "2.172055");
    d.say(
        "A head that looks at the token itself and not at its neighbour needs a logit gap, say of "
        "1. In pair 0 that takes |q||k| = 1/(1 − cos θ₀).");
    const auto needed = [](const FrequencyPlan& plan) {
        return 1.0 / (1.0 - cosine(plan.pairs.front().inv_freq));
    };
    d.number("|q||k|, base θ", needed(base), "2.17534264967002141");
    const BigReal huge = d.number("|q||k|, scaled θ", needed(scaled), "3399774.93335300664");
    d.confirm(
        "With scaled θ positional heads are out of reach, and near and far weigh almost alike.",
        huge > real(1e6) && far < real(3));
}

constexpr Entry scaled_cost_entries[] = {
    {"001-cost-frequencies", "follows from §4", "Scaled θ leaves the slowest pair all but still.",
     Status::theorem, derive_frequencies},
    {"001-cost-interpolation", "follows from §4",
     "The scale π/(2n) is position interpolation by 2n/π.", Status::theorem, derive_interpolation},
    {"001-cost-scores", "follows from §4",
     "Scaled θ keeps 93 % of the score of equal tokens to the context's end.", Status::theorem,
     derive_scores, "rope-check plot-decay"},
    {"001-cost-neighbours", "follows from §4",
     "Scaled θ tells neighbours apart 1.6 million times less well than base θ.", Status::theorem,
     derive_neighbours},
    {"001-cost-softmax", "follows from §4", "Under scaled θ softmax hardly prefers what is near.",
     Status::theorem, derive_softmax_cost},
};

}  // namespace

std::span<const Entry> scaled_cost() { return scaled_cost_entries; }

namespace {

// Article 001, §4: how far the readings of (c3) hold for other lengths and widths.

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
     derive_already_monotone, "rope-check explain --dim 128 -o x.svg"},
};

}  // namespace

std::span<const Entry> scaled_range() { return scaled_range_entries; }

namespace {

// Article 001, §4: what scaled θ leaves in tables of 16 bits, beyond its context, and at another
// length.

void derive_first_change(Derivation& d) {
    d.say(
        "Near 1 a cosine must fall by half the spacing below 1 before its stored number changes: "
        "2⁻⁹ in bfloat16, 2⁻¹² in float16.");
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    const auto first = [](const FrequencyPlan& plan, Format format) {
        return static_cast<double>(first_cos_below_one(plan, format));
    };
    d.number("first position with a cos below 1, base θ, bfloat16", first(base, Format::bfloat16),
             "1");
    const double b = d.number("scaled θ, bfloat16", first(scaled, Format::bfloat16), "82");
    const double h = d.number("scaled θ, float16", first(scaled, Format::float16), "29");
    d.number("scaled θ, float32", first(scaled, Format::float32), "1");
    d.confirm("With scaled θ every cos of the first 82 rows is 1 in bfloat16.", b > 64 && h > 16);
}

void derive_distinct_rows(Derivation& d) {
    d.say("Positions whose rows of cos and sin are the same numbers cannot be distinguished.");
    const auto rows = [](std::uint64_t n, Format format) {
        return stored_rows(scaled_rope(128, 1e4, n), n, format);
    };
    const StoredRows own = rows(2048, Format::bfloat16), far = rows(32768, Format::bfloat16);
    const auto count = [&](const char* label, std::uint64_t found, const char* recorded) {
        return d.number(label, static_cast<double>(found), recorded, "rows");
    };
    const double all = count("distinct in bfloat16, n = 2048, of 2049", own.distinct, "2049");
    count("distinct rows of cos alone, n = 2048", own.distinct_cos, "1003");
    d.confirm("For n = 2048 all are distinct, by their sines.", all == 2049);
    d.say("For longer contexts:");
    count("distinct in bfloat16, n = 4096, of 4097", rows(4096, Format::bfloat16).distinct, "4090");
    count("distinct in bfloat16, n = 8192, of 8193", rows(8192, Format::bfloat16).distinct, "7850");
    const double some = count("distinct in bfloat16, n = 32768, of 32769", far.distinct, "20278");
    count("equal to their neighbour, n = 32768", far.equal_neighbours, "12491");
    count("distinct in float16, n = 32768, of 32769", rows(32768, Format::float16).distinct,
          "32593");
    d.refute("For longer contexts they are not.", some < 32769);
}

void derive_total_rotation(Derivation& d) {
    d.say(
        "A pair turns by nθ̄ over the whole context; what is below 0.01 rad drowns in the "
        "rounding of 16 bits.");
    const FrequencyPlan scaled = scaled_rope();
    const auto below = [&](double angle) {
        double count = 0;
        for (const PlannedFrequency& pair : scaled.pairs)
            if (pair.inv_freq * 2048.0 < real(angle)) ++count;
        return count;
    };
    d.number("pairs that turn by less than 0.1 rad", below(0.1), "44", "of 64");
    const double dead =
        d.number("pairs that turn by less than 0.01 rad", below(0.01), "28", "of 64");
    d.number("pairs that turn by less than 0.001 rad", below(0.001), "12", "of 64");
    d.confirm("28 of 64 pairs hardly turn at all.", dead > 0);
}

void derive_beyond(Derivation& d) {
    const FrequencyPlan pair = scaled_rope(2);
    const TurnRate rate = turn_rate(pair.pairs.front());
    d.say(
        "Beyond n the first pair's cosine is negative, and at 4n it has made a whole turn. In the "
        "exact phases, where θ̄₀ is 1/(4n) of a turn, position 8192 is position 0.");
    const BigReal after = d.number("cos of pair 0 at s = 2049",
                                   cosine(pair.pairs.front().inv_freq * 2049.0), "-7.6699e-4");
    const double phase =
        d.number("phase of pair 0 at s = 8192", turns(phase_at(rate, 8192)), "0", "turns");
    d.say(
        "Base θ never comes back exactly, 1 rad being no fraction of a turn. Nearest within 2048 "
        "is 710 = 113 turns and a little.");
    const BigReal near = d.number("|e^{710i} − 1|", 2.0 * absolute(sine(real(355))), "6.0289e-5");
    d.confirm(
        "With d = 2, positions 8192 apart are identical under scaled θ; under base θ all "
        "differ.",
        phase == 0 && after < real(0) && near > real(0));
}

void derive_two_lengths(Derivation& d) {
    d.say(
        "n stands in every angle: doubling it halves them all, so B̂ of 4096 at 2s is B̂ of 2048 "
        "at s.");
    const BigReal own =
        d.number("B̂(512), n = 2048", mean_score(scaled_rope(), 512), "0.995218134720762750");
    const BigReal other = d.number(
        "B̂(1024), n = 4096", mean_score(scaled_rope(128, 1e4, 4096), 1024), "0.995218134720762750");
    d.confirm("They are the same number.", absolute(own - other) < real(0x1p-290));
    d.say("Now the same distance under both.");
    const BigReal same =
        d.number("B̂(512), n = 4096", mean_score(scaled_rope(128, 1e4, 4096), 512), "0.998798");
    d.confirm(
        "At one distance the two differ: weights trained for one n meet other angles under "
        "another.",
        same > own);
}

constexpr Entry scaled_precision_entries[] = {
    {"001-cost-first-change", "follows from §4",
     "Under scaled θ all cosines of the first 82 rows are 1 in bfloat16.", Status::theorem,
     derive_first_change, "rope-check plot-decay"},
    {"001-cost-distinct-rows", "follows from §4",
     "Under scaled θ each position has its own row in 16 bits.", Status::on_a_range,
     derive_distinct_rows},
    {"001-cost-total-rotation", "follows from §4",
     "Scaled θ turns 28 of 64 pairs by less than 0.01 rad over the context.", Status::theorem,
     derive_total_rotation},
    {"001-cost-beyond", "follows from §4",
     "Under scaled θ the first pair repeats after 4n positions.", Status::theorem, derive_beyond},
    {"001-cost-two-lengths", "follows from §4",
     "Tables of scaled θ for two lengths n are incompatible.", Status::theorem, derive_two_lengths},
};

}  // namespace

std::span<const Entry> scaled_precision() { return scaled_precision_entries; }

}  // namespace rope::ledger
