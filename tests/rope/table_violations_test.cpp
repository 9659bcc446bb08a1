// Values beyond their tolerance are all counted, and the worst one is found at any place.
#include <gtest/gtest.h>

#include <cmath>

#include "rope/session/judge.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/pipeline.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace table_violations_test {

constexpr std::uint64_t rows = 4096;

struct Planted {
    OwnTable table;
    Spec spec;
    std::uint64_t count = 0;

    Planted() {
        spec.head_dim = spec.rotary_dim = 32;
        table.pairs = spec.pairs();
        for (std::uint64_t m = 0; m < rows; ++m) {
            table.positions.push_back(static_cast<double>(m));
            for (std::uint32_t i = 0; i < table.pairs; ++i) {
                const double phi = static_cast<double>(m) * std::pow(10000, -2.0 * i / 32);
                table.cos.push_back(round_to(Format::float32, std::cos(phi)));
                table.sin.push_back(round_to(Format::float32, std::sin(phi)));
            }
        }
        Seeded random(1);
        for (std::uint64_t m = 100; m < rows; ++m)
            for (std::uint32_t i = 0; i < table.pairs; ++i)
                if (random.below(m < 3000 ? 50 : 2) == 0) put(m, i, 0.5);
    }

    void put(std::uint64_t m, std::uint32_t i, double error) {
        double& value = table.cos[m * table.pairs + i];
        value += error;
        ++count;
    }

    Finding judged() const {
        const Report report = judge(spec, *table_rows(spec, table), {.only = {"table-accuracy"}});
        return report.findings.at(0);
    }
};

TEST(TableViolations, AreAllCounted) {
    const Planted planted;
    const Finding finding = planted.judged();
    ASSERT_TRUE(finding.violations);
    EXPECT_EQ(finding.violations->count, planted.count);
    EXPECT_GE(finding.violations->first_position, 100);
    EXPECT_NEAR(finding.observed, 0.5, 1e-6);
}

TEST(TableViolations, TheWorstIsFoundAfterManyOthers) {
    Planted planted;
    planted.table.cos[3500 * planted.table.pairs + 3] = 7;
    const Finding finding = planted.judged();
    ASSERT_TRUE(finding.worst);
    EXPECT_EQ(finding.worst->positions.at(0), 3500);
    EXPECT_EQ(finding.worst->pair, 3u);
    EXPECT_EQ(finding.worst->got, 7);
}

TEST(TableViolations, NanIsWorstAfterManyOthers) {
    for (const double bad : {std::nan(""), static_cast<double>(HUGE_VAL)})
        for (const bool in_sin : {false, true}) {
            Planted planted;
            auto& values = in_sin ? planted.table.sin : planted.table.cos;
            values[3500 * planted.table.pairs + 3] = bad;
            const Finding finding = planted.judged();
            EXPECT_FALSE(std::isfinite(finding.observed));
            ASSERT_TRUE(finding.worst);
            EXPECT_EQ(finding.worst->positions.at(0), 3500);
            EXPECT_EQ(finding.worst->pair, 3u);
        }
}

}  // namespace table_violations_test
}  // namespace rope
