#include "plots/figures/drawn_pair.hpp"

#include <algorithm>
#include <numbers>
#include <optional>

#include "rope/spec/frequency.hpp"

namespace rope::plots {

std::uint32_t common_pairs(std::span<const NamedSpec> specs) {
    const auto pairs = [](const NamedSpec& named) { return named.spec.pairs(); };
    return pairs(*std::ranges::min_element(specs, {}, pairs));
}

std::uint32_t slowest_differing_pair(std::span<const NamedSpec> specs,
                                     std::optional<std::uint64_t> reach) {
    std::vector<FrequencyPlan> plans;
    for (const NamedSpec& named : specs)
        plans.push_back(plan_frequencies(named.spec, exact_precision));
    const auto completes_a_turn = [&](std::uint32_t i) {
        for (std::size_t k = 0; k < plans.size(); ++k)
            if (plans[k].pairs[i].inv_freq.to_double() *
                    static_cast<double>(reach.value_or(specs[k].spec.max_position_embeddings)) <
                2 * std::numbers::pi)
                return false;
        return true;
    };
    std::optional<std::uint32_t> slowest, fastest;
    double least = 0;
    for (std::uint32_t i = 0; i < common_pairs(specs); ++i) {
        std::vector<double> inv_freq;
        for (const FrequencyPlan& plan : plans)
            inv_freq.push_back(plan.pairs[i].inv_freq.to_double());
        const auto [low, high] = std::ranges::minmax(inv_freq);
        if (low == 0 || low == high) continue;
        if (!fastest) fastest = i;
        if (!completes_a_turn(i) || (slowest && low >= least)) continue;
        least = low;
        slowest = i;
    }
    return slowest.value_or(fastest.value_or(0));
}

}  // namespace rope::plots
