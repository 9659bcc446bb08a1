// Tables whose cos and sin are multiplied by different numbers, or of a fixed-point format: named
// as such, beside another mistake, and no other table is taken for one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/number/format.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace table_changes_test {

using Names = std::vector<std::string>;

struct ChangedTables : testing::Test {
    static constexpr std::uint32_t pairs = 32;
    Spec spec = spec_of(2 * pairs, 10000);
    Format format = Format::float32;
    double later = 0;  // rows are for position m + later

    using Change = std::function<double(double)>;

    Names named(const Change& of_cos, const Change& of_sin) const {
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        std::vector<double> cos, sin, positions;
        for (int m = 0; m < 100; ++m) {
            positions.push_back(m);
            for (const PlannedFrequency& pair : plan.pairs) {
                const double angle = (m + later) * pair.inv_freq.to_double();
                cos.push_back(round_to(format, of_cos(std::cos(angle))));
                sin.push_back(round_to(format, of_sin(std::sin(angle))));
            }
        }
        const TableDump dump{positions, pairs, {cos, pairs}, {sin, pairs}, format, "", {}};
        CheckOutcome judgement;
        judgement.exactness = Exactness{std::vector<double>(pairs, 4), true, 0x1p-24, 0};
        Names names;
        for (const Explanation& one : diagnose(spec, dump, judgement).explanations)
            names.push_back(one.mistake + ": " + one.what);
        std::ranges::sort(names);
        return names;
    }
};

double same(double x) { return x; }
ChangedTables::Change times(double factor) {
    return [factor](double x) { return x * factor; };
}
ChangedTables::Change multiples(double of) {
    return [of](double x) { return std::nearbyint(x * of) / of; };
}
const std::string offset = "position-offset: every row is for position m + 1, not m";

TEST_F(ChangedTables, OfUnequalFactorsAreNamedByBoth) {
    const std::string name = "attention-factor: cos is scaled by 1.25 and sin by 1, not both by 1";
    EXPECT_EQ(named(times(1.25), same), Names{name});
    EXPECT_EQ(named(same, times(0.5)),
              Names{"attention-factor: cos is scaled by 1 and sin by 0.5, not both by 1"});
    later = 1;
    EXPECT_EQ(named(times(1.25), same), (Names{name, offset}));
}

TEST_F(ChangedTables, OfAFixedPointFormatAreNamedByItsStep) {
    for (const int n : {127, 16384, 32767, 32768})
        EXPECT_EQ(named(multiples(n), multiples(n)),
                  Names{"table-precision: cos and sin were rounded to whole multiples of 1/" +
                        std::to_string(n)});
    later = 1;
    EXPECT_EQ(
        named(multiples(32767), multiples(32767)),
        (Names{offset, "table-precision: cos and sin were rounded to whole multiples of 1/32767"}));
}

TEST_F(ChangedTables, OfOneFactorKeepTheirName) {
    EXPECT_EQ(named(times(1.25), times(1.25)),
              Names{"attention-factor: cos and sin are scaled by 1.25, not by 1"});
}

TEST_F(ChangedTables, OfSixteenBitsAreOfNoFixedPointFormat) {
    const auto narrow = [](double x) { return round_to(Format::bfloat16, x); };
    EXPECT_EQ(named(narrow, narrow),
              Names{"table-precision: cos and sin were rounded to bfloat16 and stored as float32"});
}

TEST_F(ChangedTables, OfNoRuleAreNotNamed) {
    Seeded random(5);
    const auto noise = [&](double x) { return x + random.within(-1e-4, 1e-4); };
    EXPECT_EQ(named(noise, noise), Names{});
    // a step of 1/32767 of values that are something else
    const auto other = [&](double) { return multiples(32767)(random.within(-1, 1)); };
    EXPECT_EQ(named(other, other), Names{});
}

}  // namespace table_changes_test
}  // namespace rope
