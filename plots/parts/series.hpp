// The curves of a figure: reading their points, and reducing them to pixel columns.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rope::plots {

// How a series is drawn. A value that is not finite interrupts a line and gives no dot.
//   line   the mean of each pixel column; a band from min to max if several points share it
//   band   only the band from min to max
//   path   every point, joined, however many share a column
//   dots   one per point
//   guide  a faint path, not in the legend; in the CSV if it has a label
enum class Mark { line, band, path, dots, guide };

// The points at x = 1, 2, … last, computed on demand as they may be too many to store.
struct Curve {
    std::uint64_t last = 0;
    // Computes y at x = first, first + 1, … for a block; 64 divides `first` and the size. Blocks
    // start at x = 0, which is not drawn, and may extend up to 63 beyond `last`.
    std::function<void(std::uint64_t first, std::span<double> y)> fill;
};

inline constexpr int palette_colors = 8;

struct Series {
    std::string label;  // in the legend and the header of the CSV
    Mark mark = Mark::line;
    int color = 0;                    // index into the palette; beyond its end with other dashes
    std::vector<double> x = {};       // ascending
    std::vector<double> y = {};       // one per x
    std::optional<Curve> curve = {};  // instead of x and y
    std::vector<double> listed = {};  // x in the CSV, where it is not the drawn one

    std::size_t points() const { return curve ? curve->last : x.size(); }
    // A single point is drawn as a dot, as a line of one point would be invisible.
    bool is_dots() const { return mark == Mark::dots || (mark != Mark::guide && points() == 1); }
};

// Returns a series with of(element) at the index of each element, or without a point there if that
// is an empty std::optional.
template <class Elements, class Of>
Series per_index(std::string label, Mark mark, int color, const Elements& elements, const Of& of) {
    Series series{std::move(label), mark, color};
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (const std::optional<double> y = std::invoke(of, elements[i])) {
            series.x.push_back(static_cast<double>(i));
            series.y.push_back(*y);
        }
    return series;
}

// Returns infinity, which is drawn at the upper edge, if y is not finite.
inline double finite_or_edge(double y) {
    return std::isfinite(y) ? y : std::numeric_limits<double>::infinity();
}

// for (PointReader at(series); !at.ended(); at.advance()) … at.x(), at.y()
// Stores one block of a curve. The series must outlive it.
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
        const std::size_t s = next_ + 1;
        if (series_->curve && s >= first_ + block_.size()) fill(s);
        x_ = series_->curve ? static_cast<double>(s) : series_->x[next_];
        y_ = series_->curve ? block_[s - first_] : series_->y[next_];
    }
    void fill(std::size_t s);

    const Series* series_;
    std::size_t points_, next_ = 0;
    double x_ = 0, y_ = 0;
    std::vector<double> block_;
    std::size_t first_ = 0;  // x of the block's first value
};

// The points of a series in one pixel column.
struct Column {
    double x;  // mean pixel x of the points
    double low;
    double mean;
    double high;
    std::size_t points;
    double first, last;  // data x of the first and last point
};

// Adjacent columns that a line joins.
using Run = std::vector<Column>;

// Groups points by ⌊pixel⌋; points on the right edge belong to the last column, points outside 0 ≤
// pixel ≤ width are left out. Pixels must ascend. [low, high] of a column is the range of its
// points' y. A y that is not finite ends the run. Without a width, each point is a column.
class ColumnReduction {
  public:
    ColumnReduction() = default;
    explicit ColumnReduction(double width) : width_(width) {}

    void add(double pixel, double y, double x);
    std::vector<Run> finish() &&;

  private:
    void close();

    std::optional<double> width_ = {};
    std::optional<double> pixel_ = {};  // of the open column, whose x and mean are sums
    std::vector<Run> runs_{1};
};

}  // namespace rope::plots
