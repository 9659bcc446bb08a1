// Where the rows of an export are: as many as 2^32 positions on each axis, none of them kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/table/golden_vectors.hpp"

namespace rope::io {

class RowPositions {
  public:
    // The doubles nearest to first + k·step.
    struct Range {
        double first = 0, step = 1;
        std::uint64_t count = 1;

        double at(std::uint64_t k) const;
    };
    // A list of ranges, each of its positions several times, all over again from its end on.
    struct Axis {
        explicit Axis(std::vector<Range> ranges, std::uint64_t times_each = 1);
        double at(std::uint64_t row) const;

        std::vector<Range> list;
        std::vector<std::uint64_t> ends;  // of the ranges, in the list
        std::uint64_t each;
    };

    RowPositions(std::uint64_t rows, std::vector<Axis> axes);
    explicit RowPositions(const PositionsByAxis& lists);
    static RowPositions from_zero(std::uint64_t rows);
    // Those of text on axes of which the fourth is llama.cpp's: (m, m, m, 0). One axis is for all
    // of any other map.
    RowPositions on(const AxisMap& axes) const;

    std::uint64_t rows() const { return rows_; }
    std::size_t axes() const { return axes_.size(); }
    // Of the rows first … first + count − 1, a list for each axis. Beyond the last row they begin
    // again, as another head's do.
    PositionsByAxis at(std::uint64_t first, std::uint64_t count) const;

    // The shortest sequence that holds every position.
    std::uint64_t context() const;
    // The first position of any axis that is below `least` or not whole.
    std::optional<double> first_not_whole(double least) const;

  private:
    std::uint64_t rows_;
    std::vector<Axis> axes_;
};

}  // namespace rope::io
