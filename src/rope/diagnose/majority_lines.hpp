#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/evidence/fit_axes.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {

// The upper one of an even number; NaN of none.
inline double median_of(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// The phase lines of a dump of which a part is wrong: by the rows that most pairs agree on.

// Of components, including that of a table that was also rounded.
double rounding_of(const Samples& samples);

// Of each pair, whether any row says anything of it.
std::vector<bool> said_pairs(const Samples& samples);

struct MajorityLines : LinesOfRows {
    std::vector<bool> is_said;              // of each pair, whether the dump says anything of it
    std::vector<LinesOfRows> on_axes = {};  // of several axes: slow pairs are on lines of them all
    double amplitude = 1;
};

// By the most of the rows; no lines where no few of them are on any.
MajorityLines fit_majority_lines(const Samples& samples);

struct RowCount {
    std::size_t on = 0;         // rows on the lines of nearly all pairs
    std::size_t rotations = 0;  // rows that are rotations: others are zero, clipped or not finite
    std::size_t all = 0;
};
RowCount rows_on(const MajorityLines& most, const Samples& samples);

// How pairs of a dump turn on each of the three axes of M-RoPE, by the most of its rows.

inline constexpr std::size_t axes_of_mrope = 3;

// A pair on one axis, angle = offset ± θ·m, by the most of its rows.
struct PlaceOnAxis {
    double offset = 0;
    // the share of rows that are off, of those that tell axes apart, and how far others are
    double misfit = 0;
};

// Keeps a reference to the samples, which have positions on three axes.
class PairsOnAxes {
  public:
    // θ of each pair, its sign by the lines.
    PairsOnAxes(const Samples& samples, const std::vector<double>& theta,
                const std::vector<PhaseLine>& lines);

    const AxisMisfits& misfits() const { return misfits_; }
    // Whether its rows tell axes apart.
    bool determines(std::size_t pair) const;

    // Rows in which nearly all of these pairs, of those that tell axes apart, are where they should
    // be.
    std::vector<std::size_t> rows_on(const std::vector<std::uint32_t>& axis) const;

  private:
    using Rows = std::vector<std::size_t>;

    double allowed(std::size_t row, std::uint32_t i) const;
    double off(std::size_t row, std::uint32_t i, std::uint32_t a, double offset) const;
    bool is_at(std::size_t row, std::uint32_t i, std::uint32_t a, double offset,
               double within) const;
    Rows said_rows(std::uint32_t i) const;
    Rows telling_rows(std::uint32_t i) const;
    PlaceOnAxis placed(std::uint32_t i, std::uint32_t a) const;
    double middle_of(const Rows& rows, std::uint32_t i, std::uint32_t a, double offset) const;
    double distance(const Rows& rows, std::uint32_t i, std::uint32_t a, double offset) const;

    const Samples& samples_;
    double rounding_, amplitude_;
    std::vector<double> theta_;
    std::vector<Rows> said_, determining_;  // rows of each pair
    std::vector<PlaceOnAxis> places_;       // of each pair on each axis
    AxisMisfits misfits_;
};

}  // namespace rope
