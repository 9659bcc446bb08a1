#include "rope/number/narrow.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "rope/number/codec.hpp"

namespace rope {
namespace {

// Half as many of five bits or more, which nobody types.
constexpr std::uint64_t least_telling = 16;
constexpr int many_bits = 5;

// Below the format's last bit all are 0, and the exponent is the format's; infinities and NaN are.
template <Format format>
bool is_number_of(float value) {
    using Words = Codec<format>;
    constexpr std::uint32_t below = (1U << Words::cut) - 1;
    const bool is_short = (std::bit_cast<std::uint32_t>(value) & below) == 0;
    if constexpr (Words::rebias == 0) return is_short;
    constexpr float least = Words::power_of_two(Words::least);
    constexpr float largest =
        (2 - Words::power_of_two(1 - Words::bits)) * Words::power_of_two(1 - Words::least);
    const float size = std::abs(value);
    if (!(size <= largest)) return !std::isfinite(value);
    if (size >= least) return is_short;
    const float spacings = size * Words::power_of_two(Words::bits - 1 - Words::least);
    return spacings == std::trunc(spacings);
}

// Of the significand; 1 of a power of two, 0 or infinity.
int bits_of(float value) {
    const std::uint32_t significand = std::bit_cast<std::uint32_t>(value) & 0x7fffff;
    return significand == 0 ? 1 : 24 - std::countr_zero(significand);
}

}  // namespace

std::optional<Format> narrower_format(const StridedRows& values, std::uint64_t rows,
                                      std::uint64_t columns) {
    if (values.element() != Element::float32 && values.element() != Element::float64)
        return std::nullopt;
    bool bfloat16 = true, float16 = true;
    float largest = 0;
    std::uint64_t telling = 0;
    std::vector<double> row(columns);
    for (std::uint64_t r = 0; r < rows; ++r) {
        values.read(r, 0, columns, row.data());
        for (const double wide : row) {
            const auto value = static_cast<float>(wide);
            if (static_cast<double>(value) != wide && !std::isnan(wide)) return std::nullopt;
            bfloat16 = bfloat16 && is_number_of<Format::bfloat16>(value);
            float16 = float16 && is_number_of<Format::float16>(value);
            if (!bfloat16 && !float16) return std::nullopt;
            largest = std::max(largest, std::abs(value));
            const int bits = bits_of(value);
            telling += bits == 1 ? 0 : bits < many_bits ? 1 : 2;
        }
    }
    if (telling < least_telling) return std::nullopt;
    using Half = Codec<Format::float16>;
    // its subnormal numbers have few bits: bfloat16's own would not all be multiples of 2⁻²⁴
    const bool is_subnormal = float16 && largest < Half::power_of_two(Half::least);
    return bfloat16 && !is_subnormal ? Format::bfloat16 : Format::float16;
}

}  // namespace rope
