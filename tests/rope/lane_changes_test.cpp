// Lanes that are each multiplied by a number, or mixed by a Hadamard transform, before the rotation
// or after it: named as such, beside another mistake, and nothing else is taken for one.
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
namespace lane_changes_test {

using Vector = std::vector<double>;
using Change = std::function<void(Vector&)>;
using Names = std::vector<std::string>;

Names names_of(const Diagnosis& found) {
    Names names;
    for (const Explanation& one : found.explanations)
        names.push_back(one.mistake + ": " + one.what);
    std::ranges::sort(names);
    return names;
}

struct ChangedLanes : testing::TestWithParam<Format> {
    static constexpr std::size_t lanes = 64;
    Spec spec = spec_of(lanes, 10000);
    double later = 0;  // rows are for position m + later
    Vector weights;

    ChangedLanes() {
        Seeded random(11);
        for (std::size_t lane = 0; lane < lanes; ++lane) weights.push_back(random.within(0.5, 1.5));
        weights[7] = 0.4;
        weights[8] = 2;
    }

    // Three heads of 40 rows.
    RotatedDump turned(const Change& before_it, const Change& after_it) const {
        constexpr std::size_t length = 40, heads = 3;
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        Seeded random(3);
        Vector before, after, positions;
        for (std::size_t row = 0; row < heads * length; ++row) {
            const auto m = static_cast<double>(row % length);
            Vector x, cos, sin;
            const double size = random.within(0.1, 3);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                x.push_back(round_to(GetParam(), random.within(-1, 1) * size));
            for (const PlannedFrequency& pair : plan.pairs) {
                cos.push_back(std::cos((m + later) * pair.inv_freq.to_double()));
                sin.push_back(std::sin((m + later) * pair.inv_freq.to_double()));
            }
            before.insert(before.end(), x.begin(), x.end());
            before_it(x);
            Vector y = rotate(spec, x, cos, sin);
            after_it(y);
            for (const double lane : y) after.push_back(round_to(GetParam(), lane));
            positions.push_back(m);
        }
        RotatedDump dump{positions, {before, lanes}, {after, lanes}, GetParam(), "", {}};
        dump.grid = {{1, heads * length}, {heads, length}, {length, 1}};
        return dump;
    }

    Names named(const Change& before_it, const Change& after_it) const {
        return names_of(diagnose(spec, turned(before_it, after_it)));
    }

    Change weighted() const {
        return [this](Vector& x) {
            for (std::size_t lane = 0; lane < lanes; ++lane) x[lane] *= weights[lane];
        };
    }
    Change normalised_and_weighted() const {
        return [this](Vector& x) {
            double squares = 0;
            for (const double lane : x) squares += lane * lane;
            const double size = std::sqrt(squares / lanes + 1e-6);
            for (std::size_t lane = 0; lane < lanes; ++lane) x[lane] *= weights[lane] / size;
        };
    }
};

void nothing(Vector&) {}

// Entry (r, c) is (−1)^popcount(r & c)/√n.
Change hadamard(std::size_t n) {
    return [n](Vector& x) {
        const Vector old = x;
        for (std::size_t lane = 0; lane < x.size(); ++lane) {
            x[lane] = 0;
            for (std::size_t k = 0; k < n; ++k) {
                const bool is_minus = __builtin_popcountll((lane % n) & k) % 2 != 0;
                x[lane] += (is_minus ? -1 : 1) * old[lane / n * n + k];
            }
            x[lane] /= std::sqrt(static_cast<double>(n));
        }
    };
}

const std::string weights_before =
    "lane-scale: every dimension is multiplied by its own number, 0.4 to 2, before the "
    "rotation";
const std::string offset = "position-offset: every row is for position m + 1, not m";

std::string transform(const std::string& of, const std::string& where) {
    return "lane-transform: a Hadamard transform of " + of + " dimensions " + where +
           " the rotation";
}

TEST_P(ChangedLanes, AreNamedByWhereTheirWeightsAct) {
    EXPECT_EQ(named(weighted(), nothing), Names{weights_before});
    std::string after = weights_before;
    after.replace(after.find("before"), 6, "after");
    EXPECT_EQ(named(nothing, weighted()), Names{after});
}

TEST_P(ChangedLanes, AreMeasuredAsTheFileHasThem) {
    for (const RotatedDump& dump : {turned(weighted(), nothing), turned(nothing, hadamard(64))})
        for (const Explanation& one : diagnose(spec, dump).explanations) {
            EXPECT_TRUE(std::isfinite(one.before)) << one.mistake;
            EXPECT_GT(one.before, 10) << one.mistake;
            EXPECT_LE(one.after, 1) << one.mistake;
        }
}

TEST_P(ChangedLanes, AreNamedWithTheirNorm) {
    const Names names = named(normalised_and_weighted(), nothing);
    ASSERT_EQ(names.size(), 1U);
    EXPECT_TRUE(names[0].starts_with("lane-scale: vectors are normalised and every dimension is "));
    EXPECT_TRUE(names[0].ends_with(", before the rotation")) << names[0];
}

TEST_P(ChangedLanes, AreNamedWithNegativeWeights) {
    weights[3] *= -1;
    weights[8] *= -1;
    std::string to_minus = weights_before;
    to_minus.replace(to_minus.find("0.4 to 2"), 8, "-2 to 1.5");
    EXPECT_EQ(named(weighted(), nothing), Names{to_minus});
}

TEST_P(ChangedLanes, AreNamedBesideAnotherMistake) {
    later = 1;
    EXPECT_EQ(named(weighted(), nothing), (Names{weights_before, offset}));
    EXPECT_EQ(named(nothing, hadamard(64)), (Names{transform("all 64", "follows"), offset}));
}

TEST_P(ChangedLanes, AreNamedByTheirTransform) {
    EXPECT_EQ(named(nothing, hadamard(64)), Names{transform("all 64", "follows")});
    EXPECT_EQ(named(hadamard(64), nothing), Names{transform("all 64", "precedes")});
    EXPECT_EQ(named(nothing, hadamard(32)), Names{transform("each 32", "follows")});
}

TEST_P(ChangedLanes, OfAPartOfTheHeadAreNamed) {
    spec.rotary_dim = 32;
    EXPECT_EQ(named(weighted(), nothing), Names{weights_before});
    EXPECT_EQ(named(nothing, hadamard(64)), Names{transform("all 64", "follows")});
}

// one number for all lanes is the attention factor; lanes of another head, or that the norm of no
// pair explains, have no name
TEST_P(ChangedLanes, OfNoRuleAreNotNamed) {
    const Names all = named(nothing, [](Vector& y) {
        for (double& lane : y) lane *= 1.25;
    });
    ASSERT_EQ(all.size(), 1U);
    EXPECT_TRUE(all[0].starts_with("attention-factor")) << all[0];
    Seeded random(5);
    EXPECT_EQ(named(nothing,
                    [&](Vector& y) {
                        for (double& lane : y) lane *= random.within(0.9, 1.1);
                    }),
              Names{});
    EXPECT_EQ(named(nothing, [&](Vector& y) { y = random.vector(lanes); }), Names{});
    EXPECT_EQ(named(nothing,
                    [](Vector& y) {
                        std::ranges::rotate(y, y.begin() + 5);
                        hadamard(64)(y);
                    }),
              Names{});
}

INSTANTIATE_TEST_SUITE_P(In, ChangedLanes,
                         testing::Values(Format::float32, Format::bfloat16, Format::float16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace lane_changes_test
}  // namespace rope
