#include "rope/claims/monotonicity.hpp"

#include <algorithm>

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

// The first s in (0, last] that does not advance in this pair, 0 if none.
std::uint64_t first_in_pair(const TurnRate& rate, PairQuantity quantity, std::uint64_t last) {
    Phase before = 0;
    for (std::uint64_t s = 1; s <= last; ++s) {
        const Phase now = progress(phase_at(rate, s), quantity);
        if (now <= before) return s;
        before = now;
    }
    return 0;
}

}  // namespace

std::optional<FirstViolation> first_violation(const FrequencyPlan& plan, PairQuantity quantity,
                                              std::uint64_t last) {
    std::optional<FirstViolation> first;
    for (std::uint32_t i = 0; i < plan.pairs.size(); ++i) {
        // a later pair counts only when it is earlier in s
        const std::uint64_t limit = first ? first->distance - 1 : last;
        if (const std::uint64_t s = first_in_pair(turn_rate(plan.pairs[i]), quantity, limit))
            first = FirstViolation{s, i};
    }
    return first;
}

}  // namespace rope
