// Searches for the bases b ≥ 1 with B_b(s) ≥ 0 at every distance s of a context, 0 ≤ s ≤ N.
//
// Such bases ("bases that hold") form islands: larger bases can fail again, so bisection finds no
// end of the set. There is thus more than one "smallest base"; each is reported with its method.
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
    int digits = 2;             // significant decimal digits of the grid of round bases
    // Islands are searched to this base, at most 1000 times the infimum. If empty: to 10 times the
    // infimum, if island_work permits.
    std::optional<double> search_to = {};
    std::uint64_t island_work = std::uint64_t{1} << 23;  // limit of d/2·N to search islands
    unsigned threads = 0;    // 0: chosen automatically; the result does not depend on it
    TaskLog* log = nullptr;  // answers from earlier runs of the same question
};

struct BaseBound {
    std::optional<IslandEnd> infimum;       // empty: no base up to largest_base holds
    bool proved = false;                    // every base below the infimum fails
    std::optional<double> on_grid;          // least base with `digits` digits that holds
    std::vector<Island> islands;            // ascending; lower ends are proved, upper ones searched
    std::optional<double> largest_failing;  // largest base found to fail
    double searched_to = 0;                 // 0: islands were not searched
    double ratio = 1;                       // ratio of neighbouring bases in the search

    // Whether every base from some base to the end of the search holds.
    bool ends_well() const { return !islands.empty() && !islands.back().to.position; }
    bool largest_failing_proved() const {
        return proved && (!infimum || searched_to <= infimum->base);
    }
};

// Returns question.threads or, if that is 0, a suitable number.
unsigned threads_of(const BaseQuestion& question);

// Throws InputError if the question exceeds largest_work or most_bounded_pairs.
BaseBound bound_base(const BaseQuestion& question);

// Limits of d/2·N and of d/2 for bound_base(); each pair takes 6 KiB per thread.
inline constexpr std::uint64_t largest_work = std::uint64_t{1} << 33;
inline constexpr std::uint32_t most_bounded_pairs = 1024;

// B of one base, or of one Spec: the first s with B(s) < 0, possibly beyond N, and the least B over
// [0, N].
struct BaseScan {
    std::uint64_t context;                        // N
    std::optional<std::uint64_t> first_negative;  // s
    std::optional<std::uint64_t> searched_to;     // empty: B(s) ≥ 0 for every s, proved
    double least;                                 // error < 1e-11
    std::uint64_t least_position;

    bool holds() const { return !first_negative || *first_negative > context; }
};
// Searches to `farthest`, or to the context if that is larger.
BaseScan scan_sum(const CosineSum& sum, std::uint64_t context, std::uint64_t farthest);
inline BaseScan scan_base(PairCounts pairs, double base, std::uint64_t context) {
    return scan_sum(CosineSum(pairs, base), context, context);
}

// Returns the distance that can be searched in a few seconds, at most 2^32.
std::uint64_t farthest_search(std::uint32_t pairs);

// Returns the least number with at most `digits` significant decimal digits that is ≥ x ≥ 1.
double round_up_to_digits(double x, int digits);

// Returns the least base with so many digits in [from, to) that holds to the context.
std::optional<double> first_of_digits(PairCounts pairs, std::uint64_t context, double from,
                                      double to, int digits);

}  // namespace rope
