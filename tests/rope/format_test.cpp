#include "rope/exact/format.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "rope/exact/codec.hpp"
#include "rope/exact/element.hpp"
#include "rope/exact/phase.hpp"
#include "rope/oracle.hpp"
#include "rope/seeded.hpp"

namespace rope::format_test {

constexpr Format narrow[] = {Format::float32, Format::bfloat16, Format::float16};
constexpr double infinity = std::numeric_limits<double>::infinity();

// Compares bits, so that −0 differs from 0.
testing::AssertionResult same(double got, double want) {
    if (std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(want))
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << std::hexfloat << got << " instead of " << want;
}

// Zeros, the ends of the range and their neighbours; ties and their neighbours; random numbers.
std::vector<double> hard_numbers(Format format, std::uint64_t seed) {
    Seeded random(seed);
    const int low = smallest_exponent(format), p = precision_bits(format), high = 1 - low;
    std::vector<double> numbers{0, infinity, 0x1p-1074, std::numeric_limits<double>::max()};
    const auto add_around = [&](double x) {
        for (const double y : {std::nextafter(x, 0), x, std::nextafter(x, infinity)})
            numbers.push_back(y);
    };
    for (const int e : {low - p - 1, low - p, low - p + 1, low - 1, low, 0, high - 1, high})
        add_around(std::ldexp(1.0, e));
    add_around(std::ldexp(1 - std::ldexp(1.0, -p - 1), high));  // tie between largest and infinity
    const auto exponents = static_cast<std::uint64_t>(std::int64_t{high} - low + p);
    for (int k = 0; k < 20000; ++k) {
        const int e = low - p + static_cast<int>(random.below(exponents));
        numbers.push_back(std::ldexp(1 + random.unit(), e));
        // half-way between neighbours of p bits, subnormal or not
        const double odd = static_cast<double>(2 * random.below(std::uint64_t{1} << p) + 1);
        add_around(std::ldexp(odd, std::max(e - p, low - p)));
    }
    for (std::size_t k = numbers.size(); k-- > 0;) numbers.push_back(-numbers[k]);
    return numbers;
}

TEST(Format, RoundsAsMpfrDoes) {
    for (const Format format : narrow)
        for (const double x : hard_numbers(format, 1)) {
            if (!std::isfinite(x)) continue;
            oracle::Real exact(53);
            mpfr_set_d(exact, x, MPFR_RNDN);
            ASSERT_TRUE(same(round_to(format, x), oracle::nearest(format, exact)))
                << to_string(format) << ' ' << std::hexfloat << x;
        }
}

// x to float32 toward zero, with the last bit set if that is inexact: a further rounding to at
// most 22 bits then equals that of x.
float round_to_odd(double x) {
    auto y = static_cast<float>(x);
    if (static_cast<double>(y) == x) return y;
    if (std::abs(static_cast<double>(y)) > std::abs(x)) y = std::nextafter(y, 0.0F);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) | 1);
}

TEST(Format, Bfloat16IsTheUpperHalfOfFloat32) {
    for (const double x : hard_numbers(Format::bfloat16, 2)) {
        const auto bits = std::bit_cast<std::uint32_t>(round_to_odd(x));
        const std::uint32_t upper = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        ASSERT_TRUE(same(round_to(Format::bfloat16, x), std::bit_cast<float>(upper << 16)))
            << std::hexfloat << x;
    }
}

#ifdef __FLT16_MANT_DIG__
#ifdef __aarch64__
__extension__ using Float16 = __fp16;  // GCC 12 has the other name only on x86
#else
__extension__ using Float16 = _Float16;
#endif

TEST(Format, Float16IsTheCompilers) {
    for (const double x : hard_numbers(Format::float16, 3))
        ASSERT_TRUE(
            same(round_to(Format::float16, x), static_cast<double>(static_cast<Float16>(x))))
            << std::hexfloat << x;
}
#endif

TEST(Format, RoundingIsIdempotentMonotoneAndOdd) {
    for (const Format format :
         {Format::float64, Format::float32, Format::bfloat16, Format::float16}) {
        std::vector<double> numbers =
            hard_numbers(format == Format::float64 ? Format::float32 : format, 4);
        std::ranges::sort(numbers);
        double before = -infinity;
        for (const double x : numbers) {
            const double y = round_to(format, x);
            ASSERT_TRUE(same(round_to(format, y), y)) << std::hexfloat << x;
            ASSERT_TRUE(same(round_to(format, -x), -y)) << std::hexfloat << x;
            ASSERT_LE(before, y) << std::hexfloat << x;
            before = y;
        }
    }
}

// Tensor cores drop a float32's last 13 bits; PTX's cvt.rna adds half of them first.
TEST(Format, OtherModesKeepFloat32sBits) {
    for (const double x : hard_numbers(Format::tf32, 7)) {
        const auto y = static_cast<float>(x);
        if (y != x || !std::isnormal(y)) continue;
        const auto bits = std::bit_cast<std::uint32_t>(y);
        const auto kept = [](std::uint32_t b) { return std::bit_cast<float>(b & 0xffffe000); };
        ASSERT_TRUE(same(round_to(Format::tf32, x, RoundingMode::toward_zero), kept(bits)))
            << std::hexfloat << x;
        const float away = kept(bits + 0x1000);
        if (std::isinf(away)) continue;
        ASSERT_TRUE(same(round_to(Format::tf32, x, RoundingMode::nearest_away), away))
            << std::hexfloat << x;
        ASSERT_TRUE(
            same(round_to(Format::tf32, x, RoundingMode::nearest_even), round_to(Format::tf32, x)));
    }
}

