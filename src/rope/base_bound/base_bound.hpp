// The bases b ≥ 1 that keep B_b(s) ≥ 0 at every distance s of a context, 0 and N included.
//
// They are islands: above a base that holds, others fail again, and no bisection finds an end.
// "The smallest base" may therefore mean several numbers; each is reported with how it was found.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/task_source.hpp"
#include "rope/base_bound/cosine_sum.hpp"
#include "rope/base_bound/exclusion.hpp"

namespace rope {

struct BaseQuestion {
    PairCounts pairs;
    std::uint64_t context = 0;  // N
    int digits = 2;             // of the grid of round bases
    // for islands, at most 1000 times the infimum; empty: 10 times, where island_work allows
    std::optional<double> search_to = {};
    bool prove = true;  // false: the infimum is searched on a coarse grid
    std::uint64_t island_work = std::uint64_t{1} << 23;  // d/2·N up to which islands are searched
    unsigned threads = 0;    // 0: as many as help; what is found is the same for any
    TaskLog* log = nullptr;  // of what earlier runs of the same question found
};

struct BaseBound {
    std::optional<IslandEnd> infimum;       // empty: no base up to largest_base holds
    bool proved = false;                    // every base below the infimum fails
    std::optional<double> on_grid;          // the least base of so many digits that holds
    std::vector<Island> islands;            // from a proved end to a searched one, in order
    std::optional<double> largest_failing;  // the supremum of those that were found to fail
    double searched_to = 0;                 // 0: islands were not looked for
    double ratio = 1;                       // of neighbouring bases in the search

    bool largest_failing_proved() const {
        return proved && (!infimum || searched_to <= infimum->base);
    }
};

// As many as help where none were asked for.
unsigned threads_of(const BaseQuestion& question);

// Throws InputError when the question is more work than largest_work, or has too many pairs.
BaseBound bound_base(const BaseQuestion& question);

// d/2·N of a question that bound_base accepts, and d/2: each takes 6 KiB of a thread.
inline constexpr std::uint64_t largest_work = std::uint64_t{1} << 33;
inline constexpr std::uint32_t most_bounded_pairs = 1024;

// B of one base, or of one Spec: where it is negative first, be that beyond the context N, and its
// least over [0, N].
struct BaseScan {
    std::uint64_t context;                        // N
    std::optional<std::uint64_t> first_negative;  // s
    std::optional<std::uint64_t> searched_to;     // empty: B(s) ≥ 0 at every s
    double least;                                 // to 1e-11
    std::uint64_t least_position;

    bool holds() const { return !first_negative || *first_negative > context; }
};
// Searches to `farthest`, or the context if that is more.
BaseScan scan_sum(const CosineSum& sum, std::uint64_t context, std::uint64_t farthest);
inline BaseScan scan_base(PairCounts pairs, double base, std::uint64_t context) {
    return scan_sum(CosineSum(pairs, ln(base)), context, context);
}

// How far a few seconds search so many pairs, at most 2^32.
std::uint64_t farthest_search(std::uint32_t pairs);

// The bases that a person writes down: those of few significant decimal digits.

// The least number of so many significant decimal digits at or above x ≥ 1.
double round_up_to_digits(double x, int digits);

// The least base of so many digits in [from, to) that holds to the context.
std::optional<double> first_of_digits(PairCounts pairs, std::uint64_t context, double from,
                                      double to, int digits);

}  // namespace rope
