// The results of the checks' kernels on a tile equal, bit for bit, the definitions in their
// headers, computed here one value at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "rope/kernels/checks.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace check_kernels_test {

using Numbers = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

// 9 rows × 29 pairs on a circle; the table's values have relative errors of `size` or less.
struct Tile {
    static constexpr std::size_t rows = 9, stride = 29, n = rows * stride;
    Numbers c, s, true_c, true_s;

    Tile(Seeded& random, double size) {
        for (std::size_t k = 0; k < n; ++k) {
            const double angle = random.within(-4, 4);
            true_c.push_back(std::cos(angle));
            true_s.push_back(std::sin(angle));
            c.push_back(true_c[k] * (1 + size * random.within(-1, 1)));
            s.push_back(true_s[k] + size * random.within(-1, 1));
        }
    }
    CosSin own() const { return {c.data(), s.data()}; }
    ComparedRows compared() const { return {rows, stride, own(), {true_c.data(), true_s.data()}}; }
};

Numbers within(Seeded& random, std::size_t count, double low, double high) {
    Numbers all(count);
    for (double& one : all) one = random.within(low, high);
    return all;
}

// Tiles with right values and with grossly wrong ones.
void for_each_tile(const std::function<void(Seeded&, const Tile&)>& visit) {
    Seeded random(8);
    for (const double size : {0.0, 1e-8, 1e-3, 3.0})
        for (int round = 0; round < 8; ++round) visit(random, Tile(random, size));
}

void expect_bits(double got, double want) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(want))
        << got << " is not " << want;
}

void expect_bits(const Numbers& got, const Numbers& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < got.size(); ++k) expect_bits(got[k], want[k]);
}

// One or both values of a pair have an error at the limit or next to it, on both sides.
TEST(CheckKernels, OverlookNoErrorBeyondItsLimit) {
    Seeded random(9);
    for (int round = 0; round < 2000; ++round) {
        const double rounding = std::exp(random.within(-20, -1));
        const auto m = static_cast<double>(random.below(1U << 20));
        const Numbers slope{random.within(0, 1e-6)}, reach{random.within(0, 1e-6)};
        const double limit = std::min(rounding + m * slope[0], 0.5);
        const double far = std::min(2 * rounding + m * reach[0], 0.75);
        const auto suspects = [&](double error_c, double error_s) {
            const double zero = 0;
            return kernels().checks->table_suspects(
                {1, 1, {&error_c, &error_s}, {&zero, &zero}}, m,
                {slope.data(), rounding, 0.5, reach.data(), 2 * rounding, 0.75});
        };
        if (limit < far) {
            EXPECT_TRUE(suspects(std::nextafter(limit, 1), 0)) << round;
            EXPECT_TRUE(suspects(0, -std::nextafter(limit, 1))) << round;
            EXPECT_FALSE(suspects(limit * (1 - 0x1p-48), 0)) << round;
        }
        const double c = far * random.within(0, 1), s = std::sqrt((far - c) * (far + c));
        if (std::max(c, s) < limit * (1 - 0x1p-40)) {
            EXPECT_TRUE(suspects(c, s * (1 + 0x1p-40))) << round;
            EXPECT_FALSE(suspects(c * (1 - 0x1p-40), s * (1 - 0x1p-40))) << round;
        }
    }
}

TEST(CheckKernels, CheckATableAsDefined) {
    for_each_tile([](Seeded& random, const Tile& tile) {
        const Numbers position = within(random, tile.rows, 0, 1e5);
        const Numbers per_angle = within(random, tile.rows, 0, 1);
        const Numbers slope = within(random, tile.stride, 0, 1e-6);
        const Numbers per_theta = within(random, tile.stride, 1, 1e4);
        const double rounding = 0x1p-25, ceiling = 0.01, slack = 0x1p-24, per_square = 0.75;
        Numbers worst(tile.stride), out = worst, drift = worst;
        kernels().checks->table_errors(tile.compared(),
                                       {position.data(), per_angle.data(), slope.data(),
                                        per_theta.data(), rounding, ceiling, slack, per_square},
                                       {worst.data(), out.data(), drift.data()});
        Numbers want_worst(tile.stride), want_out = want_worst, want_drift = want_worst;
        for (std::size_t k = 0; k < tile.n; ++k) {
            const std::size_t r = k / tile.stride, i = k % tile.stride;
            const double allowed = std::min(rounding + position[r] * slope[i], ceiling);
            const double error_c = std::abs(tile.c[k] - tile.true_c[k]);
            const double error_s = std::abs(tile.s[k] - tile.true_s[k]);
            want_worst[i] = std::max(want_worst[i], std::max(error_c, error_s) / allowed);
            want_out[i] += (error_c > allowed) + (error_s > allowed);
            const double sine =
                std::abs(tile.s[k] * tile.true_c[k] - tile.c[k] * tile.true_s[k]) * per_square;
            const double cosine = tile.c[k] * tile.true_c[k] + tile.s[k] * tile.true_s[k];
            const double turned = cosine < 0 ? 2 - sine : sine;
            want_drift[i] = std::max(want_drift[i], (turned - slack) * per_theta[i] * per_angle[r]);
        }
        expect_bits(worst, want_worst);
        expect_bits(out, want_out);
        expect_bits(drift, want_drift);
    });
}

