#include "rope/comparison/small_turn.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

struct CosSin1 {
    double c, s;
};

// Of small angles by their series, to 2^-26 of the sine.
CosSin1 cos_sin(double angle) {
    CosSin1 z{};
    const double q = angle * angle;
    if (q <= 0x1p-4)
        return {1 - q / 2 * (1 - q / 12 * (1 - q / 30)), angle * (1 - q / 6 * (1 - q / 20))};
    if (!std::isfinite(angle)) return {NAN, NAN};  // of a rate that no lane told
    const double half = std::remainder(angle, full_turn) / full_turn / 2;  // in turns, within ¼
    const auto turn = static_cast<std::uint64_t>(static_cast<std::int64_t>(half * 0x1p64)) << 1;
    kernels().cos_sin_of_turns(1, &turn, &z.c, &z.s);
    return z;
}

// What an implementation may round to 0 is subnormal, in float16 at the latest.
double least_kept(Format format) {
    return std::ldexp(1.0, std::max(smallest_exponent(format), smallest_exponent(Format::float16)));
}

}  // namespace

TurnFormats::TurnFormats(Format values, Format table, double amplitude)
    : values_(values),
      amplitude_(amplitude),
      u_(unit_roundoff(values)),
      u_table_(unit_roundoff(table)),
      least_(least_kept(values)),
      least_of_table_(least_kept(table)) {}

double TurnFormats::lost(double value) const {
    return std::abs(value) < least_ ? std::abs(value) : 0;
}

double TurnFormats::lost_of_table(double value) const {
    return std::abs(value) < least_of_table_ ? std::abs(value) : 0;
}

SmallTurn::SmallTurn(double angle, const TurnFormats& formats) : formats_(formats), angle_(angle) {
    const auto [c, s] = cos_sin(angle);
    c_ = formats.amplitude() * c;
    s_ = formats.amplitude() * s;
}

// C and S are each rounded once, and thrice with an amplitude: itself, and their product with it.
// A cos within half a spacing of 1 is rounded to 1, by which products are exact; the angle, itself
// rounded, moves it by 8u of that.
SmallTurn::Errors SmallTurn::errors() const {
    const double u = formats_.roundoff_of_table(), a = formats_.amplitude();
    const double once = (a == 1 ? 1 : 3) * u + formats_.roundoff_of_values();
    const double less = angle_ * angle_ / 2;
    const bool is_one = a == 1 && less * (1 + 8 * formats_.roundoff()) <= u / 2;
    return {is_one ? less : once * std::abs(c_),
            formats_.lost_of_table(s_) > 0 ? std::abs(s_) : once * std::abs(s_)};
}

SmallTurn::Turned SmallTurn::of(double x1, double x2) const {
    const double y1 = c_ * x1 - s_ * x2, y2 = c_ * x2 + s_ * x1;
    return {{y1, -angle_ * y2, 0}, {y2, angle_ * y1, 0}};
}

void SmallTurn::add_errors(Turned& turned, double x1, double x2, double moved1,
                           double moved2) const {
    const Errors own = errors();
    turned.first.error = error_of(own, turned.first.value, x1, x2, moved1, moved2);
    turned.second.error = error_of(own, turned.second.value, x2, x1, moved2, moved1);
}

// Of both products, and of their sum, which is rounded once.
double SmallTurn::error_of(const Errors& errors, double value, double same, double other,
                           double moved_same, double moved_other) const {
    const double products = std::abs(same) * errors.c + std::abs(other) * errors.s +
                            std::abs(c_) * moved_same + std::abs(s_) * moved_other +
                            formats_.lost(c_ * same) + formats_.lost(s_ * other);
    const double size = std::abs(value) + products;
    const double sum = half_spacing(formats_.values(), size) + formats_.lost(value);
    return (products + sum + formats_.scale_rounding * size) * (1 + 8 * formats_.roundoff());
}

}  // namespace rope
