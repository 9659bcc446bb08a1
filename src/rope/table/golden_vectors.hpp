// Golden tables and rotations of one Spec, some rows at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spec.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

// A list for each axis of the Spec, or one for all of them; as many positions in each. They are any
// real numbers between -2^32 and 2^32, each taken as the double that it is.
using PositionsByAxis = std::vector<std::vector<double>>;

// Every value is the number of the format that is nearest to the exact one.
class GoldenRows {
  public:
    // Requires validate(spec).
    GoldenRows(const Spec& spec, Format format);

    const FrequencyPlan& plan() const { return plan_; }
    std::vector<double> inv_freq() const;

    // attention_factor·cos and attention_factor·sin; without positions of its own.
    RotaryTable table(const PositionsByAxis& positions);
    // R(m)x of vectors, positions × head_dim, whose values are the format's.
    std::vector<double> rotated(const PositionsByAxis& positions, const std::vector<double>& x);
    // m·θ, positions × pairs, not reduced, without the attention factor.
    std::vector<double> angles(const PositionsByAxis& positions) const;

  private:
    RotaryTable table_at(std::span<const double> positions);
    std::vector<double> rotated_at(std::span<const double> positions, const std::vector<double>& x);
    const TruthRows& in_units(int exponent);

    Spec spec_;
    Format format_;
    FrequencyPlan plan_;
    int exponent_ = 0;
    std::optional<TruthRows> truth_;  // of the unit that was last used
};

// What a correct implementation of a Spec should give, for other people's tests: every value is
// the number of its format that is nearest to the exact one.

struct GoldenVectors {
    Format format = Format::float32;
    RotaryTable table;  // attention_factor·cos and attention_factor·sin
    double attention_factor = 1;
    std::vector<double> inv_freq;  // float64
    // positions × head_dim, row-major: standard normal, and what the Spec makes of them; empty
    // without a seed
    std::vector<double> q, k, q_rot, k_rot;
};

// Requires validate(spec). The table has no positions of its own.
GoldenVectors golden_vectors_at(const Spec& spec, const PositionsByAxis& positions, Format format,
                                std::optional<std::uint64_t> seed);

// At whole positions, which every axis takes, as a text token's do.
GoldenVectors golden_vectors(const Spec& spec, std::vector<std::uint64_t> positions, Format format,
                             std::optional<std::uint64_t> seed);

// From the first on of a seed's numbers. k is of ~seed.
std::vector<double> golden_normals(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                   Format format);

}  // namespace rope
