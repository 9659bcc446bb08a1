// A kernel that takes k for q, whole or in one lane of each pair.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace other_vectors_test {

using Vector = std::vector<double>;

struct OtherVectorsTaken : testing::TestWithParam<Format> {
    static constexpr std::size_t lanes = 32;
    const Spec spec = spec_of(lanes, 10000);

    // Of q and k rotated, what is written.
    using Written = std::function<Vector(const Vector& q, const Vector& k)>;

    Diagnosis diagnosis_of(const Written& written, bool with_k = true) const {
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        Seeded random(3);
        Vector all_q, all_k, after, positions;
        for (int m = 0; m < 60; ++m) {
            Vector cos, sin;
            for (const PlannedFrequency& pair : plan.pairs) {
                cos.push_back(std::cos(m * pair.inv_freq.to_double()));
                sin.push_back(std::sin(m * pair.inv_freq.to_double()));
            }
            Vector q = random.vector(lanes), k = random.vector(lanes);
            for (Vector* x : {&q, &k})
                for (double& lane : *x) lane = round_to(GetParam(), lane);
            for (const double y : written(rotate(spec, q, cos, sin), rotate(spec, k, cos, sin)))
                after.push_back(round_to(GetParam(), y));
            all_q.insert(all_q.end(), q.begin(), q.end());
            all_k.insert(all_k.end(), k.begin(), k.end());
            positions.push_back(m);
        }
        RotatedDump dump{positions, {all_q, lanes}, {after, lanes}, GetParam(), "", {}};
        if (with_k) dump.other = {"k", {all_k, lanes}};
        return diagnose(spec, dump);
    }
};

Vector crossed(const Vector& q, const Vector& k) {
    Vector y = q;
    std::copy(k.begin() + 16, k.end(), y.begin() + 16);
    return y;
}

TEST_P(OtherVectorsTaken, WholeAreNamed) {
    const Diagnosis found = diagnosis_of([](const Vector&, const Vector& k) { return k; });
    ASSERT_EQ(found.explanations.size(), 1U);
    EXPECT_EQ(found.explanations[0].mistake, "head-order");
    EXPECT_EQ(found.explanations[0].what, "the rotated vectors are those of k");
}

TEST_P(OtherVectorsTaken, InOneLaneOfEachPairAreSaid) {
    EXPECT_THAT(
        diagnosis_of(crossed).observations,
        testing::Contains("the first dimension of every pair is right, the second is that of "
                          "the rotation of k"));
    EXPECT_THAT(diagnosis_of(crossed, false).observations,
                testing::Contains("the first dimension of every pair is right, the second is not"));
}

TEST_P(OtherVectorsTaken, AreNotNamedWhereTheyWereNotTaken) {
    Seeded random(9);
    const Diagnosis found =
        diagnosis_of([&](const Vector&, const Vector&) { return random.vector(lanes); });
    EXPECT_TRUE(found.explanations.empty());
    for (const std::string& one : found.observations)
        EXPECT_EQ(one.find("dimension of every pair"), std::string::npos) << one;
    // nor where the vectors are right
    EXPECT_TRUE(
        diagnosis_of([](const Vector& q, const Vector&) { return q; }).explanations.empty());
}

INSTANTIATE_TEST_SUITE_P(In, OtherVectorsTaken,
                         testing::Values(Format::float32, Format::bfloat16, Format::float16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace other_vectors_test
}  // namespace rope
