// No value is misrounded: every stored value is compared with MPFR's correct rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thread>

#include "rope/oracle.hpp"
#include "rope/seeded.hpp"
#include "rope/specs.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace exhaustive_test {

using oracle::Real;

constexpr std::uint32_t pairs = 64;

// The table's values that are not the nearest numbers of its format.
std::uint64_t misrounded(double base, const RotaryTable& table, Format format) {
    std::uint64_t count = 0;
    // no value except 0 is subnormal in float32: MPFR rounds it to 24 bits
    const long bits = format == Format::float32 ? 24 : 200;
    const auto want = [&](const Real& x) {
        return bits == 24 ? mpfr_get_d(x, MPFR_RNDN) : oracle::nearest(format, x);
    };
    Real theta, cos(bits), sin(bits);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        oracle::set_theta(theta, base, i, 2 * pairs);
        for (std::size_t r = 0; r < table.positions.size(); ++r) {
            oracle::cos_sin(cos, sin, theta, table.positions[r]);
            count += table.cos[r * pairs + i] == want(cos) ? 0 : 1;
            count += table.sin[r * pairs + i] == want(sin) ? 0 : 1;
        }
    }
    return count;
}

struct Count {
    std::atomic<std::uint64_t> values = 0, misrounded = 0;
};

// Checks chunks of positions on every core.
void judge(Count& count, double base, Format format, std::size_t chunks,
           const std::function<std::vector<std::uint64_t>(std::size_t)>& positions_of) {
    const FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, base), exact_precision);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
            const RotaryTable table = build_table(plan, positions_of(chunk), format);
            count.values += table.cos.size() + table.sin.size();
            count.misrounded += misrounded(base, table, format);
        }
        mpfr_free_cache();
    };
    std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
    for (std::thread& thread : threads) thread = std::thread(work);
    for (std::thread& thread : threads) thread.join();
    std::printf("%llu of %llu values misrounded\n",
                static_cast<unsigned long long>(count.misrounded),
                static_cast<unsigned long long>(count.values));
}

TEST(Exhaustive, EveryFloat32ValueTo131072) {
    constexpr std::uint64_t rows = 1024;
    Count count;
    judge(count, 1e4, Format::float32, 131072 / rows, [](std::size_t chunk) {
        std::vector<std::uint64_t> m(rows);
        std::iota(m.begin(), m.end(), chunk * rows);
        return m;
    });
    EXPECT_EQ(count.values, 131072U * 64 * 2);
    EXPECT_EQ(count.misrounded, 0U);
}

// In the tile of each of these positions, all below 2^24, some cos or sin is so close to a tie
// that the exact row, in double, falls on the other side.
TEST(Exhaustive, ValuesThatDoubleWouldMisround) {
    constexpr std::uint64_t hard[] = {977267,  2289215,  2307380,  4524508,  5638343, 6565759,
                                      7468984, 10461481, 11276686, 11679400, 14978595};
    for (const std::uint64_t m : hard) {
        std::vector<std::uint64_t> tile(tile_rows);
        std::iota(tile.begin(), tile.end(), m - m % tile_rows);
        const FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, 1e4), exact_precision);
        const RotaryTable table = build_table(plan, tile, Format::float32);
        EXPECT_EQ(misrounded(1e4, table, Format::float32), 0U) << m;
    }
}

class RandomPositions : public testing::TestWithParam<Format> {};

TEST_P(RandomPositions, ToTheLargestContext) {
    for (const double base : {1e4, 5e5}) {
        Count count;
        judge(count, base, GetParam(), 20, [](std::size_t chunk) {
            auto m = Seeded(chunk + 1).positions(1000, std::uint64_t{1} << 32);
            m.back() = (std::uint64_t{1} << 32) - 1 - chunk;
            return m;
        });
        EXPECT_EQ(count.values, 20000U * 64 * 2);
        EXPECT_EQ(count.misrounded, 0U) << base;
    }
}

INSTANTIATE_TEST_SUITE_P(Exhaustive, RandomPositions,
                         testing::Values(Format::float32, Format::bfloat16, Format::float16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace exhaustive_test
}  // namespace rope
