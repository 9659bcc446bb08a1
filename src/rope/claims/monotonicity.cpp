#include "rope/claims/monotonicity.hpp"

#include <algorithm>
#include <limits>

#include "rope/exact/phase.hpp"

namespace rope {
namespace {

// A quantity that grows exactly when the pair's quantity advances; comparisons of integers only.
//   angle     the phase
//   cosine    the distance to the nearest whole turn: cos falls as it grows
//   modulus   the distance to the nearest half turn: |cos| falls as it grows
Phase progress(Phase phase, PairQuantity quantity) {
    if (quantity == PairQuantity::angle) return phase;
    if (quantity == PairQuantity::modulus) {
        const Phase folded = phase & (half_turn - 1);
        return std::min(folded, half_turn - folded);
    }
    return std::min(phase, Phase{0} - phase);
}

// Every step up to here advances: P ≤ step < P + 1 and s·(P + 1) is within the first quarter, half
// or whole turn, where the quantity grows with the phase.
std::uint64_t surely_advancing(const TurnRate& rate, PairQuantity quantity) {
    Phase step = phase_at(rate, 1), reach = ~Phase{0};
    if (quantity != PairQuantity::angle) {
        step = std::min(step, Phase{0} - step);
        reach = quantity == PairQuantity::cosine ? half_turn : half_turn / 2;
    }
    if (step == 0 || step == ~Phase{0}) return 0;
    constexpr Phase most = std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::min(reach / (step + 1), most));
}

// The first s in (0, last] that does not advance in this pair, 0 if none.
std::uint64_t first_in_pair(const TurnRate& rate, PairQuantity quantity, std::uint64_t last) {
    const std::uint64_t begin = std::min(surely_advancing(rate, quantity), last);
    Phase before = progress(phase_at(rate, begin), quantity);
    for (std::uint64_t s = begin + 1; s <= last; ++s) {
        const Phase now = progress(phase_at(rate, s), quantity);
        // rounded to 2^-128 turn each: where they are equal, too, they may differ by one
        if (now <= before || now - before == 1) return s;
        before = now;
    }
    return 0;
}

}  // namespace

std::optional<FirstViolation> first_violation(const FrequencyPlan& plan, PairQuantity quantity,
                                              std::uint64_t last) {
    return first_violation(turn_rates(plan.pairs), quantity, last);
}

std::optional<FirstViolation> first_violation(std::span<const TurnRate> rates,
                                              PairQuantity quantity, std::uint64_t last) {
    std::optional<FirstViolation> first;
    for (std::uint32_t i = 0; i < rates.size(); ++i) {
        // a later pair counts only when it is earlier in s
        const std::uint64_t limit = first ? first->distance - 1 : last;
        if (const std::uint64_t s = first_in_pair(rates[i], quantity, limit))
            first = FirstViolation{s, i};
    }
    return first;
}

}  // namespace rope
