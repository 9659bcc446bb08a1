// R5: B(s) = Σ_i cos(sθ_i), the score of q = k = 1, decreases.  Where it first rises, and where it
// first turns negative (Men et al., Base of RoPE Bounds Context Length, arXiv 2405.14591).
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

struct ScoreSearch {
    Rise rise;
    std::optional<std::uint64_t> first_negative;
};

ScoreSearch search_score(const Comparison& comparison, std::uint64_t last) {
    const std::vector<TurnRate>& rates = comparison.rates;
    if (std::ranges::count(rates, Phase{0}, &TurnRate::fraction) == std::ssize(rates))
        return {{.constant = "no pair turns"}, {}};
    DecayBlocks blocks(comparison.rates);
    const double error = blocks.mean_cos_error();
    // while every cosine falls, so does their sum
    const auto first = first_violation(comparison.rates, PairQuantity::cosine, last);
    const std::uint64_t surely_falling = first ? first->distance - 1 : last;
    ScoreSearch found;
    std::array<double, DecayBlocks::size> mean;
    double before = 0;
    for (std::uint64_t s = 0; s <= last; ++s) {
        if (s % mean.size() == 0) blocks.fill_mean_cos(s, mean.data());
        const double now = mean[s % mean.size()];
        if (!found.rise.first && s > surely_falling) {
            const bool rises = std::abs(now - before) > 2 * error
                                   ? now > before
                                   : exact_mean_cos_step(comparison.plan, s) > 0;
            if (rises) found.rise = {s, before, now};
        }
        if (!found.first_negative &&
            (std::abs(now) > error ? now < 0 : exact_mean_cos_sign(comparison.plan, s) < 0))
            found.first_negative = s;
        if (found.rise.first && found.first_negative) break;
        before = now;
    }
    return found;
}

}  // namespace

void judge_score_decay(const Comparison& comparison, Finding& finding) {
    const std::uint64_t last = search_limit(comparison);
    const ScoreSearch found = search_score(comparison, last);
    report_rise(comparison, found.rise, "the mean cosine B(s)/B(0)",
                "fast pairs turn back up before slow ones have fallen", finding);
    finding.fields.push_back(first_event("negative", found.first_negative));
    finding.fields.push_back(searched_to(last));
}

}  // namespace rope
