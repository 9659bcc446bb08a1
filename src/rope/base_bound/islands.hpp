// The islands of bases that hold, from one whose lower end is known upwards.
//
// What follows an island depends on its lower end alone, in steps of a ratio from which its upper
// end is found. Chains of islands that begin at fixed bases, side by side, therefore meet the one
// that begins at the first island, and are taken over from there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/base_bound/exclusion.hpp"

namespace rope {

struct Island {
    IslandEnd from, to;  // to.position is empty where the search ends
};

struct IslandSearch {
    PairCounts pairs;
    std::uint64_t context;
    double last;   // base
    double ratio;  // of neighbouring bases that are tried

    // The same for any number of threads.
    std::vector<Island> islands(const IslandEnd& first, unsigned threads) const;

  private:
    struct Link {
        Island island;
        std::optional<IslandEnd> next;  // where the next one begins
    };
    struct Step {
        double holds, fails;
    };
    std::optional<std::uint64_t> failure(double base) const;
    std::optional<Step> first_failing(double from, double below) const;
    IslandEnd end_within(Step step) const;
    Link link(const IslandEnd& from, Exclusion& exclusion) const;
    std::vector<Link> chain(double start, double stop) const;
};

}  // namespace rope
