// Tables in the caller's memory, compared with MPFR and with the rows that truth_test.cpp
// compares with it.
#include "rope/rows/stored_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <vector>

#include "rope/exact/element.hpp"
#include "rope/exact/memory.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/oracle.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/seeded.hpp"
#include "rope/specs.hpp"
#include "tests/rope/oracle.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace stored_table_test {

// A table and its memory, `shift` numbers from an alignment to 64 bytes, with guard bytes around
// it.
class Memory {
  public:
    Memory(Format format, std::size_t numbers, std::size_t shift = 0)
        : format_(format),
          size_(bytes_of(element_of(format))),
          numbers_(numbers),
          shift_(shift),
          cos_(numbers * size_ + 64 + shift * size_ + around, untouched),
          sin_(cos_) {}

    StoredTable table() { return {format_, span(cos_), span(sin_)}; }
    double cos(std::size_t k) { return number_at(element_of(format_), &span(cos_)[k * size_]); }
    double sin(std::size_t k) { return number_at(element_of(format_), &span(sin_)[k * size_]); }

    // The number of guard bytes that changed.
    std::uint64_t touched() {
        std::uint64_t count = 0;
        for (std::vector<std::byte>* bytes : {&cos_, &sin_}) {
            const std::span<std::byte> own = span(*bytes);
            for (const std::byte& one : *bytes)
                if (&one < own.data() || &one >= own.data() + own.size()) count += one != untouched;
        }
        return count;
    }

  private:
    static constexpr std::size_t around = 1024;
    static constexpr std::byte untouched{0xcd};

    std::span<std::byte> span(std::vector<std::byte>& bytes) {
        const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
        return {bytes.data() + (63 & (0 - address)) + shift_ * size_, numbers_ * size_};
    }

    Format format_;
    std::size_t size_, numbers_, shift_;
    std::vector<std::byte> cos_, sin_;
};

std::uint64_t differences(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t rows,
                          Format format, std::size_t shift = 0, unsigned threads = 1) {
    const std::size_t n = rows * plan.pairs.size();
    Memory memory(format, n, shift);
    build_table(plan, first, memory.table(), threads);
    std::uint64_t count = memory.touched();
    for (std::uint64_t begin = 0; begin < rows; begin += 4096) {
        std::vector<std::uint64_t> m(std::min<std::uint64_t>(4096, rows - begin));
        std::iota(m.begin(), m.end(), first + begin);
        const RotaryTable want = build_table(plan, m, format);
        const std::size_t at = begin * plan.pairs.size();
        for (std::size_t k = 0; k < want.cos.size(); ++k)
            count += (memory.cos(at + k) != want.cos[k]) + (memory.sin(at + k) != want.sin[k]);
    }
    return count;
}

TEST(Kernels, AreThoseThatTheEnvironmentNames) {
    const char* forced = std::getenv("ROPE_CHECK_ISA");
    if (forced != nullptr) {
        EXPECT_STREQ(kernels().isa, forced);
    }
}

class StoredTables : public testing::TestWithParam<Format> {};

TEST_P(StoredTables, HaveTheNearestNumbersToPosition131072) {
    const FrequencyPlan plan = plan_frequencies(spec_of(128, 1e4), exact_precision);
    EXPECT_EQ(differences(plan, 0, 131072, GetParam()), 0U);  // streamed
}

TEST_P(StoredTables, HaveThemOnAnyRunOfRowsAndAnyThreads) {
    Seeded random(1);
    for (int round = 0; round < 60; ++round) {
        const auto pairs = static_cast<std::uint32_t>(1 + random.below(70));
        const Spec spec = spec_of(2 * pairs, 1e4 * (1 + random.unit()),
                                  round % 3 == 0 ? he_xu() : Scaling{}, 3000);
        FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        if (round % 4 == 0) plan.set_amplitude(BigReal(random.within(0.5, 2), exact_precision));
        const std::uint64_t rows = random.below(200), reach = max_context - rows;
        const std::uint64_t first = round == 1       ? reach
                                    : round % 2 == 0 ? random.below(10000)
                                                     : random.below(reach);
        EXPECT_EQ(differences(plan, first, rows, GetParam(), random.below(3),
                              static_cast<unsigned>(random.below(4))),
                  0U)
            << pairs << " pairs at " << first << ", " << rows << " rows";
    }
}

TEST_P(StoredTables, StreamedAtAnyAlignmentAndByAnyThreads) {
    const FrequencyPlan plan = plan_frequencies(spec_of(128, 5e5), exact_precision);
    const std::uint64_t rows = large_output / (64 * bytes_of(element_of(GetParam()))) + 17;
    const std::size_t numbers_of_16_bytes = 16 / bytes_of(element_of(GetParam()));
    for (const std::size_t shift : {std::size_t{0}, std::size_t{1}, numbers_of_16_bytes})
        EXPECT_EQ(differences(plan, 1'000'003, rows, GetParam(), shift, 3), 0U) << shift;
}

