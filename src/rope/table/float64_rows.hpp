// Rows in float64, each number the nearest: the angle addition of table.hpp with numbers of some
// 100 bits (kernels_parts.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rope/kernels/parts.hpp"
#include "rope/number/memory.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {

// cos and sin of rows × pairs angles, in parts.
class PartedRows {
  public:
    PartedRows(std::size_t rows, std::size_t pairs);

    PartsOfRows row(std::size_t r) const;
    void set(std::size_t r, std::size_t pair, const BigReal& cos, const BigReal& sin);
    // Row r = a turned by b, neither of them row r itself.
    void turn(std::size_t r, const PartsOfRows& a, const PartsOfRows& b);

  private:
    std::size_t pairs_;
    std::array<AlignedVector<double>, 3> cos_, sin_;
};

// What every position is put together of: the powers e^{iθ2^k}, and the multiples of 1 and of 32.
class Float64Turns {
  public:
    // Positions below `end`.
    Float64Turns(const TruthRows& truth, const BigReal& amplitude, std::uint64_t end);

    static constexpr std::size_t near = tile_rows, far = 128, rows_of_head = near * far;

    const TruthRows& truth() const { return truth_; }
    double scale() const { return scale_; }  // amplitude = scale·factor, ½ ≤ |factor| < 1
    double error() const { return error_; }  // of a row, before it is scaled
    PartsOfRows near_rows(std::size_t r) const { return near_.row(r); }
    PartsOfRows far_row(std::size_t r) const { return far_.row(r); }
    // factor·e^{imθ} for m a multiple of rows_of_head
    PartedRows head(std::uint64_t position) const;

  private:
    void multiply(PartedRows& rows, std::size_t count, std::size_t first_power) const;

    const TruthRows& truth_;
    BigReal factor_;  // of the amplitude, in [½, 1)
    double scale_, error_;
    PartedRows powers_, near_, far_;
};

// One belongs to one thread.
class Float64Rows {
  public:
    explicit Float64Rows(const Float64Turns& turns);

    // Positions first … first + rows − 1, of one tile of 32.
    void fill(std::uint64_t first, std::size_t rows, double* cos, double* sin);

  private:
    void start_tile(std::uint64_t position);

    const Float64Turns& turns_;
    PartedRows head_, block_;
    std::uint64_t head_at_, block_at_;
};

}  // namespace rope
