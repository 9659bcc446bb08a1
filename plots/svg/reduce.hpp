// A million points in a few hundred pixel columns, without losing an extreme.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace rope::plots {

// What one pixel column shows of a series.
struct Column {
    double x;  // mean pixel of its points: the point's own where there is one
    double low;
    double mean;
    double high;
    std::size_t points;
    double first, last;  // the data x of its first and last point
};

// Neighbouring columns that a line joins.
using Run = std::vector<Column>;

// Groups points by ⌊pixel⌋, those on the right edge with the last column; those outside
// 0 ≤ pixel ≤ width are left out. Pixels ascend.
// Every y lies in its column's [low, high], both of which some point of it attains.
// A y that is not finite ends the run.
class ColumnReduction {
  public:
    explicit ColumnReduction(double width) : width_(width) {}

    void add(double pixel, double y, double x);
    std::vector<Run> finish() &&;

  private:
    struct Bin {
        double column;
        double sum_x;
        double sum_y;
        double low;
        double high;
        std::size_t points;
        double first, last;
    };
    void close();

    double width_;
    std::optional<Bin> bin_;
    std::vector<Run> runs_{1};
};

}  // namespace rope::plots