TEST(Format, TheRelativeErrorOfANormalNumberIsAtMostTheUnitRoundoff) {
    EXPECT_EQ(unit_roundoff(Format::float64), 0x1p-53);
    EXPECT_EQ(unit_roundoff(Format::float32), 0x1p-24);
    EXPECT_EQ(unit_roundoff(Format::bfloat16), 0x1p-8);
    EXPECT_EQ(unit_roundoff(Format::float16), 0x1p-11);
    for (const Format format : narrow)
        for (const double x : hard_numbers(format, 5)) {
            const double y = round_to(format, x);
            if (std::abs(x) < std::ldexp(1.0, smallest_exponent(format)) || std::isinf(y)) continue;
            ASSERT_LE(std::abs(y - x), unit_roundoff(format) * std::abs(x)) << std::hexfloat << x;
        }
}

TEST(Format, NanStaysNan) {
    for (const Format format : narrow)
        EXPECT_TRUE(std::isnan(round_to(format, std::numeric_limits<double>::quiet_NaN())));
}

TEST(Format, ABigRealIsRoundedOnceNotThroughDouble) {
    for (const Format format : narrow) {
        const BigReal one(1, {400}), tie = one / std::ldexp(1.0, precision_bits(format));
        const BigReal little = one / std::ldexp(1.0, 200);
        EXPECT_EQ(round_to(format, one + tie), 1);
        EXPECT_EQ(round_to(format, one + tie + little), 1 + 2 * unit_roundoff(format));
        EXPECT_EQ(round_to(format, one + tie - little), 1);
        for (const double x : hard_numbers(format, 6))
            ASSERT_TRUE(same(round_to(format, BigReal(x, {60})), round_to(format, x)))
                << std::hexfloat << x;
    }
}

template <class Number>
class CodecOf : public testing::Test {};
using Narrow = testing::Types<Codec<Format::bfloat16>, Codec<Format::float16>>;
TYPED_TEST_SUITE(CodecOf, Narrow);

template <class Number>
constexpr Format format_of_codec = Number::bits == 8 ? Format::bfloat16 : Format::float16;

TYPED_TEST(CodecOf, EveryWordIsThatOfItsValue) {
    for (std::uint32_t all = 0; all <= 0xffff; ++all) {
        const auto word = static_cast<std::uint16_t>(all);
        const float value = TypeParam::value(word);
        ASSERT_EQ(std::signbit(value), word >> 15 == 1) << all;
        if ((all & 0x7fff) > TypeParam::infinity) {
            ASSERT_TRUE(std::isnan(value)) << all;
            ASSERT_EQ(TypeParam::nearest(value), word | TypeParam::quiet) << all;
            continue;
        }
        ASSERT_EQ(TypeParam::nearest(value), word);
        if (std::isinf(value)) continue;
        ASSERT_EQ(TypeParam::rounded(value), value);
        ASSERT_EQ(std::signbit(TypeParam::rounded(value)), std::signbit(value)) << all;
    }
}

TEST(Element, AFloat16NanIsReadWithoutItsSign) {
    const std::uint16_t words[] = {0x7e00, 0xfe00, 0xfc01};
    for (const std::uint16_t& word : words) {
        const double value = number_at(Element::float16, std::as_bytes(std::span(&word, 1)).data());
        EXPECT_TRUE(std::isnan(value) && !std::signbit(value)) << word;
    }
}

// Each float32 number half-way between neighbours, the next ones, and random float32 numbers.
TYPED_TEST(CodecOf, RoundsAsMpfrDoes) {
    constexpr Format format = format_of_codec<TypeParam>;
    const auto check = [](float x) {
        oracle::Real exact(24);
        mpfr_set_flt(exact, x, MPFR_RNDN);
        const double want = oracle::nearest(format, exact);
        ASSERT_EQ(TypeParam::value(TypeParam::nearest(x)), want) << std::hexfloat << x;
        if (std::isinf(want)) return;
        ASSERT_EQ(TypeParam::rounded(x), want) << std::hexfloat << x;
        ASSERT_EQ(std::signbit(TypeParam::rounded(x)), std::signbit(x)) << std::hexfloat << x;
    };
    for (std::uint32_t word = 0; word < TypeParam::infinity; word += 7) {
        const float value = TypeParam::value(static_cast<std::uint16_t>(word));
        const auto next =
            static_cast<double>(TypeParam::value(static_cast<std::uint16_t>(word + 1)));
        const auto middle = static_cast<float>(
            std::isinf(next) ? value + std::ldexp(1.0, -TypeParam::least - TypeParam::bits + 1)
                             : (value + next) / 2);
        for (const float x :
             {std::nextafter(middle, 0.0F), middle, std::nextafter(middle, HUGE_VALF)}) {
            check(x);
            check(-x);
        }
    }
    Seeded random(1);
    for (int k = 0; k < 20000; ++k) {
        const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
        if (std::isfinite(x)) check(x);
    }
}

}  // namespace rope::format_test
