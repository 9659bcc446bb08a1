#include "rope/exact/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "rope/exact/codec.hpp"

namespace rope {
namespace {

const FormatShape& shape(Format format) { return format_shapes[static_cast<std::size_t>(format)]; }

double power_of_two(int e) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

// Returns e such that 2^e is the spacing of the format's numbers near x.
int last_exponent(Format format, double x) {
    return std::max(std::ilogb(x), smallest_exponent(format)) - precision_bits(format) + 1;
}

}  // namespace

std::string_view to_string(Format format) { return shape(format).name; }
int precision_bits(Format format) { return shape(format).significand_bits; }
int smallest_exponent(Format format) { return shape(format).smallest_exponent; }
double unit_roundoff(Format format) { return std::ldexp(1.0, -precision_bits(format)); }

double half_spacing(Format format, double magnitude) {
    if (!(magnitude > 0) || std::isinf(magnitude)) return magnitude;
    // 2^e < magnitude ≤ 2^(e + 1), if both are normal numbers
    const std::uint64_t below = std::bit_cast<std::uint64_t>(magnitude) - 1;
    const int e = static_cast<int>(below >> 52) - 1023, last = e - precision_bits(format);
    if (e >= -1022 && last >= -1022) return power_of_two(last);
    int exponent = 0;  // magnitude = fraction·2^exponent, ½ ≤ fraction < 1
    const double fraction = std::frexp(magnitude, &exponent);
    return std::ldexp(unit_roundoff(format) / 2, fraction == 0.5 ? exponent - 1 : exponent);
}

double round_to(Format format, double x) {
    if (format == Format::float64 || x == 0 || !std::isfinite(x)) return x;
    if (format == Format::float32) return static_cast<float>(x);
    const int least = smallest_exponent(format);
    if (std::abs(x) >= power_of_two(least) && std::abs(x) < power_of_two(1 - least)) {
        // normal and no overflow: add half a spacing to the bits, or one less if the last kept bit
        // is even, and cut off the rest
        const int cut = 53 - precision_bits(format);
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const std::uint64_t odd = bits >> cut & 1, half = std::uint64_t{1} << (cut - 1);
        return std::bit_cast<double>((bits + (half - 1) + odd) >> cut << cut);
    }
    // x = q·2^e, where q has p bits; nearbyint breaks ties to even by default
    const int spacing = last_exponent(format, x);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -spacing)), spacing);
    const double overflow = power_of_two(2 - least);
    return std::abs(rounded) < overflow ? rounded : std::copysign(HUGE_VAL, x);
}

double round_to(Format format, double x, RoundingMode mode) {
    if (mode == RoundingMode::nearest_even) return round_to(format, x);
    if (format == Format::float64 || x == 0 || !std::isfinite(x)) return x;
    const int spacing = last_exponent(format, x);
    const double units = std::ldexp(x, -spacing);
    return std::ldexp(mode == RoundingMode::nearest_away ? std::round(units) : std::trunc(units),
                      spacing);
}

}  // namespace rope
