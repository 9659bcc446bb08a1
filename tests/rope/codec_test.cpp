#include "rope/number/codec.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <span>

#include "rope/number/element.hpp"
#include "rope/oracle.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace codec_test {

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
        ASSERT_EQ(TypeParam::exactly(value), word);
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

}  // namespace codec_test
}  // namespace rope
