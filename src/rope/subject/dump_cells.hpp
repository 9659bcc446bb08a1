// The numbers of a dump, one row of some pairs at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/subject/row_source.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

// (cos, sin) of some pairs of one row, as they lie in the file or worked out from vectors.
class DumpCells {
  public:
    virtual ~DumpCells() = default;
    virtual void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const = 0;
};

class TableCells final : public DumpCells {
  public:
    TableCells(StridedRows cos, StridedRows sin) : cos_(std::move(cos)), sin_(std::move(sin)) {}
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;

  private:
    StridedRows cos_, sin_;
};

// ẑ = ŷ·conj(x)/|x|² per pair
class RotatedCells final : public DumpCells {
  public:
    RotatedCells(const Spec& spec, StridedRows before, StridedRows after);
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
    // Where a rotation has no effect.
    bool is_zero(std::uint64_t row, std::uint32_t pair) const;

  private:
    StridedRows before_, after_;
    std::vector<Lanes> read_, written_;
};

}  // namespace rope
