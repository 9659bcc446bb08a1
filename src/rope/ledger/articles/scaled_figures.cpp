// Article 001, §4: the doubt, Figures 1 and 2 (the angle between two tokens, modulo a turn), and
// the proposal.
#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"
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

}  // namespace rope::ledger
