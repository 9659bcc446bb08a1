// From a base up to the first that holds, in as many tasks as the workers need.
//
// A way may take hundreds of looks at all distances, and to begin one anew costs one or two. For
// many workers it is stopped when it has taken a few, and what is left is divided: by how far it
// came, so that each piece takes about as long as the others. Ways in many pieces are given out
// before others, so that what is left in the end is short.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/base_bound/bound_answers.hpp"

namespace rope {

// Bases, one of the parts that are searched by themselves.
struct BasePart {
    double from, to;
};

// first, first·ratio, … below `end`; none where the ratio is rounded to 1
std::vector<double> products(double first, double ratio, double end);

class WaysUp {
  public:
    WaysUp(const BoundScope& scope, BoundAnswers& answers, unsigned workers);

    bool are_divided() const { return longest_ != Exclusion::no_limit; }

    // From the first base of a part, or from another in it, up to the first that holds, at most
    // `to`. None while it is not known; what is missing is asked.
    std::optional<Ascent> through(const BasePart& part);
    std::optional<Ascent> rise(const BasePart& part, double from, double to);

    bool has_begun(const BasePart& part) const;

    // The base at which the way through a part was stopped, if it was.
    std::optional<double> stopped_at(const BasePart& part) const;

  private:
    using Ends = std::vector<double>;  // of pieces

    BoundTask whole(const BasePart& part) const;
    std::vector<Ends> steps(const BasePart& part, double from, double to) const;
    std::optional<Ascent> in_steps(const BasePart& part, double from, double to, bool proved);
    std::optional<Ascent> in_pieces(double from, const Ends& ends, Urgency urgency);
    std::optional<Ascent> piece(double from, double to, Urgency urgency);

    BoundScope scope_;
    BoundAnswers& answers_;
    std::uint64_t longest_;  // work (Excluders), before it is stopped
};

}  // namespace rope
