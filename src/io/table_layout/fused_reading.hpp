// One array of cosines and sines, read in one layout, which may be the wrong one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "io/shape/dump_hints.hpp"
#include "io/tensor/named_array.hpp"
#include "rope/number/element.hpp"

namespace rope::io {

class FusedReading {
  public:
    // Of 2·pairs numbers a row, 4·pairs where they are matrices.
    FusedReading(CacheLayout layout, const NamedArray& both, std::uint32_t pairs);

    const StridedRows& cos() const { return cos_; }
    const StridedRows& sin() const { return sin_; }
    std::uint64_t rows() const { return rows_; }

    // The share of (row, pair) whose cos² + sin² is that of most.
    double steadiness() const;
    // Of those, the share whose cosine and sine are nearly the same number, as in a table of
    // cosines alone; a rotation has few such pairs. 0 where there are hardly any.
    double likeness() const;
    // cos = a, sin = 0 in every pair of a row.
    bool is_identity(std::uint64_t row) const;
    // The mean of a² sin θ(n − m) over the pairs: positive for each that is slower than half a
    // turn.
    double turn(std::uint64_t m, std::uint64_t n) const;

  private:
    // (row, pair) of some, of all where they are few.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sampled() const;
    double norm(std::uint64_t row, std::uint64_t pair) const;  // cos² + sin²
    double median_norm() const;                                // of the finite ones; else 0

    std::uint64_t rows_, pairs_;
    StridedRows cos_, sin_;
};

}  // namespace rope::io
