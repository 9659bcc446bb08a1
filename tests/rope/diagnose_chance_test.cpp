// An explanation must fit a dump better than its free parameters would fit any dump.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rope/evidence/phase_lines.hpp"
#include "rope/session/session.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace diagnose_chance_test {

// inv_freq and its product with the position in float32, as frameworks have them
auto float32_angle(double base, std::uint32_t dim) {
    return [=](double m, std::uint32_t i) {
        const auto inv_freq = static_cast<float>(std::pow(base, -2.0 * i / dim));
        return static_cast<double>(static_cast<float>(m) * inv_freq);
    };
}

std::vector<std::string> names_of(const Report& report) {
    std::vector<std::string> names;
    for (const Explanation& one : report.diagnosis) names.push_back(one.mistake);
    return names;
}

// The first row, with a larger weight than all others, changed θ by 4e-5.
TEST(PhaseLines, FarFromZeroAreAsExactAsTheyClaim) {
    const TableDump far =
        table_of_angles(counted(64, 4096), 32, Format::float32, float32_angle(1e7, 64));
    std::vector<std::size_t> rows(64);
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = row;
    const auto lines = fit_phase_lines(sample_table(far, rows));
    ASSERT_EQ(lines.size(), 32u);
    for (std::uint32_t i = 0; i < 32; ++i) {
        const double theta = std::pow(1e7, -2.0 * i / 64);
        EXPECT_NEAR(lines[i].theta, theta, 6 * lines[i].error + 0x1p-24 * theta) << i;
    }
    const auto exact = through_zero(lines);
    ASSERT_EQ(exact.size(), 32u);
    for (std::uint32_t i = 0; i < 32; ++i) {
        EXPECT_NEAR(exact[i].theta, std::pow(1e7, -2.0 * i / 64), 6 * exact[i].error) << i;
        EXPECT_LE(exact[i].error, lines[i].error) << i;
    }
}

// A recurrence's last units absorbed the rest that a rounded base left.
TEST(Diagnosis, NamesNoRoundingThatHalvesNoError) {
    Spec asked = spec_of(64, 500000);
    asked.scaling = {.rope_type = "ntk", .factor = 2};
    const Dump dump =
        TableDump(table_of_angles(counted(64, 4096), 32, Format::float32, float32_angle(1e7, 64)));
    const Report report = compare(asked, dump);
    ASSERT_EQ(names_of(report), std::vector<std::string>{"base"});
    const double base = std::get<double>(report.diagnosis[0].parameters.at(0).second);
    EXPECT_NEAR(base * std::pow(2, 64.0 / 62), 1e7, 1e7 * 1e-6);
}

// The second of two pairs would rotate by 9e4 radians per position, of which float32 keeps no
// digit.
TEST(Diagnosis, NamesNoFrequencyThatFloat32PlacesAnywhere) {
    Spec asked = spec_of(4, 5e6);
    asked.scaling = {.rope_type = "yarn",
                     .factor = 40,
                     .original_max_position_embeddings = 2048,
                     .attention_factor = 1};
    asked.max_position_embeddings = 81920;
    Spec used = asked;
    used.scaling.factor = 80;
    const FrequencyPlan plan = plan_frequencies(used, exact_precision);
    const Dump dump =
        TableDump(table_of_angles(counted(256, 49), 2, Format::float32, [&](double m, auto i) {
            return m * plan.pairs[i].inv_freq.to_double();
        }));
    EXPECT_EQ(names_of(compare(asked, dump)), std::vector<std::string>{"scaling-parameter"});
}

// cat(f, f) of 16 pairs is as wide as a half table of 32.
TEST(Diagnosis, RecognizesAnotherWidthByEqualColumns) {
    Spec asked = spec_of(64, 1e6);
    asked.scaling = {.rope_type = "yarn", .factor = 8, .original_max_position_embeddings = 4096};
    asked.max_position_embeddings = 32768;
    Spec narrow = asked;
    narrow.rotary_dim = 32;
    const FrequencyPlan plan = plan_frequencies(narrow, exact_precision);
    const Dump dump =
        TableDump(table_of_angles(counted(16), 32, Format::float16, [&](double m, std::uint32_t i) {
            return -m * plan.pairs[i % 16].inv_freq.to_double();
        }));
    Dump scaled = dump;
    auto& table = std::get<TableDump>(scaled);
    std::vector<double> cos = values_of(table.cos, 16, 32), sin = values_of(table.sin, 16, 32);
    for (double& x : cos) x = round_to(Format::float16, x * plan.attention_factor);
    for (double& x : sin) x = round_to(Format::float16, x * plan.attention_factor);
    table.cos = StridedRows(cos, 32);
    table.sin = StridedRows(sin, 32);
    std::vector<std::string> names = names_of(compare(asked, scaled));
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"direction", "rotary-dim"}));
}

}  // namespace diagnose_chance_test
}  // namespace rope
