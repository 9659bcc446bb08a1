// Article 001, §4: what scaling θ by π/(2n) costs the scores. d = 128, base 10000, n = 2048.
#include "base/decimal.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

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
    d.confirm("Neighbours are told apart 1.6 million times less well.", ratio > real(1e6));
}

void derive_softmax_cost(Derivation& d) {
    const FrequencyPlan base = base_rope(), scaled = scaled_rope();
    d.say(
        "With q = k of |q|² = d, a logit is √128·B̂(s); softmax weighs a token beside itself "
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

}  // namespace rope::ledger
