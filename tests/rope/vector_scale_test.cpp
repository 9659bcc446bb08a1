// Vectors taken behind what multiplies them after the rotation: the rule is named with its
// parameters, beside whatever else is wrong, and nothing else is taken for one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace vector_scale_test {

struct ScaledVectors : testing::Test {
    const Spec spec = spec_of(64, 10000);
    Format format = Format::float32;
    double later = 0;  // rows are for position m + later

    // of m, and of the vector's root mean square
    using Scale = std::function<double(double m, double size)>;

    // Two heads of rows at 0, 9, 18, …
    RotatedDump turned(const Scale& scale) const {
        constexpr std::size_t length = 400, heads = 2, lanes = 64;
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        Seeded random(3);
        std::vector<double> before, after, positions;
        for (std::size_t row = 0; row < heads * length; ++row) {
            const double m = static_cast<double>(9 * (row % length));
            const double scale_of_q = random.within(0.3, 3);
            std::vector<double> x, cos, sin;
            double squares = 0;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                x.push_back(round_to(format, random.within(-1, 1) * scale_of_q));
                squares += x.back() * x.back();
            }
            for (const PlannedFrequency& pair : plan.pairs) {
                cos.push_back(std::cos((m + later) * pair.inv_freq.to_double()));
                sin.push_back(std::sin((m + later) * pair.inv_freq.to_double()));
            }
            const double factor = scale(m, std::sqrt(squares / lanes));
            for (const double y : rotate(spec, x, cos, sin))
                after.push_back(round_to(format, round_to(format, y) * round_to(format, factor)));
            before.insert(before.end(), x.begin(), x.end());
            positions.push_back(m);
        }
        RotatedDump dump{positions, {before, lanes}, {after, lanes}, format, "", {}};
        dump.grid = {{1, heads * length}, {heads, length}, {length, 1}};
        return dump;
    }

    std::vector<std::string> named(const Scale& scale) const {
        std::vector<std::string> names;
        for (const Explanation& one : diagnose(spec, turned(scale)).explanations)
            names.push_back(one.mistake + ": " + one.what);
        std::ranges::sort(names);
        return names;
    }
};

using Names = std::vector<std::string>;

double log_n(double m, double) { return m + 1 > 1000 ? std::log(m + 1) / std::log(1000) : 1; }
double temperature(double m, double) { return 1 + 0.1 * std::log(1 + std::floor(m / 1024)); }
double counted_from_one(double m, double) {
    return 1 + 0.25 * std::log(1 + std::floor((m + 1) / 604));
}
double normalised(double, double size) { return 1 / std::sqrt(size * size + 1e-6); }

const std::string
    of_log_n =
        "vector-scale: vectors are multiplied by the logarithm of m + 1 to the base 1000 from "
        "position 1000 on",
    of_temperature = "vector-scale: vectors are multiplied by 1 + 0.1·ln(1 + ⌊m/1024⌋)",
    of_norm =
        "vector-scale: each vector is normalised to a root mean square of 1 before or after the "
        "rotation";

TEST_F(ScaledVectors, AreNamedByTheirRule) {
    EXPECT_EQ(named(log_n), Names{of_log_n});
    EXPECT_EQ(named(temperature), Names{of_temperature});
    EXPECT_EQ(named(counted_from_one),
              Names{"vector-scale: vectors are multiplied by 1 + 0.25·ln(1 + ⌊(m + 1)/604⌋)"});
    EXPECT_EQ(named(normalised), Names{of_norm});
}

TEST_F(ScaledVectors, AreNamedInSixteenBits) {
    for (const Format narrow : {Format::bfloat16, Format::float16}) {
        format = narrow;
        EXPECT_EQ(named(temperature), Names{of_temperature});
        EXPECT_EQ(named(normalised), Names{of_norm});
    }
}

TEST_F(ScaledVectors, AreNamedBesideAnotherMistake) {
    later = 1;
    const std::string offset = "position-offset: every row is for position m + 1, not m";
    EXPECT_EQ(named(log_n), (Names{offset, of_log_n}));
    EXPECT_EQ(named(normalised), (Names{offset, of_norm}));
}

// a factor of all rows is the attention factor; one that begins somewhere follows no rule
TEST_F(ScaledVectors, OfNoRuleAreNotNamed) {
    const Names all = named([](double, double) { return 1.25; });
    ASSERT_EQ(all.size(), 1U);
    EXPECT_TRUE(all[0].starts_with("attention-factor")) << all[0];
    for (const Scale& scale : {Scale([](double m, double) { return m < 1024 ? 1 : 1.25; }),
                               Scale([](double m, double) { return 1 + m / 4096; }),
                               Scale([](double m, double) { return std::fmod(m, 7) + 1; })})
        EXPECT_EQ(named(scale), Names{});
}

}  // namespace vector_scale_test
}  // namespace rope
