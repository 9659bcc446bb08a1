// Frequencies of which only the first turn anything.
#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/diagnose/candidate/further_changes.hpp"

namespace rope {
namespace {

bool stands_still(const Samples& samples, std::uint32_t pair) {
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const std::size_t k = row * samples.pairs + pair;
        if (!Samples::is_left_out(samples.modulus[k]) &&
            !(std::abs(samples.angle[k]) <= samples.storage))
            return false;
    }
    return true;
}

std::uint32_t first_of_still(const Samples& samples) {
    std::uint32_t first = samples.pairs;
    while (first > 0 && stands_still(samples, first - 1)) --first;
    return first;
}

// Angles so small that 16 bits hide them say nothing: there the turns' rates do.
bool is_told(const Samples& samples, const OddPairs& odd) {
    if (samples.storage < half_spacing(Format::float16, 1)) return true;
    return !odd.pairs.empty() && odd.are_still;
}

NamedMistake tail_mistake(std::size_t turning, std::size_t pairs) {
    const double part = static_cast<double>(turning) / static_cast<double>(pairs);
    return {"rotary-dim",
            {parameter(&Scaling::partial_rotary_factor, part)},
            turning == 1
                ? "only the first of " + decimal(pairs) +
                      " pairs rotates, as where rope_theta overflows: inv_freq is 1, 0, 0, …"
                : "only the first " + decimal(turning) + " of " + decimal(pairs) + " pairs rotate"};
}

}  // namespace

std::optional<Frequencies> still_tail(const Frequencies& plan, const Samples& samples,
                                      const Hypothesis& asked, const OddPairs& odd) {
    if (plan.theta.size() != samples.pairs || !is_told(samples, odd)) return std::nullopt;
    std::vector<std::uint32_t> wrong;
    for (std::uint32_t i = first_of_still(samples); i < samples.pairs; ++i)
        if (plan.theta[i] != 0 &&
            (std::ranges::count(odd.pairs, i) > 0 || !(pair_misfit(samples, asked, i, 1) <= 1)))
            wrong.push_back(i);
    // one alone is an entry, and all are no rotation
    if (wrong.size() < 2 || wrong.front() == 0) return std::nullopt;
    NamedMistake named = tail_mistake(wrong.front(), samples.pairs);
    FrequencySet one;
    add_changed_candidate(one, plan, named.mistake, named.parameters, named.what,
                          [&](std::size_t i) { return i < wrong.front() ? plan.theta[i] : 0; });
    return one.front();
}

}  // namespace rope
