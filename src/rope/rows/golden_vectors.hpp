// Golden tables and rotated vectors of a Spec.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/exact/format.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// One list of positions for each axis of the Spec, or one for all axes; all have the same length.
// Positions are real numbers between -2^32 and 2^32, taken as exact doubles.
using PositionsByAxis = std::vector<std::vector<double>>;

// Computes tables and rotations in which every value is the number of the format nearest to the
// exact one.
class GoldenRows {
  public:
    // Requires a valid Spec.
    GoldenRows(const Spec& spec, Format format);

    std::vector<double> inv_freq() const;

    // Returns attention_factor·cos and attention_factor·sin; the result's `positions` is empty.
    RotaryTable table(const PositionsByAxis& positions);
    // Returns R(m)x of vectors, positions × head_dim, whose values are numbers of the format.
    std::vector<double> rotated(const PositionsByAxis& positions, const std::vector<double>& x);
    // Returns m·θ in radians, positions × pairs, not reduced and without the attention factor.
    std::vector<double> angles(const PositionsByAxis& positions) const;

  private:
    RotaryTable table_at(std::span<const double> positions);
    std::vector<double> rotated_at(std::span<const double> positions, const std::vector<double>& x);
    const TruthRows& in_units(int exponent);

    Spec spec_;
    Format format_;
    FrequencyPlan plan_;
    int exponent_ = 0;
    std::optional<TruthRows> truth_;  // for the unit used last
};

// Returns `count` numbers of the seed's standard normal sequence from index `first` on. For k,
// callers pass ~seed.
std::vector<double> golden_normals(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                   Format format);

}  // namespace rope
