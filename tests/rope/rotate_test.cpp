#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <functional>

#include "rope/changes/cleared.hpp"
#include "rope/checks/report.hpp"
#include "rope/dumps.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/golden_vectors.hpp"
#include "rope/seeded.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/specs.hpp"

namespace rope::rotate_test {

constexpr PairLayout half_split = PairLayout::half_split, interleaved = PairLayout::interleaved;

struct Sample {
    std::size_t head_dim, rotary_dim;
    Vector x, cos, sin;
};

// Rotary dimensions 2 to 256, whole heads and partial ones.
std::vector<Sample> samples() {
    Seeded random(1);
    std::vector<Sample> all;
    for (const std::size_t d : {2U, 4U, 6U, 10U, 64U, 80U, 128U, 256U})
        for (const std::size_t rest : {0U, 1U, 2U, 64U}) {
            Sample sample{d + rest, d, random.vector(d + rest), {}, {}};
            for (std::size_t i = 0; i < d / 2; ++i) {
                const double angle = random.within(-4, 4);
                sample.cos.push_back(std::cos(angle));
                sample.sin.push_back(std::sin(angle));
            }
            all.push_back(std::move(sample));
        }
    return all;
}

// Meta's (x_2i + i·x_2i+1)·e^{iφ} and transformers' halves, dimension by dimension: the same two
// products and one sum, so that equality needs no tolerance.
TEST(Rotate, EveryLayoutIsItsDefinition) {
    for (const auto& [head_dim, rotary_dim, x, cos, sin] : samples()) {
        Vector neighbours = x, halves = x, moved = x;
        for (std::size_t i = 0, half = rotary_dim / 2; i < half; ++i) {
            const auto turned = std::complex(x[2 * i], x[2 * i + 1]) * std::complex(cos[i], sin[i]);
            neighbours[2 * i] = moved[i] = turned.real();
            neighbours[2 * i + 1] = moved[i + half] = turned.imag();
            halves[i] = x[i] * cos[i] - x[i + half] * sin[i];
            halves[i + half] = x[i + half] * cos[i] + x[i] * sin[i];
        }
        EXPECT_EQ(rotate(interleaved, x, cos, sin), neighbours);
        EXPECT_EQ(rotate(half_split, x, cos, sin), halves);
        EXPECT_EQ(rotate(PairLayout::interleaved_to_half_split, x, cos, sin), moved);
    }
}

TEST(Rotate, AReverseSpecTurnsByMinusTheAngle) {
    for (const auto& [head_dim, rotary_dim, x, cos, sin] : samples()) {
        Spec spec =
            partial(static_cast<std::uint32_t>(head_dim), static_cast<std::uint32_t>(rotary_dim));
        Vector minus_sin = sin;
        for (double& s : minus_sin) s = -s;
        const Vector want = rotate(spec, x, cos, minus_sin);
        spec.direction = Direction::reverse;
        EXPECT_EQ(rotate(spec, x, cos, sin), want);
    }
}

TEST(Rotate, AnOffsetMovesTheRotatingDimensions) {
    Spec spec = partial(10, 4);
    spec.rotary_offset = 5;
    const Vector x{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, cos{0.6, 0.8}, sin{0.8, -0.6};
    Vector want = x;
    const Vector turned = rotate(half_split, Values(x).subspan(5, 4), cos, sin);
    std::copy(turned.begin(), turned.end(), want.begin() + 5);
    EXPECT_EQ(rotate(spec, x, cos, sin), want);
    EXPECT_EQ(passed_dimensions(spec), (std::vector<std::size_t>{0, 1, 2, 3, 4, 9}));
}

// labml's test prints x = [[1,2,3,4],[4,5,6,7],[7,8,9,10]] rotated; this is its row m = 1.
TEST(Rotate, LabmlsTestVector) {
    const RotaryTable table =
        build_table(plan_frequencies(spec_of(4, 1e4), exact_precision), {1}, Format::float32);
    const Vector y = rotate(half_split, Vector{4, 5, 6, 7}, table.cos, table.sin);
    const std::array want{-2.887616685374820, 4.929751168744160, 6.607697774440424,
                          7.049649169587490};
    // cos and sin are off by 2^-25 each, components are at most 7
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(y[j], want[j], 2 * 7 * 0x1p-25);
}

TEST(Rotate, RefusesLengthsThatDoNotFit) {
    const Vector two(2), three(3), four(4);
    const struct {
        std::function<void()> call;
        const char* message;
    } table[] = {
        {[&] { rotate(half_split, four, two, three); }, "sin has 3 values; it must have 2"},
        {[&] { rotate(half_split, four, three, three); }, "x has 4 values; it must have 6"},
    };
    for (const auto& [call, message] : table) {
        try {
            call();
            ADD_FAILURE() << "accepted: " << message;
        } catch (const InputError& error) {
            EXPECT_STREQ(error.what(), message);
        }
    }
}

constexpr std::uint32_t dim = 16;
constexpr std::size_t length = 600;

const Spec spec = rope::interleaved(spec_of(dim, 10000));

double zeta(std::size_t pair) {
    return (2.0 * static_cast<double>(pair) + 0.4 * dim) / (1.4 * dim);
}

// By the equations of arXiv 2212.10554 in double, rounded once.
OwnVectors scaled(std::uint64_t seed, double base, double centre, double sign,
                  bool is_same = false) {
    OwnVectors vectors;
    vectors.before = golden_normals(seed, 0, length * dim, Format::float32);
    for (std::size_t at = dim; is_same && at < vectors.before.size(); ++at)
        vectors.before[at] = vectors.before[at - dim];
    for (std::size_t m = 0; m < length; ++m) {
        const auto at = static_cast<double>(m);
        vectors.positions.push_back(at);
        for (std::size_t i = 0; i < dim / 2; ++i) {
            const double angle = at * std::pow(10000, -2.0 * static_cast<double>(i) / dim);
            const double scale = std::pow(zeta(i), sign * (at - centre) / base);
            const double x = vectors.before[m * dim + 2 * i];
            const double y = vectors.before[m * dim + 2 * i + 1];
            vectors.after.push_back(
                static_cast<float>(scale * (x * std::cos(angle) - y * std::sin(angle))));
            vectors.after.push_back(
                static_cast<float>(scale * (y * std::cos(angle) + x * std::sin(angle))));
        }
    }
    return vectors;
}

std::uint32_t violated(const RotatedDump& dump, const Xpos& xpos, XposSide side) {
    return summarize(compare(spec, without_xpos(spec, dump, xpos, side))).violated;
}

TEST(Xpos, RotationOfQAndOfKPassesWithoutTheirScales) {
    const RotatedDump q = scaled(1, 512, 300, 1), k = scaled(2, 512, 300, -1);
    EXPECT_EQ(violated(q, {512, 300}, XposSide::query), 0U);
    EXPECT_EQ(violated(k, {512, 300}, XposSide::key), 0U);
    EXPECT_GT(summarize(compare(spec, q)).violated, 0U);
}

TEST(Xpos, AWrongSideBaseOrCentreIsViolated) {
    const RotatedDump q = scaled(1, 512, 300, 1);
    EXPECT_GT(violated(q, {512, 300}, XposSide::key), 0U);
    EXPECT_GT(violated(q, {511, 300}, XposSide::query), 0U);
    EXPECT_GT(violated(q, {512, 299}, XposSide::query), 0U);
}

TEST(Xpos, ScoresOfScaledVectorsKeepRelativePositionWhileNormsAreNotKept) {
    const OwnVectors q = scaled(1, 512, 300, 1, true), k = scaled(2, 512, 300, -1, true);
    const auto score = [&](std::size_t m, std::size_t n) {
        double sum = 0;
        for (std::size_t dimension = 0; dimension < dim; ++dimension)
            sum += q.after[m * dim + dimension] * k.after[n * dim + dimension];
        return sum;
    };
    EXPECT_NEAR(score(550, 450), score(100, 0), 1e-5);
    EXPECT_GT(std::abs(score(550, 450) - score(550, 449)), 1e-3);
    const auto norm = [](const std::vector<double>& values, std::size_t row) {
        double sum = 0;
        for (std::size_t dimension = 0; dimension < dim; ++dimension)
            sum += values[row * dim + dimension] * values[row * dim + dimension];
        return std::sqrt(sum);
    };
    EXPECT_LT(norm(q.after, 599), 0.9 * norm(q.before, 599));
    EXPECT_GT(norm(k.after, 599), 1.1 * norm(k.before, 599));
}

TEST(Xpos, RefusesScalesThatTheFormatCannotHold) {
    RotatedDump q = scaled(1, 512, 300, 1);
    q.format = Format::float16;
    EXPECT_THROW((void)without_xpos(spec, q, {32, 300}, XposSide::query), InputError);
}

}  // namespace rope::rotate_test
