// Rotation of whole tensors, against the definition step by step and against rotate.hpp.
#include "rope/table/apply.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/number/memory.hpp"
#include "rope/table/rotate.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace {

struct Tensor {
    Format format;
    std::vector<std::byte> bytes;

    Tensor(Format f, std::size_t numbers) : format(f), bytes(numbers * size()) {}
    std::size_t size() const { return bytes_of(element_of(format)); }
    double operator[](std::size_t k) const {
        return number_at(element_of(format), &bytes[k * size()]);
    }
    std::uint64_t bits(std::size_t k) const {
        std::uint64_t all = 0;
        std::memcpy(&all, &bytes[k * size()], size());
        return all;
    }
    void set_bits(std::size_t k, std::uint64_t all) {
        std::memcpy(&bytes[k * size()], &all, size());
    }
};

// Numbers of every size: their bits are random, but for half of them near 1.
Tensor random_tensor(Format format, std::size_t numbers, Seeded& random) {
    Tensor tensor(format, numbers);
    const std::uint64_t one = format == Format::float32    ? 0x3f800000
                              : format == Format::bfloat16 ? 0x3f80
                                                           : 0x3c00;
    for (std::size_t k = 0; k < numbers; ++k) {
        const std::uint64_t fraction =
            random.bits() & (format == Format::float32 ? 0x7fffff : 0x7f);
        tensor.set_bits(k, random.below(2) == 0 ? random.bits() : one + fraction);
    }
    return tensor;
}

struct Table {
    std::vector<float> cos, sin;

    Table(std::size_t numbers, Seeded& random) {
        for (std::size_t k = 0; k < numbers; ++k) {
            cos.push_back(static_cast<float>(random.within(-1, 1)));
            sin.push_back(static_cast<float>(random.within(-1, 1)));
        }
    }
};

struct Shape {
    PairLayout layout;
    std::size_t heads, positions, head_dim, pairs;
};

RotaryRows rows_of(const Shape& shape, const Table& table) {
    return {shape.layout, shape.head_dim, shape.pairs, table.cos, table.sin};
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Every step rounded to float32, and the result to the format.
void expect_rotated(const Shape& shape, const Table& table, const Tensor& x, const Tensor& y) {
    const auto fl = [](double v) { return static_cast<double>(static_cast<float>(v)); };
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < shape.heads * shape.positions; ++row) {
        const std::size_t lane = row * shape.head_dim, at = row % shape.positions * shape.pairs;
        for (std::size_t i = 0; i < shape.pairs; ++i) {
            const auto [first, second] =
                lanes_of_pair(shape.layout, static_cast<std::uint32_t>(2 * shape.pairs),
                              static_cast<std::uint32_t>(i));
            const double x1 = x[lane + first], x2 = x[lane + second];
            const double c = static_cast<double>(table.cos[at + i]);
            const double s = static_cast<double>(table.sin[at + i]);
            const double y1 = round_to(x.format, fl(fl(x1 * c) - fl(x2 * s)));
            const double y2 = round_to(x.format, fl(fl(x2 * c) + fl(x1 * s)));
            wrong += is_same(y[lane + first], y1) && is_same(y[lane + second], y2) ? 0 : 1;
        }
        for (std::size_t rest = 2 * shape.pairs; rest < shape.head_dim; ++rest)
            wrong += y.bits(lane + rest) == x.bits(lane + rest) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0U);
}

class Apply : public testing::TestWithParam<Format> {};

TEST_P(Apply, RotatesEveryShapeAsDefinedApartAndInPlace) {
    Seeded random(1);
    for (int round = 0; round < 200; ++round) {
        const std::size_t pairs = 1 + random.below(70);
        const Shape shape{random.below(2) == 0 ? PairLayout::half_split : PairLayout::interleaved,
                          random.below(4), 1 + random.below(50),
                          2 * pairs + random.below(2) * random.below(20), pairs};
        const Table table(shape.positions * pairs, random);
        const std::size_t numbers = shape.heads * shape.positions * shape.head_dim;
        const Tensor x = random_tensor(GetParam(), numbers, random);
        Tensor y(GetParam(), numbers), in_place = x;
        const auto threads = static_cast<unsigned>(random.below(4));
        apply_rotary(rows_of(shape, table), GetParam(), x.bytes, y.bytes, threads);
        apply_rotary(rows_of(shape, table), GetParam(), in_place.bytes, in_place.bytes, threads);
        expect_rotated(shape, table, x, y);
        ASSERT_EQ(y.bytes, in_place.bytes) << round;
    }
}

