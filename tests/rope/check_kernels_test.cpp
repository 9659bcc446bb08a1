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

#include "rope/exact/random.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"
#include "rope/oracle.hpp"
#include "rope/seeded.hpp"

namespace rope::check_kernels_test {

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

// The largest errors stated in the kernels' headers, each at the worst input that a search found
// and at random inputs, compared with MPFR.

using oracle::Real;

// |got − exact| in units of 2^-53
double units(double got, const Real& exact) { return std::ldexp(oracle::distance(got, exact), 53); }

// `got` at the worst input has the header's error, and is the number nearest to the exact one.
void expect_recorded(double got, const Real& exact, double recorded, double want, double error) {
    EXPECT_EQ(got, recorded);
    EXPECT_EQ(oracle::nearest(Format::float64, exact), want);
    EXPECT_NEAR(units(got, exact), error, 0.005);
}

struct ExactCosSin {
    Real cos{200}, sin{200};

    explicit ExactCosSin(std::uint64_t turn) {
        Real angle(300);
        mpfr_const_pi(angle, MPFR_RNDN);
        mpfr_mul_si(angle, angle, static_cast<std::int64_t>(turn), MPFR_RNDN);
        mpfr_div_2ui(angle, angle, 63, MPFR_RNDN);
        mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
    }
    explicit ExactCosSin(float angle) {
        Real x(24);
        mpfr_set_flt(x, angle, MPFR_RNDN);
        mpfr_sin_cos(sin, cos, x, MPFR_RNDN);
    }
    double worst(double c, double s) const { return std::max(units(c, cos), units(s, sin)); }
};

struct CosSinOfEach {
    std::vector<double> c, s;
    CosSin in() const { return {c.data(), s.data()}; }
    CosSinOut out() { return {c.data(), s.data()}; }
};

CosSinOfEach of_turns(const std::vector<std::uint64_t>& turn) {
    CosSinOfEach to{std::vector<double>(turn.size()), std::vector<double>(turn.size())};
    kernels().cos_sin_of_turns(turn.size(), turn.data(), to.c.data(), to.s.data());
    return to;
}

CosSinOfEach of_angles(const std::vector<float>& angle) {
    CosSinOfEach to{std::vector<double>(angle.size()), std::vector<double>(angle.size())};
    kernels().cos_sin_of_angles(angle.size(), angle.data(), to.c.data(), to.s.data());
    return to;
}

std::vector<std::uint64_t> random_turns(std::size_t n, Random& random) {
    std::vector<std::uint64_t> turn(n);
    for (std::uint64_t& each : turn) each = random.bits();
    return turn;
}

TEST(KernelErrors, OfTurns) {
    const CosSinOfEach worst = of_turns({0x1fdf380560d3017f});
    expect_recorded(worst.s[0], ExactCosSin(std::uint64_t{0x1fdf380560d3017f}).sin,
                    0x1.68e62830365d3p-1, 0x1.68e62830365d4p-1, 1.4145);
    Random random(1);
    const std::vector<std::uint64_t> turn = random_turns(20000, random);
    const CosSinOfEach got = of_turns(turn);
    for (std::size_t k = 0; k < turn.size(); ++k)
        ASSERT_LE(ExactCosSin(turn[k]).worst(got.c[k], got.s[k]), 1.4145) << turn[k];
}

TEST(KernelErrors, OfAngles) {
    const float at = std::bit_cast<float>(0xc55c4151);
    const CosSinOfEach worst = of_angles({at});
    expect_recorded(worst.s[0], ExactCosSin(at).sin, 0x1.69c77ebb4bd73p-1, 0x1.69c77ebb4bd71p-1,
                    1.6292);
    Random random(1);
    std::vector<float> angle(20000);
    for (float& each : angle) {
        const double mantissa = static_cast<double>(random.bits() >> 11) * 0x1p-52 - 1;
        each = static_cast<float>(std::ldexp(mantissa, static_cast<int>(random.bits() % 37) - 4));
    }
    const CosSinOfEach got = of_angles(angle);
    for (std::size_t k = 0; k < angle.size(); ++k)
        ASSERT_LE(ExactCosSin(angle[k]).worst(got.c[k], got.s[k]), 1.6292) << angle[k];
}

CosSinOfEach added(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    const CosSinOfEach block = of_turns(a), base = of_turns(b);
    CosSinOfEach to = block;
    kernels().add_angles(1, a.size(), block.in(), base.in(), to.out());
    return to;
}

TEST(KernelErrors, OfAngleAddition) {
    const std::uint64_t at_a = 0x614ef873e5dcf481, at_b = 0x9f6c240c1e895d80;
    const CosSinOfEach worst = added({at_a}, {at_b});
    expect_recorded(worst.s[0], ExactCosSin(at_a + at_b).sin, 0x1.25e5e4de432p-6,
                    0x1.25e5e4de4317ep-6, 4.0697);
    EXPECT_LT(std::ldexp(4.0697, -53), cos_sin_error);
    Random random(1);
    const auto a = random_turns(20000, random), b = random_turns(20000, random);
    const CosSinOfEach got = added(a, b);
    for (std::size_t k = 0; k < a.size(); ++k)
        ASSERT_LE(ExactCosSin(a[k] + b[k]).worst(got.c[k], got.s[k]), 4.0697)
            << a[k] << ' ' << b[k];
}

// 64 pairs at 64 distances, from seeds; at odd distances all terms are near 1.
struct Summed {
    static constexpr std::size_t pairs = 64, rows = 64, half = rows / 2;
    std::vector<std::uint64_t> block, base;
    std::vector<double> mean = std::vector<double>(rows), roformer = mean, sums = mean;

