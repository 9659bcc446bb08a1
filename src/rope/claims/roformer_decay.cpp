// R6: RoFormer's bound A(s) = (2/d)Σ_j|S_j|, S_j = Σ_{i<j} e^{isθ_i}, decreases with distance
// (§3.4.3: |score| ≤ max|h_{i+1} − h_i|·Σ|S_j|; the bound is a theorem, the decay a trend).
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "rope/claims/claims.hpp"
#include "rope/claims/decay.hpp"
#include "rope/claims/monotonicity.hpp"

namespace rope {
namespace {

struct RoformerSearch {
    Rise rise;
    std::uint64_t octaves_falling_to = 0;
};

RoformerSearch search_roformer(const Comparison& comparison, std::uint64_t last) {
    const std::vector<TurnRate>& rates = comparison.rates;
    // |S_j| is j at every s
    if (std::ranges::count(rates, rates.front().fraction, &TurnRate::fraction) == std::ssize(rates))
        return {{.constant = "no pair turns against another"}};
    DecayBlocks blocks(comparison.rates);
    const double error = blocks.roformer_error();
    // d|S_j|²/ds = −Σ (θ_i − θ_k)·sin s(θ_i − θ_k) ≤ 0 while no pair is past half a turn
    const auto first = first_violation(comparison.rates, PairQuantity::cosine, last);
    const std::uint64_t surely_falling =
        first ? first->distance - std::min<std::uint64_t>(first->distance, 2) : last;
    RoformerSearch found;
    std::array<double, DecayBlocks::size> unused, curve;
    double before = 0, octave_sum = 0, octave_before = HUGE_VAL;
    std::uint64_t octave = 1;  // [octave, 2·octave)
    bool falling = true;
    for (std::uint64_t s = 0; s <= last; ++s) {
        if (s % curve.size() == 0) blocks.fill(s, unused.data(), curve.data());
        const double now = curve[s % curve.size()];
        if (!found.rise.first && s > surely_falling &&
            (std::abs(now - before) > 2 * error ? now > before
                                                : exact_roformer_step(comparison.plan, s) > 0)) {
            found.rise = {s, before, now};
        }
        before = now;
        if (s == 0) continue;
        octave_sum += now;
        if (s + 1 < 2 * octave) continue;
        const double mean = octave_sum / static_cast<double>(octave);
        falling = falling && (s <= surely_falling || octave_before - mean > 2 * error);
        if (falling) found.octaves_falling_to = 2 * octave;
        octave_before = mean;
        octave_sum = 0;
        octave *= 2;
        if (found.rise.first && !falling) break;
    }
    return found;
}

}  // namespace

void judge_roformer_decay(const Comparison& comparison, Finding& finding) {
    const std::uint64_t last = search_limit(comparison);
    const RoformerSearch found = search_roformer(comparison, last);
    report_rise(comparison, found.rise, "RoFormer's bound", "it falls in trend, not at every step",
                finding);
    finding.fields.push_back(searched_to(last));
    finding.fields.push_back({"octaves_falling_to", found.octaves_falling_to});
}

}  // namespace rope
