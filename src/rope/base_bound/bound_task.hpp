// What a search for bases is made of: tasks that depend on nothing but their own numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "rope/base_bound/exclusion.hpp"

namespace rope {

// B(s) at the distances 0 to N, and the ratio of neighbouring bases that are tried.
struct BoundScope {
    PairCounts pairs;
    std::uint64_t context;
    double ratio;
};

struct BoundTask {
    enum Kind : std::uint64_t {
        rise,   // from a base up to the first that holds, if that is at most `to`: an Ascent;
                // `count` limits it
        test,   // `count` bases from `from` on, each `ratio` times the one before: which hold
        end,    // of the island around `from` below `to`, which fails: an IslandEnd
        round,  // the least base of `count` digits in [from, to) that holds
    };
    static constexpr bool has_no_padding = true;
    std::uint64_t kind;
    double from, to;
    std::uint64_t count;
};
static_assert(sizeof(BoundTask) == 32);

Bytes perform(const BoundScope& scope, const BoundTask& task);

// Their results.
Ascent ascent_of(const Bytes& result);
std::vector<char> holding_of(const Bytes& result);  // 1 for each base that holds
IslandEnd island_end_of(const Bytes& result);
std::optional<double> round_base_of(const Bytes& result);

}  // namespace rope
