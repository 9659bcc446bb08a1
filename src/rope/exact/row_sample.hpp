// Numbers and samples of rows, the angle between two rows, and the line through points.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace rope {

// Returns 0 … end − 1.
template <class Number = std::size_t>
std::vector<Number> numbers_below(std::size_t end) {
    std::vector<Number> all(end);
    std::iota(all.begin(), all.end(), Number{0});
    return all;
}

// Returns the index of the k-th sampled row: k if rows ≤ most, else a sequence spread by the golden
// ratio, which is in step with no axis.
inline std::uint64_t sampled_row(std::uint64_t k, std::uint64_t rows, std::uint64_t most) {
    if (rows <= most) return k;
    const double turns = static_cast<double>(k) * 0.6180339887498949;
    return static_cast<std::uint64_t>((turns - std::floor(turns)) * static_cast<double>(rows));
}

// Cosine of the angle between two rows, whose numbers are added pair by pair.
class Cosine {
  public:
    void add(double x, double y) {
        product_ += x * y;
        norm_x_ += x * x;
        norm_y_ += y * y;
    }
    bool is_determined() const { return norm_x_ > 0 && norm_y_ > 0; }
    double value() const { return product_ / std::sqrt(norm_x_ * norm_y_); }  // NaN if undetermined

  private:
    double product_ = 0, norm_x_ = 0, norm_y_ = 0;
};

// A weighted least-squares line, updated point by point.
struct LineSums {
    double w = 0, x = 0, xx = 0, y = 0, xy = 0;

    void add(double at, double value, double weight) {
        w += weight;
        x += weight * at;
        xx += weight * at * at;
        y += weight * value;
        xy += weight * at * value;
    }
    // The variance of x and its covariance with y, both times w².
    double spread() const { return w * xx - x * x; }
    double covariance() const { return w * xy - x * y; }
    double slope() const { return covariance() / spread(); }
    // The line's value at 0 for a given slope.
    double offset(double of_slope) const { return (y - of_slope * x) / w; }
    double at(double place, double of_slope) const { return offset(of_slope) + of_slope * place; }
};

}  // namespace rope