    explicit Summed(std::uint64_t seed) {
        Random random(seed);
        block = random_turns(pairs, random);
        base = random_turns(pairs * rows, random);
        if (seed % 2 == 1)
            for (std::size_t k = 0; k < base.size(); ++k)
                base[k] = (base[k] >> 5) - block[k / rows];
        const CosSinOfEach a = of_turns(block), b = of_turns(base);
        kernels().sums->decay(pairs, rows, a.c.data(), a.s.data(), b.c.data(), b.s.data(),
                              mean.data(), roformer.data());
        std::vector<double> offsets(pairs * rows);
        for (std::size_t j = 0; j < pairs; ++j)
            for (std::size_t k = 0; k < half; ++k) {
                offsets[2 * j * half + k] = b.c[j * rows + k];
                offsets[(2 * j + 1) * half + k] = b.s[j * rows + k];
            }
        kernels().sums->cosine_sums(pairs, 0, a.c.data(), a.s.data(), offsets.data(), sums.data());
    }

    void exact_decay(std::size_t s, Real& exact_mean, Real& exact_roformer) const {
        Real c(200), i(200), modulus(200);
        for (mpfr_ptr x : {mpfr_ptr(c), mpfr_ptr(i), mpfr_ptr(exact_roformer)}) mpfr_set_zero(x, 1);
        for (std::size_t j = 0; j < pairs; ++j) {
            const ExactCosSin term(block[j] + base[j * rows + s]);
            mpfr_add(c, c, term.cos, MPFR_RNDN);
            mpfr_add(i, i, term.sin, MPFR_RNDN);
            mpfr_hypot(modulus, c, i, MPFR_RNDN);
            mpfr_add(exact_roformer, exact_roformer, modulus, MPFR_RNDN);
        }
        mpfr_div_ui(exact_mean, c, pairs, MPFR_RNDN);
        mpfr_div_ui(exact_roformer, exact_roformer, pairs, MPFR_RNDN);
    }
    void exact_sum(std::size_t at, Real& sum) const {
        mpfr_set_zero(sum, 1);
        for (std::size_t j = 0; j < pairs; ++j) {
            const std::uint64_t offset = base[j * rows + (at >= half ? at - half : half - 1 - at)];
            const ExactCosSin term(at >= half ? block[j] + offset : block[j] - offset);
            mpfr_add(sum, sum, term.cos, MPFR_RNDN);
        }
    }
};

TEST(KernelErrors, OfTheMeanCosine) {
    Real mean(200), roformer(200);
    const Summed worst(303);
    worst.exact_decay(15, mean, roformer);
    expect_recorded(worst.mean[15], mean, 0x1.fc632a172dbbp-1, 0x1.fc632a172dbb7p-1, 7.117);
    const Summed worst_roformer(175);
    worst_roformer.exact_decay(43, mean, roformer);
    expect_recorded(worst_roformer.roformer[43], roformer, 0x1.03a4343340e65p+5,
                    0x1.03a4343340e61p+5, 268.212);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Summed any(seed);
        for (std::size_t s = 0; s < Summed::rows; ++s) {
            any.exact_decay(s, mean, roformer);
            ASSERT_LE(units(any.mean[s], mean), 7.117) << seed << ' ' << s;
            ASSERT_LE(units(any.roformer[s], roformer), 268.212) << seed << ' ' << s;
        }
    }
}

TEST(KernelErrors, OfSumsOfCosines) {
    Real sum(200);
    const Summed worst(133);
    worst.exact_sum(63, sum);
    expect_recorded(worst.sums[63], sum, 0x1.fcc1d0501a268p+5, 0x1.fcc1d0501a26ep+5, 371.045);
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Summed any(seed);
        for (std::size_t at = 0; at < Summed::rows; ++at) {
            any.exact_sum(at, sum);
            ASSERT_LE(units(any.sums[at], sum), 371.045) << seed << ' ' << at;
        }
    }
}

}  // namespace rope::check_kernels_test
