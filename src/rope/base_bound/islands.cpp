#include "rope/base_bound/islands.hpp"

#include <cmath>
#include <map>

#include "base/tasks.hpp"
#include "rope/base_bound/cosine_scan.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {

std::optional<std::uint64_t> IslandSearch::failure(double base) const {
    return first_negative(CosineSum(pairs, ln(base)), context);
}

// The first of from·ratio^k, k ≥ 1, below a base that fails, and the one before.
std::optional<IslandSearch::Step> IslandSearch::first_failing(double from, double below) const {
    for (Step step{from, from * ratio}; step.fails < below; step = {step.fails, step.fails * ratio})
        if (failure(step.fails)) return step;
    return std::nullopt;
}

// Where the island around `holds` ends below `fails`: every s that is negative there moves it down.
IslandEnd IslandSearch::end_within(Step step) const {
    IslandEnd end{step.fails, failure(step.fails)};
    for (auto s = end.position; s && end.base > step.holds; s = failure(end.base))
        end = {sign_change(pairs, *s, step.holds, end.base).below, s};
    return end;
}

IslandSearch::Link IslandSearch::link(const IslandEnd& from, Exclusion& exclusion) const {
    const auto step = first_failing(from.base, last);
    if (!step) return {{from, {last, std::nullopt}}, std::nullopt};
    return {{from, end_within(*step)}, exclusion.rise(step->fails, last).end};
}

// The islands that begin from start to stop; of one around `start`, what comes after it.
std::vector<IslandSearch::Link> IslandSearch::chain(double start, double stop) const {
    double fails = start;
    if (!failure(start)) {
        const auto step = first_failing(start, stop);
        if (!step) return {};
        fails = step->fails;
    }
    Exclusion exclusion(pairs, context);
    std::vector<Link> links;
    auto from = exclusion.rise(fails, stop).end;
    while (from && from->base < stop) {
        links.push_back(link(*from, exclusion));
        from = links.back().next;
    }
    return links;
}

std::vector<Island> IslandSearch::islands(const IslandEnd& first, unsigned threads) const {
    constexpr std::size_t chains = 16;
    std::map<double, Link> known;
    if (threads > 1 && first.base < last) {
        std::vector<double> starts{first.base};
        const double apart = portable::pow(last / first.base, 1. / chains);
        while (starts.size() < chains) starts.push_back(starts.back() * apart);
        starts.push_back(last);
        std::vector<std::vector<Link>> found(chains);
        run_tasks(chains, threads,
                  [&](std::size_t k) { found[k] = chain(starts[k], starts[k + 1]); });
        for (const auto& links : found)
            for (const Link& each : links) known.emplace(each.island.from.base, each);
    }
    Exclusion exclusion(pairs, context);
    std::vector<Island> islands;
    for (auto from = std::optional(first); from && from->base <= last;) {
        const auto found = known.find(from->base);
        const Link here = found != known.end() ? found->second : link(*from, exclusion);
        islands.push_back(here.island);
        from = here.next;
    }
    return islands;
}

}  // namespace rope
