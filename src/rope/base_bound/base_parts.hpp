// The bases from 1 to largest_base in parts of one ratio, each searched by itself: what is found in
// a part depends on its ends alone, and on whether the next one's first base holds.
//
// A part is searched up to its first base that holds, which is proved. From there on bases of a
// ratio are tried; below one that fails ends an island, and above it is searched for the next.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rope/base_bound/bound_answers.hpp"

namespace rope {

class BaseParts {
  public:
    // `workers`: where there are many, long tasks are split.
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
    std::optional<std::vector<Tried>> tried(std::size_t k, double above, double below);
    std::vector<double> cuts(double from, double to) const;
    std::optional<Ascent> rise(double from, double to);
    std::optional<Ascent> rise_by_steps(std::span<const Tried> failing, double ceiling);
    std::optional<IslandEnd> end_of_part(std::size_t k, double holds, double last);
    std::optional<IslandEnd> island_end(double holds, double fails);

    BoundScope scope_;
    BoundAnswers& answers_;
    std::uint64_t longest_rise_;  // blocks of distances looked at
    std::vector<double> starts_;
};

}  // namespace rope
