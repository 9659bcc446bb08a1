#include "rope/diagnose/evidence/float_frequency.hpp"

#include <cmath>
#include <numbers>

namespace rope {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr double largest = 1e5;
constexpr double furthest = 64;  // the first position: beyond, too many turns are possible
constexpr std::size_t least_rows = 4;

class FloatFrequency {
  public:
    FloatFrequency(const Samples& samples, Orientation turn, std::uint32_t pair)
        : samples_(samples), turn_(turn), pair_(pair), allowed_(4 * samples.storage) {}

    std::optional<double> find() const {
        const auto row = nearest_row();
        if (!row) return std::nullopt;
        const double m = samples_.position(*row, 0), own = angle(*row);
        const double sign = m < 0 ? -1 : 1;
        const auto most = static_cast<std::int64_t>(largest * std::abs(m) / full_turn);
        for (std::int64_t k = 0; k <= most; ++k) {
            const double product = own + sign * full_turn * static_cast<double>(k);
            const auto rounded = static_cast<float>(product);
            // float32 numbers lie far apart, so that few turns end on one
            if (std::abs(product - static_cast<double>(rounded)) > allowed_) continue;
            const auto middle = static_cast<float>(product / m);
            for (const float t :
                 {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, HUGE_VALF)})
                if (static_cast<double>(t) > std::numbers::pi && is_everywhere(t))
                    return static_cast<double>(t);
        }
        return std::nullopt;
    }

  private:
    bool is_said(std::size_t row) const {
        const double modulus = samples_.modulus[row * samples_.pairs + pair_];
        return std::isfinite(modulus) && !Samples::is_left_out(modulus);
    }
    double angle(std::size_t row) const {
        return oriented(turn_, samples_.angle[row * samples_.pairs + pair_]);
    }
    // Rows come outward from 0.
    std::optional<std::size_t> nearest_row() const {
        for (std::size_t row = 0; row < samples_.rows(); ++row) {
            const double m = samples_.position(row, 0);
            if (std::abs(m) > furthest) break;
            if (m != 0 && m == std::floor(m) && is_said(row)) return row;
        }
        return std::nullopt;
    }
    bool is_everywhere(float t) const {
        std::size_t rows = 0;
        for (std::size_t row = 0; row < samples_.rows(); ++row) {
            if (!is_said(row)) continue;
            const double product =
                static_cast<double>(static_cast<float>(samples_.position(row, 0)) * t);
            if (!(std::abs(std::remainder(angle(row) - product, full_turn)) <= allowed_))
                return false;
            ++rows;
        }
        return rows >= least_rows;
    }

    const Samples& samples_;
    Orientation turn_;
    std::uint32_t pair_;
    double allowed_;
};

}  // namespace

std::optional<double> float_frequency(const Samples& samples, Orientation turn,
                                      std::uint32_t pair) {
    if (samples.narrow || samples.storage > 1e-6 || samples.positions.size() > 1)
        return std::nullopt;
    return FloatFrequency(samples, turn, pair).find();
}

}  // namespace rope
