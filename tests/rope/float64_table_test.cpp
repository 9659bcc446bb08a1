// Tables in float64, compared with MPFR's correct rounding.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "rope/kernels/kernels.hpp"
#include "rope/oracle.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/seeded.hpp"
#include "rope/specs.hpp"

namespace rope::float64_table_test {

TEST(Kernels, AreThoseThatTheEnvironmentNames) {
    const char* forced = std::getenv("ROPE_CHECK_ISA");
    if (forced != nullptr) {
        EXPECT_STREQ(kernels().isa, forced);
    }
}

using oracle::Real;

RotaryTable table_from(const FrequencyPlan& plan, std::uint64_t first, std::size_t rows) {
    std::vector<std::uint64_t> positions(rows);
    std::iota(positions.begin(), positions.end(), first);
    return build_table(plan, std::move(positions), Format::float64);
}

// The numbers of pair i for d and base, times the attention factor, that are not the nearest.
std::uint64_t misrounded(const RotaryTable& table, double base, std::uint32_t i, std::uint32_t d,
                         std::uint64_t first, mpfr_srcptr amplitude) {
    std::uint64_t count = 0;
    Real theta, cos(260), sin(260);
    oracle::set_theta(theta, base, i, d);
    for (std::uint64_t k = i, m = first; k < table.cos.size(); k += d / 2, ++m) {
        oracle::cos_sin(cos, sin, theta, m);
        mpfr_mul(cos, cos, amplitude, MPFR_RNDN);
        mpfr_mul(sin, sin, amplitude, MPFR_RNDN);
        count += (table.cos[k] != mpfr_get_d(cos, MPFR_RNDN)) +
                 (table.sin[k] != mpfr_get_d(sin, MPFR_RNDN));
    }
    return count;
}

std::uint64_t misrounded(const RotaryTable& table, double base, std::uint32_t i, std::uint32_t d,
                         std::uint64_t first, double amplitude = 1) {
    Real factor;
    mpfr_set_d(factor, amplitude, MPFR_RNDN);
    return misrounded(table, base, i, d, first, static_cast<mpfr_srcptr>(factor));
}

std::uint64_t misrounded(double base, std::uint32_t d, std::uint64_t first, std::uint64_t rows,
                         double amplitude = 1) {
    FrequencyPlan plan = plan_frequencies(spec_of(d, base), exact_precision);
    plan.set_amplitude(BigReal(amplitude, exact_precision));
    const RotaryTable table = table_from(plan, first, rows);
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < d / 2; ++i)
        count += misrounded(table, base, i, d, first, amplitude);
    return count;
}

TEST(Float64Table, HasTheNearestNumbersToTheLargestContext) {
    Seeded random(1);
    for (int round = 0; round < 200; ++round) {
        const auto d = static_cast<std::uint32_t>(2 + 2 * random.below(66));
        const double base = std::exp(random.within(0, 40));
        const std::uint64_t rows = 1 + random.below(20);
        const std::uint64_t first = round < 20
                                        ? max_context - rows - random.below(3000)
                                        : random.bits() % (max_context - rows) >> random.below(32);
        const double amplitude = round % 3 == 0 ? random.within(-3, 3) : 1;
        EXPECT_EQ(misrounded(base, d, first, rows, amplitude), 0U)
            << d << " dimensions, base " << base << ", amplitude " << amplitude << " at " << first;
    }
}

// At the positions with mθ closest to whole quarters of a turn, cos or sin is nearly 0 or ±1: the
// denominators of the continued fraction of 4θ/2π.
TEST(Float64Table, HasThemNearestToTheAxes) {
    constexpr std::uint32_t d = 128;
    const FrequencyPlan plan = plan_frequencies(spec_of(d, 1e4), exact_precision);
    for (std::uint32_t i = 0; i < d / 2; ++i) {
        Real x, whole;
        oracle::set_theta(x, 1e4, i, d);
        mpfr_const_pi(whole, MPFR_RNDN);
        mpfr_div(x, x, whole, MPFR_RNDN);
        mpfr_mul_ui(x, x, 2, MPFR_RNDN);
        for (std::uint64_t before = 0, m = 1; m < max_context;) {
            EXPECT_EQ(misrounded(table_from(plan, m, 1), 1e4, i, d, m), 0U) << m << ' ' << i;
            mpfr_frac(x, x, MPFR_RNDN);
            mpfr_ui_div(x, 1, x, MPFR_RNDN);
            if (mpfr_cmp_ui(x, max_context) > 0) break;
            const std::uint64_t next = mpfr_get_ui(x, MPFR_RNDZ) * m + before;
            before = m;
            m = next;
        }
    }
}

// yarn's 0.1·ln s + 1 and longrope's √(1 + ln s/ln L0) are not doubles: if the factor is rounded
// to one first, one number in twenty changes.
TEST(Float64Table, IsRoundedOnceUnderAnIrrationalAttentionFactor) {
    Real amplitude, original;
    mpfr_log_ui(amplitude, 40, MPFR_RNDN);
    mpfr_div_ui(amplitude, amplitude, 10, MPFR_RNDN);
    mpfr_add_ui(amplitude, amplitude, 1, MPFR_RNDN);
    const Spec spec = spec_of(64, 1e4, yarn(40), 163840);
    const RotaryTable of_yarn = table_from(plan_frequencies(spec, exact_precision), 100000, 4096);
    for (const std::uint32_t i : {0U, 3U})  // yarn does not change these pairs
        EXPECT_EQ(misrounded(of_yarn, 1e4, i, 64, 100000, static_cast<mpfr_srcptr>(amplitude)), 0U);

    Spec longrope = spec_of(64, 1e4, {}, 131072);
    longrope.scaling.rope_type = "longrope";
    longrope.scaling.original_max_position_embeddings = 4096;
    longrope.scaling.short_factor = longrope.scaling.long_factor = std::vector<double>(32, 1);
    mpfr_log_ui(amplitude, 131072 / 4096, MPFR_RNDN);
    mpfr_log_ui(original, 4096, MPFR_RNDN);
    mpfr_div(amplitude, amplitude, original, MPFR_RNDN);
    mpfr_add_ui(amplitude, amplitude, 1, MPFR_RNDN);
    mpfr_sqrt(amplitude, amplitude, MPFR_RNDN);
    const RotaryTable of_longrope =
        table_from(plan_frequencies(longrope, exact_precision), 7, 4096);
    for (std::uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(misrounded(of_longrope, 1e4, i, 64, 7, static_cast<mpfr_srcptr>(amplitude)), 0U);
}

TEST(Float64Table, IsRightWhereItsNumbersAreSubnormalOrVast) {
    EXPECT_EQ(misrounded(1e4, 8, 70, 40, 0x1p-1040), 0U);
    EXPECT_EQ(misrounded(1e4, 8, 70, 40, 0x1.8p1000), 0U);
}

}  // namespace rope::float64_table_test