TEST_P(StoredTables, HaveThemForAnyAttentionFactor) {
    FrequencyPlan plan = plan_frequencies(spec_of(128, 1e4), exact_precision);
    for (const double factor : {1e-300, 1e-45, 1e-40, 2e-38, 1e-19, 1e-8, 3e-5, 0.1, 1.0, 1.37,
                                100.0, 65504.0, 65519.0, 65520.0, 1e5, 1e18, 1e20, 1e38, 1e39}) {
        plan.set_amplitude(BigReal(factor, exact_precision));
        EXPECT_EQ(differences(plan, 90, 70, GetParam()), 0U) << factor;
    }
}

// The sine of position 0, and he_xu's of whole turns.
TEST_P(StoredTables, ZeroIsPositive) {
    const FrequencyPlan plan = plan_frequencies(spec_of(64, 1e4, he_xu(), 8), exact_precision);
    Memory memory(GetParam(), 64 * 32);
    build_table(plan, 0, memory.table());
    for (const std::size_t m : {0U, 32U}) {
        EXPECT_EQ(memory.sin(m * 32), 0.0);
        EXPECT_FALSE(std::signbit(memory.sin(m * 32))) << m;
    }
    EXPECT_EQ(memory.cos(8 * 32), 0.0);
    EXPECT_FALSE(std::signbit(memory.cos(8 * 32)));
}

