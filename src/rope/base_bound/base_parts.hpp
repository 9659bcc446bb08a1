// The bases from 1 to largest_base in parts of one ratio, each searched by itself: what is found in
// a part depends on its ends alone, and on whether the next one's first base holds.
//
// A part is searched up to its first base that holds, which is proved. From there on bases of a
// ratio are tried; below one that fails ends an island, and above it is searched for the next.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/base_bound/ways_up.hpp"

namespace rope {

class BaseParts {
  public:
    // `workers`: where there are many, long tasks are divided.
    BaseParts(const BoundScope& scope, BoundAnswers& answers, unsigned workers);

    std::size_t size() const { return starts_.size() - 1; }
    double start(std::size_t k) const { return starts_[k]; }  // and of `size()`, where they end
    std::size_t part_of(double base) const;

    // The first base of part k that holds. None while it is not known; what is missing is asked.
    // `probably_holds`: its first base is tried before all others.
    std::optional<Ascent> first(std::size_t k, bool probably_holds);

    // The islands of part k up to `last`; likewise. One that continues in the next part ends at the
    // part's end and has no position, as has one that reaches `last`.
    std::optional<std::vector<Island>> islands(std::size_t k, double last);

  private:
    struct Tried {
        double base;
        bool holds;
    };
    using Bases = std::vector<Tried>;
    struct Found;

    BasePart part(std::size_t k) const { return {start(k), start(k + 1)}; }
    std::optional<Bases> tried(std::size_t k, double above, double below);
    Bases::const_iterator next_island(std::size_t k, const Bases& bases,
                                      Bases::const_iterator fails, Found& found);
    std::optional<IslandEnd> end_of_part(std::size_t k, double holds, double last);
    std::optional<IslandEnd> island_end(double holds, double fails);

    BoundScope scope_;
    BoundAnswers& answers_;
    WaysUp ways_;
    std::vector<double> starts_;
};

}  // namespace rope
