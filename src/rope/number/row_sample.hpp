// Samples of rows, and the angle between two rows.
#pragma once

#include <cmath>
#include <cstdint>

namespace rope {

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

}  // namespace rope
