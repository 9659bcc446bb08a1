// The numbers of a dump, one row of some pairs at a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// (cos, sin) of some pairs of one row, as they lie in the file or worked out from vectors.
class DumpCells {
  public:
    virtual ~DumpCells() = default;
    virtual void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const = 0;
    virtual void prefetch(std::uint64_t row) const = 0;  // what read will need of it
    // Of what lies in the file of a row, which distinguishes rows of one position in any order.
    virtual std::uint64_t mixed_bits(std::uint64_t row) const = 0;
};

class TableCells final : public DumpCells {
  public:
    TableCells(StridedRows cos, StridedRows sin, std::uint32_t pairs)
        : cos_(std::move(cos)), sin_(std::move(sin)), pairs_(pairs) {}
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
    void prefetch(std::uint64_t row) const override {
        cos_.prefetch(row, pairs_);
        sin_.prefetch(row, pairs_);
    }
    std::uint64_t mixed_bits(std::uint64_t row) const override {
        return cos_.mixed_bits(row, pairs_) ^ 3 * sin_.mixed_bits(row, pairs_);
    }

  private:
    StridedRows cos_, sin_;
    std::uint32_t pairs_;
};

// ẑ = ŷ·conj(x)/|x|² per pair
class RotatedCells final : public DumpCells {
  public:
    // `least`: telling_norm.hpp
    RotatedCells(const Spec& spec, StridedRows before, StridedRows after, double least);
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
    void prefetch(std::uint64_t row) const override {
        before_.prefetch(row, width_);
        after_.prefetch(row, width_);
    }
    std::uint64_t mixed_bits(std::uint64_t row) const override {
        return before_.mixed_bits(row, width_) ^ 3 * after_.mixed_bits(row, width_);
    }
    std::uint64_t count_left_out(std::uint64_t rows) const;
    // Pairs that are left out in every row that `turns`, which position 0 does not.
    std::vector<std::uint32_t> undetermined_pairs(const std::vector<bool>& turns) const;
    // Where vectors say nothing of the rotation: zero, or so small that their numbers are
    // subnormal, and so after it. NaN is read there.
    bool is_left_out(std::uint64_t row, std::uint32_t pair) const;

  private:
    // Pairs whose lanes follow each other at one step: first and second ones of each, before and
    // after.
    struct Run {
        PairRange pairs;
        StridedRows x1, x2, y1, y2;
    };
    void add_runs();
    void read_run(const Run& run, std::uint64_t row, PairRange pairs, double* cos,
                  double* sin) const;

    StridedRows before_, after_;
    std::vector<Lanes> read_, written_;
    std::vector<Run> runs_;
    std::uint32_t width_;
    double least_;  // norm
};

}  // namespace rope