// With the kernels' registers, and number by number in narrower rows.
TEST(Float16Tables, KeepTheSignOfValuesThatRoundToZero) {
    constexpr std::uint64_t rows = 64;
    for (const std::uint32_t pairs : {4U, 32U}) {
        FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, 1e4), exact_precision);
        plan.set_amplitude(BigReal(1e-9, exact_precision));
        Memory memory(Format::float16, rows * pairs);
        build_table(plan, 0, memory.table());
        for (std::size_t k = 0; k < rows * pairs; ++k) {
            const std::size_t row = k / pairs;
            const double angle =
                static_cast<double>(row) * plan.pairs[k % pairs].inv_freq.to_double();
            EXPECT_EQ(memory.sin(k), 0.0);
            EXPECT_EQ(std::signbit(memory.sin(k)), std::sin(angle) < 0) << pairs << ' ' << k;
            EXPECT_EQ(std::signbit(memory.cos(k)), std::cos(angle) < 0) << pairs << ' ' << k;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Table, StoredTables,
                         testing::Values(Format::float32, Format::bfloat16, Format::float16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(StoredTable, MustFitItsPlan) {
    const FrequencyPlan plan = plan_frequencies(spec_of(8, 1e4), exact_precision);
    std::vector<std::byte> bytes(160);
    const std::span<std::byte> all(bytes);
    const auto build = [&](Format format, auto cos, auto sin, std::uint64_t first) {
        build_table(plan, first, {format, cos, sin});
    };
    const auto half = all.first(80), rest = all.last(80);
    EXPECT_NO_THROW(build(Format::float32, half, rest, 0));
    EXPECT_NO_THROW(build(Format::float32, half.first(0), rest.first(0), 0));
    EXPECT_THROW(build(Format::tf32, half, rest, 0), InputError);
    EXPECT_THROW(build(Format::float32, half, rest.first(64), 0), InputError);
    EXPECT_THROW(build(Format::float32, half.first(72), rest.first(72), 0), InputError);
    EXPECT_THROW(build(Format::float32, all.subspan(1, 16), rest.first(16), 0), InputError);
    EXPECT_THROW(build(Format::float32, half, rest, max_context - 4), InputError);
    EXPECT_THROW(build(Format::float32, half, rest, ~std::uint64_t{0}), InputError);
    EXPECT_NO_THROW(build(Format::float32, half, rest, max_context - 5));
}

// No value is misrounded in float64 either: compared with MPFR's correct rounding.

using oracle::Real;

struct Table {
    std::vector<double> cos, sin;

    Table(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t rows, unsigned threads = 1)
        : cos(rows * plan.pairs.size()), sin(cos) {
        build_table(plan, first,
                    {Format::float64, std::as_writable_bytes(std::span(cos)),
                     std::as_writable_bytes(std::span(sin))},
                    threads);
    }
};

// The numbers of pair i for d and base, times the attention factor, that are not the nearest.
std::uint64_t misrounded(const Table& table, double base, std::uint32_t i, std::uint32_t d,
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

std::uint64_t misrounded(const Table& table, double base, std::uint32_t i, std::uint32_t d,
                         std::uint64_t first, double amplitude = 1) {
    Real factor;
    mpfr_set_d(factor, amplitude, MPFR_RNDN);
    return misrounded(table, base, i, d, first, static_cast<mpfr_srcptr>(factor));
}

std::uint64_t misrounded(double base, std::uint32_t d, std::uint64_t first, std::uint64_t rows,
                         double amplitude = 1, unsigned threads = 1) {
    FrequencyPlan plan = plan_frequencies(spec_of(d, base), exact_precision);
    plan.set_amplitude(BigReal(amplitude, exact_precision));
    const Table table(plan, first, rows, threads);
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < d / 2; ++i)
        count += misrounded(table, base, i, d, first, amplitude);
    return count;
}

TEST(Float64Table, HasTheNearestNumbersToPosition4096) {
    EXPECT_EQ(misrounded(1e4, 128, 0, 4096), 0U);
}

TEST(Float64Table, HasThemOnRunsToTheLargestContext) {
    Seeded random(1);
    for (int round = 0; round < 200; ++round) {
        const auto d = static_cast<std::uint32_t>(2 + 2 * random.below(66));
        const double base = std::exp(random.within(0, 40));
        const std::uint64_t rows = 1 + random.below(20);
        const std::uint64_t first = round < 20
                                        ? max_context - rows - random.below(3000)
                                        : random.bits() % (max_context - rows) >> random.below(32);
        const double amplitude = round % 3 == 0 ? random.within(-3, 3) : 1;
        EXPECT_EQ(misrounded(base, d, first, rows, amplitude, static_cast<unsigned>(1 + round % 3)),
                  0U)
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
            EXPECT_EQ(misrounded(Table(plan, m, 1), 1e4, i, d, m), 0U) << m << ' ' << i;
            mpfr_frac(x, x, MPFR_RNDN);
            mpfr_ui_div(x, 1, x, MPFR_RNDN);
            if (mpfr_cmp_ui(x, max_context) > 0) break;
            const std::uint64_t next = mpfr_get_ui(x, MPFR_RNDZ) * m + before;
            before = m;
            m = next;
        }
    }
}

// he_xu's pair 0 rotates by 1/(4n) of a turn: the axes are exact.
TEST(Float64Table, IsExactAtRationalTurns) {
    const FrequencyPlan plan = plan_frequencies(spec_of(8, 1e4, he_xu(), 3000), exact_precision);
    const Table table(plan, 0, 12001);
    EXPECT_EQ(table.cos[0], 1);
    EXPECT_EQ(table.sin[0], 0);
    EXPECT_EQ(table.sin[4 * 1000], 0.5);
    EXPECT_EQ(table.cos[4 * 2000], 0.5);
    EXPECT_EQ(table.cos[4 * 3000], 0);
    EXPECT_EQ(table.sin[4 * 6000], 0);
    EXPECT_EQ(table.cos[4 * 6000], -1);
    EXPECT_EQ(table.sin[4 * 9000], -1);
    EXPECT_EQ(table.cos[4 * 12000], 1);
    EXPECT_EQ(table.sin[4 * 12000], 0);
}

// yarn's 0.1·ln s + 1 and longrope's √(1 + ln s/ln L0) are not doubles: if the factor is rounded
// to one first, one number in twenty changes.
TEST(Float64Table, IsRoundedOnceUnderAnIrrationalAttentionFactor) {
    Real amplitude, original;
    mpfr_log_ui(amplitude, 40, MPFR_RNDN);
    mpfr_div_ui(amplitude, amplitude, 10, MPFR_RNDN);
    mpfr_add_ui(amplitude, amplitude, 1, MPFR_RNDN);
    const Spec spec = spec_of(64, 1e4, yarn(40), 163840);
    const Table of_yarn(plan_frequencies(spec, exact_precision), 100000, 4096);
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
    const Table of_longrope(plan_frequencies(longrope, exact_precision), 7, 4096);
    for (std::uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(misrounded(of_longrope, 1e4, i, 64, 7, static_cast<mpfr_srcptr>(amplitude)), 0U);
}

TEST(Float64Table, IsRightWhereItsNumbersAreSubnormalOrVast) {
    EXPECT_EQ(misrounded(1e4, 8, 70, 40, 0x1p-1040), 0U);
    EXPECT_EQ(misrounded(1e4, 8, 70, 40, 0x1.8p1000), 0U);
}

TEST(Float64Table, IsTheSameStreamedInPartsAndByAnyThreads) {
    const FrequencyPlan plan = plan_frequencies(spec_of(128, 5e5), exact_precision);
    constexpr std::uint64_t first = 1'000'003, rows = large_output / 512 + 17;
    const Table whole(plan, first, rows, 3);
    for (std::uint64_t begin = 0; begin < rows; begin += 1000) {
        const Table part(plan, first + begin, std::min<std::uint64_t>(1000, rows - begin));
        EXPECT_TRUE(std::equal(part.cos.begin(), part.cos.end(), &whole.cos[begin * 64]));
        EXPECT_TRUE(std::equal(part.sin.begin(), part.sin.end(), &whole.sin[begin * 64]));
    }
}

}  // namespace stored_table_test
}  // namespace rope
