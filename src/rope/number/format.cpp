#include "rope/number/format.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rope {

std::string_view to_string(Format format) {
    switch (format) {
        case Format::float64:
            return "float64";
        case Format::float32:
            return "float32";
        case Format::tf32:
            return "tf32";
        case Format::bfloat16:
            return "bfloat16";
        case Format::float16:
            return "float16";
    }
    return "";
}

int precision_bits(Format format) {
    switch (format) {
        case Format::float64:
            return 53;
        case Format::float32:
            return 24;
        case Format::tf32:
            return 11;
        case Format::bfloat16:
            return 8;
        case Format::float16:
            return 11;
    }
    return 0;
}

int smallest_exponent(Format format) {
    switch (format) {
        case Format::float64:
            return -1022;
        case Format::float16:
            return -14;
        default:
            return -126;
    }
}

double unit_roundoff(Format format) { return std::ldexp(1.0, -precision_bits(format)); }

double half_spacing(Format format, double magnitude) {
    return unit_roundoff(format) / 2 * std::exp2(std::ceil(std::log2(magnitude)));
}

double round_to(Format format, double x) {
    if (format == Format::float64 || x == 0 || !std::isfinite(x)) return x;
    if (format == Format::float32) return static_cast<float>(x);
    if (std::abs(x) >= std::ldexp(1.0, smallest_exponent(format)) && std::abs(x) < 0x1p15) {
        // normal and far from overflow: half a spacing is added to the bits, less one where the
        // last bit to stay is even, and the rest is cut off
        const int cut = 53 - precision_bits(format);
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const std::uint64_t odd = bits >> cut & 1, half = std::uint64_t{1} << (cut - 1);
        return std::bit_cast<double>((bits + (half - 1) + odd) >> cut << cut);
    }
    // x = q·2^e with q of p bits: rint breaks ties to even in the default environment
    const int spacing =
        std::max(std::ilogb(x), smallest_exponent(format)) - precision_bits(format) + 1;
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -spacing)), spacing);
    const double overflow = format == Format::float16 ? 0x1p16 : 0x1p128;
    return std::abs(rounded) < overflow ? rounded : std::copysign(HUGE_VAL, x);
}

}  // namespace rope
