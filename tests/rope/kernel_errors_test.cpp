// The largest errors stated in the kernels' headers, each at the worst input that a search found
// and at random inputs, compared with MPFR.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"
#include "rope/number/random.hpp"
#include "rope/oracle.hpp"

namespace rope {
namespace kernel_errors_test {

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

struct Numbers {
    std::vector<double> c, s;
    CosSin in() const { return {c.data(), s.data()}; }
    CosSinOut out() { return {c.data(), s.data()}; }
};

Numbers of_turns(const std::vector<std::uint64_t>& turn) {
    Numbers to{std::vector<double>(turn.size()), std::vector<double>(turn.size())};
    kernels().cos_sin_of_turns(turn.size(), turn.data(), to.c.data(), to.s.data());
    return to;
}

Numbers of_angles(const std::vector<float>& angle) {
    Numbers to{std::vector<double>(angle.size()), std::vector<double>(angle.size())};
    kernels().cos_sin_of_angles(angle.size(), angle.data(), to.c.data(), to.s.data());
    return to;
}

std::vector<std::uint64_t> random_turns(std::size_t n, Random& random) {
    std::vector<std::uint64_t> turn(n);
    for (std::uint64_t& each : turn) each = random.bits();
    return turn;
}

TEST(KernelErrors, OfTurns) {
    const Numbers worst = of_turns({0x1fdf380560d3017f});
    expect_recorded(worst.s[0], ExactCosSin(std::uint64_t{0x1fdf380560d3017f}).sin,
                    0x1.68e62830365d3p-1, 0x1.68e62830365d4p-1, 1.4145);
    Random random(1);
    const std::vector<std::uint64_t> turn = random_turns(20000, random);
    const Numbers got = of_turns(turn);
    for (std::size_t k = 0; k < turn.size(); ++k)
        ASSERT_LE(ExactCosSin(turn[k]).worst(got.c[k], got.s[k]), 1.4145) << turn[k];
}

TEST(KernelErrors, OfAngles) {
    const float at = std::bit_cast<float>(0xc55c4151);
    const Numbers worst = of_angles({at});
    expect_recorded(worst.s[0], ExactCosSin(at).sin, 0x1.69c77ebb4bd73p-1, 0x1.69c77ebb4bd71p-1,
                    1.6292);
    Random random(1);
    std::vector<float> angle(20000);
    for (float& each : angle) {
        const double mantissa = static_cast<double>(random.bits() >> 11) * 0x1p-52 - 1;
        each = static_cast<float>(std::ldexp(mantissa, static_cast<int>(random.bits() % 37) - 4));
    }
    const Numbers got = of_angles(angle);
    for (std::size_t k = 0; k < angle.size(); ++k)
        ASSERT_LE(ExactCosSin(angle[k]).worst(got.c[k], got.s[k]), 1.6292) << angle[k];
}

Numbers added(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    const Numbers block = of_turns(a), base = of_turns(b);
    Numbers to = block;
    kernels().add_angles(1, a.size(), block.in(), base.in(), to.out());
    return to;
}

TEST(KernelErrors, OfAngleAddition) {
    const std::uint64_t at_a = 0x614ef873e5dcf481, at_b = 0x9f6c240c1e895d80;
    const Numbers worst = added({at_a}, {at_b});
    expect_recorded(worst.s[0], ExactCosSin(at_a + at_b).sin, 0x1.25e5e4de432p-6,
                    0x1.25e5e4de4317ep-6, 4.0697);
    EXPECT_LT(std::ldexp(4.0697, -53), cos_sin_error);
    Random random(1);
    const auto a = random_turns(20000, random), b = random_turns(20000, random);
    const Numbers got = added(a, b);
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
        const Numbers a = of_turns(block), b = of_turns(base);
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

}  // namespace kernel_errors_test
}  // namespace rope
