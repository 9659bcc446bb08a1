// How pairs of a dump turn on each of the three axes of M-RoPE, by the most of its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/evidence/fit_axes.hpp"

namespace rope {

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
    bool tells(std::size_t pair) const;

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
    std::vector<Rows> said_, telling_;  // rows of each pair
    std::vector<PlaceOnAxis> places_;   // of each pair on each axis
    AxisMisfits misfits_;
};

}  // namespace rope
