// The points of a series, one after another.
#pragma once

#include <cstddef>
#include <vector>

#include "plots/parts/series.hpp"

namespace rope::plots {

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

}  // namespace rope::plots