TEST(CheckKernels, FindTheLeastKAsDefined) {
    for_each_tile([](Seeded& random, const Tile& tile) {
        Numbers position = within(random, tile.rows, -1e5, 1e5);
        position[3] = 0;
        const Numbers unit = within(random, tile.stride, 1e-9, 1e-7);
        const double amplitude = random.within(1, 1.5), rounding = 0x1p-25, distance = 0x1p-24;
        Numbers got(tile.n), want(tile.n);
        kernels().checks->least_k(tile.compared(),
                                  {position.data(), unit.data(), amplitude, rounding, distance},
                                  got.data());
        for (std::size_t k = 0; k < tile.n; ++k) {
            const double m = std::abs(position[k / tile.stride]);
            const double error_c = tile.c[k] - amplitude * tile.true_c[k];
            const double error_s = tile.s[k] - amplitude * tile.true_s[k];
            const double one = std::max(std::abs(error_c), std::abs(error_s)) - rounding;
            const double both = std::sqrt(error_c * error_c + error_s * error_s) - distance;
            want[k] = m == 0 ? 0 : std::max(one, both) / (m * unit[k % tile.stride]);
        }
        expect_bits(got, want);
        Tile bad = tile;
        bad.c[40] = std::nan("");
        kernels().checks->least_k(bad.compared(),
                                  {position.data(), unit.data(), amplitude, rounding, distance},
                                  got.data());
        EXPECT_EQ(got[40], infinity);
    });
}

TEST(CheckKernels, MeasureNormsAsDefined) {
    for_each_tile([](Seeded& random, const Tile& tile) {
        const double norm = random.within(0.9, 1.1), allowed = random.within(0, 0.2);
        Numbers worst(tile.stride), out = worst, want_worst = worst, want_out = worst;
        kernels().checks->norm_errors(tile.rows, tile.stride, norm, allowed, tile.own(),
                                      worst.data(), out.data());
        double largest = 0;
        for (std::size_t k = 0; k < tile.n; ++k) {
            const double error = std::abs(tile.c[k] * tile.c[k] + tile.s[k] * tile.s[k] - norm);
            want_worst[k % tile.stride] = std::max(want_worst[k % tile.stride], error);
            want_out[k % tile.stride] += error > allowed;
            largest = std::max(largest, error);
        }
        expect_bits(worst, want_worst);
        expect_bits(out, want_out);
        const auto suspects = [&](double expected) {
            return kernels().checks->norm_suspects(tile.n, norm, expected, tile.own());
        };
        EXPECT_FALSE(suspects(largest));
        EXPECT_TRUE(suspects(std::nextafter(largest, 0)));
    });
}

TEST(CheckKernels, MeasureRadiiAsDefined) {
    for_each_tile([](Seeded& random, const Tile& tile) {
        const double inverse = random.within(0.5, 1);
        Numbers radius = within(random, tile.stride, 0, 0.1), want = radius;
        kernels().checks->radii(tile.compared(), inverse, radius.data());
        for (std::size_t k = 0; k < tile.n; ++k) {
            const double a = tile.c[k] * inverse, b = tile.s[k] * inverse;
            const double p = a - tile.true_c[k], q = b - tile.true_s[k];
            double& largest = want[k % tile.stride];
            largest = std::max(largest, p * p + q * q);
        }
        expect_bits(radius, want);
    });
}

TEST(CheckKernels, MeasureRotatedDimensionsAsDefined) {
    for_each_tile([](Seeded& random, const Tile& tile) {
        Numbers dimension[6];
        for (Numbers& each : dimension) each = within(random, tile.n, -3, 3);
        const auto& [xa, pa, ya, xb, pb, yb] = dimension;
        const double scale = random.within(0.5, 2);
        Numbers norm(tile.n), error(tile.n);
        kernels().recovery->turn_errors(
            tile.n, {xa.data(), pa.data(), ya.data(), xb.data(), pb.data(), yb.data()}, tile.own(),
            scale, norm.data(), error.data());
        for (std::size_t k = 0; k < tile.n; ++k) {
            const double squares = xa[k] * xa[k] + pa[k] * pa[k] + xb[k] * xb[k] + pb[k] * pb[k];
            expect_bits(norm[k], std::sqrt(squares / 2));
            const double ea = ya[k] - scale * (xa[k] * tile.c[k] + pa[k] * tile.s[k]);
            const double eb = yb[k] - scale * (xb[k] * tile.c[k] + pb[k] * tile.s[k]);
            expect_bits(error[k], std::sqrt(ea * ea + eb * eb) / (norm[k] * scale));
        }
    });
}

}  // namespace check_kernels_test
}  // namespace rope
