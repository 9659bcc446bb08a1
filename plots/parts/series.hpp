// A figure's curves: their points, read one after the other, and reduced to what pixels show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rope::plots {

// How a series is drawn. A value that is not finite breaks a line and is no dot.
//   line   where several points share a pixel column: their min…max as a band, and their mean
//   band   only the min…max
//   path   every point, joined, however many share a column
//   dots   one per point
//   guide  a faint path that helps the eye: neither in the legend nor in the CSV
enum class Mark { line, band, path, dots, guide };

// The points at x = 1, 2, … last, where there may be too many to keep.
struct Curve {
    std::uint64_t last = 0;
    // y at x = first, first + 1, …: a block, of which 64 divides first and size. It is read from
    // x = 0 on, which is not drawn, and up to 63 beyond last.
    std::function<void(std::uint64_t first, std::span<double> y)> fill;
};

inline constexpr int palette_colors = 8;

struct Series {
    std::string label;  // in the legend and the CSV's header
    Mark mark = Mark::line;
    int color = 0;                    // an index into the palette: beyond its end, other dashes
    std::vector<double> x = {};       // ascending
    std::vector<double> y = {};       // as many
    std::optional<Curve> curve = {};  // instead of x and y

    std::size_t points() const { return curve ? curve->last : x.size(); }
    // A single point is a dot: a line of one point would show nothing.
    bool is_dots() const { return mark == Mark::dots || (mark != Mark::guide && points() == 1); }
};

// for (PointReader at(series); !at.ended(); at.advance()) … at.x(), at.y()
// Of a curve it holds one block. The series must outlive it.
class PointReader {
  public:
    explicit PointReader(const Series& series) : series_(&series), points_(series.points()) {
        if (!ended()) read();
    }

    bool ended() const { return next_ == points_; }
    double x() const { return x_; }
    double y() const { return y_; }
    void advance() {
        ++next_;
        if (!ended()) read();
    }

  private:
    void read() {
        if (series_->curve) return read_curve(next_ + 1);
        x_ = series_->x[next_];
        y_ = series_->y[next_];
    }
    void read_curve(std::size_t s) {
        if (s >= first_ + block_.size()) fill(s);
        x_ = static_cast<double>(s);
        y_ = block_[s - first_];
    }
    void fill(std::size_t s);

    const Series* series_;
    std::size_t points_, next_ = 0;
    double x_ = 0, y_ = 0;
    std::vector<double> block_;
    std::size_t first_ = 0;  // x of the block's first value
};

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
