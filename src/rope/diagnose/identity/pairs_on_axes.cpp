#include "rope/diagnose/identity/pairs_on_axes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/diagnose/identity/median.hpp"
#include "rope/diagnose/identity/most_lines.hpp"
#include "rope/diagnose/search/replay.hpp"

namespace rope {
namespace {

constexpr std::size_t least_telling = 4;  // rows
constexpr std::size_t most_offsets = 32;
constexpr double weight_of_distance = 0.25;

}  // namespace

PairsOnAxes::PairsOnAxes(const Samples& samples, const std::vector<double>& theta,
                         const std::vector<PhaseLine>& lines)
    : samples_(samples),
      rounding_(rounding_of(samples)),
      amplitude_(fitted_amplitude(samples)),
      theta_(theta) {
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        if (i < lines.size() && lines[i].theta < 0) theta_[i] = -theta_[i];
        said_.push_back(said_rows(i));
        telling_.push_back(telling_rows(i));
        std::vector<double> misfits;
        for (std::uint32_t a = 0; a < axes_of_mrope; ++a) {
            places_.push_back(placed(i, a));
            misfits.push_back(places_.back().misfit);
        }
        misfits_.push_back(std::move(misfits));
    }
}

bool PairsOnAxes::tells(std::size_t pair) const { return telling_[pair].size() >= least_telling; }

std::vector<std::size_t> PairsOnAxes::rows_on(const std::vector<std::uint32_t>& axis) const {
    std::vector<std::size_t> on;
    for (std::size_t row = 0; row < samples_.rows(); ++row) {
        std::size_t said = 0, right = 0;
        for (std::uint32_t i = 0; i < samples_.pairs; ++i) {
            if (!tells(i) || Samples::is_left_out(samples_.modulus[row * samples_.pairs + i]))
                continue;
            ++said;
            const double offset = places_[i * axes_of_mrope + axis[i]].offset;
            right += is_at(row, i, axis[i], offset, allowed(row, i)) ? 1 : 0;
        }
        if (5 * right >= 4 * said && said > 0) on.push_back(row);
    }
    return on;
}

double PairsOnAxes::allowed(std::size_t row, std::uint32_t i) const {
    double farthest = 0;
    for (std::uint32_t a = 0; a < axes_of_mrope; ++a)
        farthest = std::max(farthest, std::abs(samples_.position(row, a)));
    return 4 * rounding_ + AnglePrecision{}.most * farthest * std::abs(theta_[i]);
}

double PairsOnAxes::off(std::size_t row, std::uint32_t i, std::uint32_t a, double offset) const {
    return within_half_a_turn(samples_.angle[row * samples_.pairs + i] -
                              theta_[i] * samples_.position(row, a) - offset);
}

bool PairsOnAxes::is_at(std::size_t row, std::uint32_t i, std::uint32_t a, double offset,
                        double within) const {
    const double modulus = samples_.modulus[row * samples_.pairs + i];
    return std::abs(modulus / amplitude_ - 1) <= 2.5 * rounding_ &&
           std::abs(off(row, i, a, offset)) <= within;
}

PairsOnAxes::Rows PairsOnAxes::said_rows(std::uint32_t i) const {
    Rows rows;
    for (std::size_t row = 0; row < samples_.rows(); ++row) {
        const double modulus = samples_.modulus[row * samples_.pairs + i];
        if (std::isfinite(modulus) && !Samples::is_left_out(modulus)) rows.push_back(row);
    }
    return rows;
}

PairsOnAxes::Rows PairsOnAxes::telling_rows(std::uint32_t i) const {
    Rows rows;
    for (const std::size_t row : said_[i]) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (std::uint32_t a = 0; a < axes_of_mrope; ++a) {
            low = std::min(low, samples_.position(row, a));
            high = std::max(high, samples_.position(row, a));
        }
        if ((high - low) * std::abs(theta_[i]) > 2 * allowed(row, i)) rows.push_back(row);
    }
    return rows;
}

// The offset at which most rows are, of those of some rows; of pairs that hardly tell, of all.
PlaceOnAxis PairsOnAxes::placed(std::uint32_t i, std::uint32_t a) const {
    const Rows& rows = tells(i) ? telling_[i] : said_[i];
    if (rows.empty()) return {};
    const std::size_t step = (rows.size() + most_offsets - 1) / most_offsets;
    PlaceOnAxis best;
    std::size_t most = 0;
    for (std::size_t k = 0; k < rows.size(); k += step) {
        const double offset = off(rows[k], i, a, 0);
        const auto is_there = [&](std::size_t row) {
            return is_at(row, i, a, offset, allowed(row, i) + allowed(rows[k], i));
        };
        const auto count = static_cast<std::size_t>(std::ranges::count_if(rows, is_there));
        if (count <= most) continue;
        most = count;
        best.offset = offset;
    }
    best.offset += middle_of(rows, i, a, best.offset);
    const double share = 1 - static_cast<double>(most) / static_cast<double>(rows.size());
    best.misfit = (tells(i) ? share : 0) + weight_of_distance * distance(rows, i, a, best.offset);
    return best;
}

// The median of what rows are off by.
double PairsOnAxes::middle_of(const Rows& rows, std::uint32_t i, std::uint32_t a,
                              double offset) const {
    std::vector<double> distances;
    for (const std::size_t row : rows) distances.push_back(off(row, i, a, offset));
    return median_of(std::move(distances));
}

// The mean of what rows are off by, as a share of what they may be.
double PairsOnAxes::distance(const Rows& rows, std::uint32_t i, std::uint32_t a,
                             double offset) const {
    double sum = 0;
    for (const std::size_t row : rows)
        sum += std::min(1.0, std::abs(off(row, i, a, offset)) / allowed(row, i));
    return sum / static_cast<double>(rows.size());
}

}  // namespace rope