TEST_P(Apply, StreamsLargeTensorsToTheSameBitsAtAnyAlignment) {
    Seeded random(2);
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
        for (const auto& [head_dim, pairs] :
             {std::pair<std::size_t, std::size_t>{96, 40}, {64, 32}}) {
            const std::size_t size = Tensor(GetParam(), 0).size();
            const std::size_t positions = large_output / (2 * head_dim * size) + 7;
            const Shape large{layout, 2, positions, head_dim, pairs};
            const Table table(positions * pairs, random);
            const Tensor x = random_tensor(GetParam(), large.heads * positions * head_dim, random);
            Tensor in_place = x;
            apply_rotary(rows_of(large, table), GetParam(), in_place.bytes, in_place.bytes);
            for (const std::size_t shift : {std::size_t{0}, std::size_t{16}, size}) {
                AlignedVector<std::byte> memory(x.bytes.size() + shift);
                const auto y = std::span(memory).subspan(shift);
                apply_rotary(rows_of(large, table), GetParam(), x.bytes, y, 2);
                ASSERT_TRUE(std::equal(y.begin(), y.end(), in_place.bytes.begin())) << shift;
            }
        }
}

// R(m)x in double, and what three roundings of float32 and one of the format can do.
TEST_P(Apply, IsRotateOfDoublesButForRounding) {
    Seeded random(3);
    const Shape shape{PairLayout::interleaved, 2, 20, 24, 10};
    const Table table(20 * 10, random);
    Tensor x(GetParam(), 2 * 20 * 24), y = x;
    for (std::size_t k = 0; k < x.bytes.size() / x.size(); ++k)
        x.set_bits(k, GetParam() == Format::float32    ? 0x3f800000 + random.below(1 << 23)
                      : GetParam() == Format::bfloat16 ? 0x3f80 + random.below(128)
                                                       : 0x3c00 + random.below(1024));
    apply_rotary(rows_of(shape, table), GetParam(), x.bytes, y.bytes);
    const double allowed = 4 * (unit_roundoff(GetParam()) + 3 * 0x1p-24);
    for (std::size_t row = 0; row < 40; ++row) {
        Vector lanes, cos, sin;
        for (std::size_t k = 0; k < 24; ++k) lanes.push_back(x[row * 24 + k]);
        for (std::size_t i = 0; i < 10; ++i) {
            cos.push_back(static_cast<double>(table.cos[row % 20 * 10 + i]));
            sin.push_back(static_cast<double>(table.sin[row % 20 * 10 + i]));
        }
        const Vector want = rotate(shape.layout, lanes, cos, sin);
        for (std::size_t k = 0; k < 24; ++k) EXPECT_NEAR(y[row * 24 + k], want[k], allowed);
    }
}

INSTANTIATE_TEST_SUITE_P(Rotation, Apply,
                         testing::Values(Format::float32, Format::bfloat16, Format::float16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Rotation, KeepsEveryNumberOf16BitsUnderTheIdentity) {
    for (const Format format : {Format::bfloat16, Format::float16}) {
        Tensor x(format, 1 << 17), y = x;
        for (std::size_t k = 0; k < 1 << 16; ++k) x.set_bits(2 * k, k);  // and zeros between
        const std::vector<float> one{1}, none{0};
        apply_rotary({PairLayout::interleaved, 2, 1, one, none}, format, x.bytes, y.bytes);
        for (std::size_t k = 0; k < 1 << 16; ++k) ASSERT_TRUE(is_same(y[2 * k], x[2 * k])) << k;
    }
}

TEST(Rotation, RefusesWhatDoesNotFit) {
    const std::vector<float> cos(6, 1), sin(6, 0);  // 3 positions of 2 pairs
    std::vector<std::byte> bytes(2 * 48);
    const std::span<std::byte> all(bytes);
    const RotaryRows sound{PairLayout::half_split, 4, 2, cos, sin};
    const auto apply = [&](RotaryRows rows, Format format, auto x, auto y) {
        apply_rotary(rows, format, x, y);
    };
    const auto x = all.first(48), y = all.last(48);
    EXPECT_NO_THROW(apply(sound, Format::float32, x, y));
    EXPECT_NO_THROW(apply(sound, Format::float32, x.first(0), y.first(0)));
    EXPECT_THROW(apply(sound, Format::float64, x, y), InputError);
    EXPECT_THROW(apply(sound, Format::float32, x, y.first(44)), InputError);
    EXPECT_THROW(apply(sound, Format::float32, x.first(32), y.first(32)), InputError);
    EXPECT_THROW(apply(sound, Format::float32, x, all.subspan(4, 48)), InputError);
    EXPECT_THROW(apply(sound, Format::float32, all.subspan(1, 48), all.subspan(1, 48)), InputError);
    for (const auto& [head_dim, pairs] : {std::pair(3, 2), {4, 0}, {4, 3}}) {
        RotaryRows rows = sound;
        rows.head_dim = static_cast<std::size_t>(head_dim);
        rows.pairs = static_cast<std::size_t>(pairs);
        EXPECT_THROW(apply(rows, Format::float32, x, y), InputError);
    }
    RotaryRows uneven = sound;
    uneven.sin = uneven.sin.first(4);
    EXPECT_THROW(apply(uneven, Format::float32, x, y), InputError);
}

}  // namespace
}  // namespace rope
