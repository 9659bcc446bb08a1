// Barbero et al., Round and Round We Go! What makes Rotary Positional Encodings useful?
#include <algorithm>
#include <string>
#include <vector>

#include "base/decimal.hpp"
#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/ledger/quantity/vectors.hpp"

namespace rope::ledger {
namespace {

void derive_peak(Derivation& d) {
    d.say(
        "Let k = R^r q. Then the score at distance s is Σ|q_i|²cos((s − r)θ_i), at most |q|², "
        "which it has at s = r. Search the greatest for q of ones, d = 128, s = 0 … 2048.");
    const std::vector<double> mean = decay_curves(base_rope(), 2048).mean_cos;
    bool at_r = true;
    for (const auto& [r, recorded] : {std::pair{1U, "1"}, std::pair{5U, "5"},
                                      std::pair{100U, "100"}, std::pair{1500U, "1500"}}) {
        std::size_t best = 0;
        const auto score = [&](std::size_t s) { return mean[s > r ? s - r : r - s]; };
        for (std::size_t s = 0; s <= 2048; ++s)
            if (score(s) > score(best)) best = s;
        at_r = d.number("best distance, r = " + decimal(r), static_cast<double>(best), recorded) ==
                   r &&
               at_r;
    }
    d.confirm("RoPE can be made to attend at any distance r: it does not have to decay.", at_r);
}

void derive_gaussian(Derivation& d) {
    d.say(
        "A Gaussian k of mean 0 is as likely as −k, and the score changes its sign with k: on "
        "average it is 0 at any distance. Take q = (1, 2, 3, 4), k = ±(2, −1, 1, 3), s = 9.");
    const FrequencyPlan plan = base_rope(4);
    const auto score = [&](const Vector& k) {
        return dot(rotated(vector_of({1, 2, 3, 4}), plan, PairLayout::half_split, 9), k);
    };
    d.number("score of k", score(vector_of({2, -1, 1, 3})), "4.242069");
    const BigReal sum = d.number(
        "sum of both", score(vector_of({2, -1, 1, 3})) + score(vector_of({-2, 1, -1, -3})), "0");
    d.confirm("They cancel.", sum == real(0));
}

void derive_turning_point(Derivation& d) {
    d.say("B̂(u) = Σcos(uθ_i)/64 falls from 1 to where Σθ_i sin(uθ_i) is 0 first.");
    const FrequencyPlan plan = base_rope();
    const BigReal u = d.number("u*", first_minimum(plan), "5.6198237463056488324");
    const BigReal at = d.number("B̂(u*)", cosine_sum(plan, u) / 64.0, "0.735232082");
    const BigReal after = d.number("B̂(u* + 0.5)", cosine_sum(plan, u - -0.5) / 64.0, "0.735440");
    d.say("The distance of the rotations at s = 1, √(2(64 − B(1))):");
    d.number("D(1)", root(2.0 * (64.0 - cosine_sum(plan, real(1)))), "1.952596319894296711");
    d.refute("From u* on the score rises again; at whole distances it first does at 12.",
             after > at && u < real(6));
}

void derive_head_gap(Derivation& d) {
    d.say(
        "To prefer the token before over the token itself by a logit of 1, the fastest pair, "
        "θ_0 = 1, needs |q||k|(1 − cos 1) ≥ 1.");
    const BigReal fast = d.number("|q||k| in pair 0", 1.0 / (1.0 - cosine(real(1))), "2.1753");
    const BigReal last = base_rope().pairs.back().inv_freq;
    const BigReal slow = d.number("|q||k| in pair 63", 1.0 / (1.0 - cosine(last)), "1.49979e8");
    d.confirm("The fast pairs can make positional heads; the slow ones cannot.", slow > 1e6 * fast);
}

void derive_p_rope(Derivation& d) {
    d.say("p-RoPE turns the pairs i < p·d/2 and leaves the slow ones still. d = 256, p = 0.75.");
    double turning = 0;
    for (int i = 0; i < 128; ++i)
        if (i < 0.75 * 128) ++turning;
    const double kept = d.number("pairs that turn, of 128", turning, "96");
    d.number("pairs that carry no position", 128 - kept, "32");
    const BigReal slowest =
        d.number("wavelength of the slowest turning pair, base 10000",
                 2.0 * exact_pi() / base_rope(256).pairs[95].inv_freq, "5846.96", "positions");
    d.confirm("The still pairs match content at any distance; no wavelength beyond that is left.",
              kept == 96 && slowest < real(6000));
}

constexpr Entry round_and_round_entries[] = {
    {"barbero-peak", "Proposition 3.1", "For any q and r some k scores best at distance r.",
     Status::theorem, derive_peak},
    {"barbero-gaussian", "Proposition 3.2", "For Gaussian q and k the expected score is 0.",
     Status::theorem, derive_gaussian},
    {"barbero-decay", "common claim", "RoPE's score decays with distance.", Status::false_as_stated,
     derive_turning_point, "rope-check plot-decay"},
    {"barbero-positional-heads", "high frequencies",
     "High frequencies make positional attention heads.", Status::theorem, derive_head_gap},
    {"barbero-p-rope", "p-RoPE", "p-RoPE leaves the lowest frequencies unrotated.", Status::theorem,
     derive_p_rope},
};

}  // namespace

std::span<const Entry> round_and_round() { return round_and_round_entries; }

}  // namespace rope::ledger
