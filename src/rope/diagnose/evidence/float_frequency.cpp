#include "rope/diagnose/evidence/float_frequency.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double largest = 1e5;
constexpr double furthest = 4096;      // the first position: beyond, too many turns are possible
constexpr double coarsest = 1.0 / 16;  // radians a row may be off: beyond, too many numbers fit it
constexpr double least_bits = 48;  // that all rows tell: 27 for 2^27 numbers, the rest for chance

double smallest_allowance(const Samples& samples) {
    return 4 * (samples.storage + (samples.narrow ? half_spacing(*samples.narrow, 1) : 0));
}

// Of |x| < 2^50, in any rounding mode; millions of numbers are tried.
double distance_to_whole(double x) {
    const double left = std::abs(x - (x + 0x1.8p52 - 0x1.8p52));
    return std::min(left, std::abs(1 - left));
}

// The least float32 number that is x or more.
float float_from(double x) {
    const auto nearest = static_cast<float>(x);
    return static_cast<double>(nearest) < x ? std::nextafter(nearest, HUGE_VALF) : nearest;
}

class FloatFrequency {
  public:
    FloatFrequency(const Samples& samples, Orientation turn, std::uint32_t pair)
        : samples_(samples), turn_(turn), pair_(pair), allowed_(smallest_allowance(samples)) {
        for (std::size_t row = 0; row < samples.rows(); ++row)
            if (is_said(row))
                said_.push_back({static_cast<float>(samples.position(row, 0)), angle(row)});
        std::ranges::reverse(said_);  // far rows exclude most
    }

    std::optional<double> find() const {
        const auto row = nearest_row();
        if (!row || allowed_ > coarsest || !are_enough_rows()) return std::nullopt;
        const double position = samples_.position(*row, 0), m = std::abs(position);
        const double own = position < 0 ? -angle(*row) : angle(*row);
        const auto most = static_cast<std::int64_t>(largest * m / full_turn);
        for (std::int64_t k = 0; k <= most; ++k) {
            // float32 products lie far apart, so that few turns end on one
            const double product = own + full_turn * static_cast<double>(k);
            const auto nearest = static_cast<double>(static_cast<float>(product));
            if (std::abs(product - nearest) > allowed_) continue;
            if (const auto t = of_product(product, m)) return t;
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
    bool are_enough_rows() const {
        double bits = 0, last = 0;
        for (std::size_t row = 0; row < samples_.rows(); ++row) {
            const double m = samples_.position(row, 0);
            if (is_said(row) && m != last)
                bits += portable::log(std::numbers::pi / allowed_) / std::numbers::ln2;
            last = m;
        }
        return bits >= least_bits;
    }
    // The number t for which fl32(m·t) is within what is allowed of `product`.
    std::optional<double> of_product(double product, double m) const {
        const double reach = allowed_ + 0x1p-23 * product;
        const double last = std::min((product + reach) / m, largest);
        const double first = std::max((product - reach) / m, std::numbers::pi);
        for (float t = float_from(first); static_cast<double>(t) <= last;
             t = std::nextafter(t, HUGE_VALF))
            if (is_everywhere(t)) return static_cast<double>(t);
        return std::nullopt;
    }
    bool is_everywhere(float t) const {
        return std::ranges::all_of(said_, [&](const Row& row) {
            const double product = static_cast<double>(row.position * t);
            const double off = full_turn * distance_to_whole((row.angle - product) / full_turn);
            return off <= allowed_ + 0x1p-50 * std::abs(product);
        });
    }

    struct Row {
        float position;
        double angle;
    };

    const Samples& samples_;
    Orientation turn_;
    std::uint32_t pair_;
    double allowed_;
    std::vector<Row> said_ = {};
};

}  // namespace

std::optional<double> float_frequency(const Samples& samples, Orientation turn,
                                      std::uint32_t pair) {
    if (samples.positions.size() > 1) return std::nullopt;
    return FloatFrequency(samples, turn, pair).find();
}

}  // namespace rope
