// Barbero et al., Theorem 6.1: whether two positions can look alike. The angles sθ never come
// back exactly, and come as near as one likes.
#include <string>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/papers/papers.hpp"
#include "rope/ledger/quantity/scores.hpp"

namespace rope::ledger {
namespace {

// √(2(P − B(s))): how far apart the rotations of a vector of ones are.
BigReal apart(const FrequencyPlan& plan, std::uint64_t s) {
    const auto pairs = static_cast<double>(plan.pairs.size());
    return root(2.0 * pairs * (1.0 - mean_score(plan, s)));
}

void derive_injective(Derivation& d) {
    d.say(
        "θ_i = 10000^{−2i/d} is algebraic and not 0, so by Lindemann sθ_i is no multiple of 2π "
        "for s ≠ 0: each pair alone tells all positions apart. The nearest return of pair 0, "
        "θ = 1, within 2048:");
    const FrequencyPlan pair = base_rope(2);
    const auto [least, greatest] = extremes(pair, 1, 2048);
    d.number("s, 113 turns", static_cast<double>(greatest), "710");
    d.number("cos at that s", mean_score(pair, greatest), "0.9999999982");
    const BigReal near = d.number("distance |e^{is} − 1|", apart(pair, greatest), "6.0289e-5");
    d.number("s nearest to half a turn", static_cast<double>(least), "355");
    d.number("cos at that s, less −1", mean_score(pair, least) - -1.0, "4.543e-10");
    d.confirm("It is near, and not 0.", near > real(0));
}

void derive_gap(Derivation& d) {
    d.say(
        "By Dirichlet all angles sθ_i come near whole turns together at some s, so no distance "
        "between two positions is guaranteed. Search d = 128, base 10000, all s to 1048576.");
    const FrequencyPlan plan = base_rope();
    const auto [least, greatest] = extremes(plan, 1, 1 << 20);
    const double nearest = d.number("s with the largest B̂(s)", static_cast<double>(greatest), "1");
    d.number("that B̂(s)", mean_score(plan, greatest), "0.9702138095");
    d.number("distance √(2(64 − B(s)))", apart(plan, greatest), "1.9525963199");
    d.number("s with the least B̂(s)", static_cast<double>(least), "1001879");
    d.number("that least B̂(s)", mean_score(plan, least), "-0.3734446653");
    d.confirm("Within 1048576 positions none is nearer to another than its neighbour.",
              nearest == 1);
}

void derive_base_500000(Derivation& d) {
    d.say("Search d = 128, base 500000, all s to 1048576.");
    const FrequencyPlan plan = base_rope(128, 5e5);
    const auto [least, greatest] = extremes(plan, 1, 1 << 20);
    const double nearest = d.number("s with the largest B̂(s)", static_cast<double>(greatest), "1");
    d.number("that B̂(s)", mean_score(plan, greatest), "0.9779092242");
    d.number("distance √(2(64 − B(s)))", apart(plan, greatest), "1.6815526475");
    d.number("s with the least B̂(s)", static_cast<double>(least), "812104");
    d.number("that least B̂(s)", mean_score(plan, least), "-0.3657033725");
    d.confirm("The nearest is the neighbour, a little nearer than with base 10000.", nearest == 1);
}

void derive_far_returns(Derivation& d) {
    d.say("The best returns far away, d = 128, base 10000.");
    const FrequencyPlan plan = base_rope();
    const std::uint64_t near = extremes(plan, 2048, 131071).greatest_at;
    const std::uint64_t far = extremes(plan, 131072, 1 << 20).greatest_at;
    d.number("s from 2048 to 131071 with the largest B̂", static_cast<double>(near), "102806");
    const BigReal first = d.number("B̂ there", mean_score(plan, near), "0.2797016");
    d.number("s from 131072 to 1048576 with the largest B̂", static_cast<double>(far), "978796");
    const BigReal second = d.number("B̂ there, further on", mean_score(plan, far), "0.3775468");
    d.refute("A token 978796 positions away scores more than one 1024 away, 0.204.",
             second > first && second > mean_score(plan, 1024));
}

void derive_scaled(Derivation& d) {
    d.say(
        "He & Xu's scaled θ, n = 2048, s = 1 … 2048: neighbours nearly coincide, and with θ̄_0 a "
        "rational part of a turn, pair 0 has the period 8192.");
    const FrequencyPlan plan = scaled_rope();
    const auto [least, greatest] = extremes(plan, 1, 2048);
    d.number("largest B̂(s), at s = 1", mean_score(plan, greatest), "0.9999999816");
    d.number("distance of neighbours", apart(plan, greatest), "1.5337e-3");
    d.number("least B̂(s), at s = 2048", mean_score(plan, least), "0.9314394668");
    const double period = static_cast<double>(plan.pairs.front().turn->denominator);
    const double found = d.number("period of pair 0", period, "8192");
    d.confirm("Lindemann's argument is lost: pair 0 repeats exactly.", found == 8192);
}

constexpr Entry aliasing_entries[] = {
    {"aliasing-injective", "Theorem 6.1", "A pair never has the same angle at two positions.",
     Status::theorem, derive_injective},
    {"aliasing-gap", "after Theorem 6.1",
     "Distant positions do not look like near ones, to 1048576.", Status::empirical, derive_gap},
    {"aliasing-base-500000", "after Theorem 6.1",
     "Distant positions do not look like near ones with base 500000.", Status::empirical,
     derive_base_500000},
    {"aliasing-far-returns", "common claim", "The further away a token is, the less it scores.",
     Status::false_as_stated, derive_far_returns},
    {"aliasing-scaled", "after Theorem 6.1",
     "Frequencies that are rational parts of a turn repeat exactly.", Status::theorem,
     derive_scaled},
};

}  // namespace

std::span<const Entry> aliasing() { return aliasing_entries; }

}  // namespace rope::ledger
