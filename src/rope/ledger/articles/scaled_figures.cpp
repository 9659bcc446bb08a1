// Article 001, Figures 1 and 2: the angle between two tokens, modulo a turn.
#include "rope/claims/monotonicity.hpp"
#include "rope/exact/functions.hpp"
#include "rope/ledger/articles/articles.hpp"
#include "rope/ledger/quantity/scores.hpp"

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
    const auto first = first_violation(scaled, PairQuantity::angle, 4 * 8192);
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

constexpr Entry entries[] = {
    {"001-figure-1", "§4, Figure 1",
     "With θ̄₀ = 1 the angle is 6 at distance 6 and 0.7168 at distance 7.", Status::theorem,
     derive_figure_1, "rope-check plot-angles"},
    {"001-figure-2", "§4, Figure 2", "With θ̄₀ = π/(2·2048), (c3) is satisfied.",
     Status::false_as_stated, derive_figure_2, "rope-check plot-angles"},
};

}  // namespace

std::span<const Entry> scaled_figures() { return entries; }

}  // namespace rope::ledger
