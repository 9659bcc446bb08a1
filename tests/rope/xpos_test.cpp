#include <gtest/gtest.h>

#include <cmath>

#include "rope/changes/cleared.hpp"
#include "rope/dumps.hpp"
#include "rope/report/report.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/specs.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope {
namespace xpos_test {

constexpr std::uint32_t dim = 16;
constexpr std::size_t length = 600;

const Spec spec = interleaved(spec_of(dim, 10000));

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

}  // namespace xpos_test
}  // namespace rope
