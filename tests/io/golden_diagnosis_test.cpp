// What real implementations output, judged by a Spec that is not theirs: the difference is named.
#include <algorithm>
#include <cctype>

#include "rope/diagnose/diagnosis.hpp"
#include "tests/io/goldens.hpp"

namespace rope::io {
namespace golden_diagnosis_test {

class GoldenDiagnosis : public testing::TestWithParam<Golden> {
  protected:
    static bool is_table(const Dump& dump) { return std::holds_alternative<TableDump>(dump); }

    // All that is named, and the other names of the same numbers.
    static std::vector<std::string> names(const Diagnosis& diagnosis) {
        std::vector<std::string> all;
        for (const Explanation& one : diagnosis.explanations) {
            EXPECT_LE(one.after, 1);
            all.push_back(one.mistake);
            for (const std::string& name : one.equivalent)
                all.push_back(name.substr(0, name.find(' ')));
        }
        return all;
    }
    static bool contains(const std::vector<std::string>& names, const std::string& id) {
        return std::ranges::find(names, id) != names.end();
    }
};

TEST_P(GoldenDiagnosis, BlamesNothingOfItsOwnSpec) {
    const Spec spec = GetParam().spec();
    for (const NamedDump& one : load(GetParam(), spec))
        EXPECT_EQ(names(diagnose(spec, one.dump)), std::vector<std::string>{}) << one.name;
}

TEST_P(GoldenDiagnosis, NamesAnotherBase) {
    Spec spec = GetParam().spec();
    spec.rope_theta *= 1.25;
    for (const NamedDump& one : load(GetParam(), spec)) {
        const Diagnosis diagnosis = diagnose(spec, one.dump);
        EXPECT_TRUE(contains(names(diagnosis), "base"))
            << one.name << testing::PrintToString(names(diagnosis));
    }
}

TEST_P(GoldenDiagnosis, NamesAnOffset) {
    const Spec spec = GetParam().spec();
    for (NamedDump& one : load(GetParam(), spec)) {
        shift(one.dump, 3);
        const Diagnosis diagnosis = diagnose(spec, one.dump);
        ASSERT_EQ(diagnosis.explanations.size(), 1U) << one.name;
        const Explanation& named = diagnosis.explanations.front();
        EXPECT_EQ(named.mistake, "position-offset") << one.name;
        ASSERT_FALSE(named.parameters.empty());
        EXPECT_EQ(named.parameters[0].second, FieldValue(-3.0));
    }
}

TEST_P(GoldenDiagnosis, NamesTheOtherLayout) {
    Spec spec = GetParam().spec();
    spec.layout = spec.layout == half ? interleaved : half;
    for (const NamedDump& one : load(GetParam(), spec))
        EXPECT_EQ(names(diagnose(spec, one.dump)).empty(), is_table(one.dump)) << one.name;
    for (const NamedDump& one : load(GetParam(), spec))
        if (!is_table(one.dump)) {
            EXPECT_EQ(diagnose(spec, one.dump).explanations.at(0).mistake, "pair-layout");
        }
}

// A scaling that was asked for and not applied, or applied and not asked for: by its name, or where
// its parameters are nobody's default by what it does.
TEST_P(GoldenDiagnosis, NamesTheScaling) {
    Spec spec = GetParam().spec();
    const std::string type = spec.scaling.rope_type;
    spec.scaling = type == "default" ? linear(4) : Scaling{};
    spec.scaling.partial_rotary_factor = std::nullopt;
    for (const NamedDump& one : load(GetParam(), GetParam().spec())) {
        const Diagnosis diagnosis = diagnose(spec, one.dump);
        const auto found = names(diagnosis);
        EXPECT_TRUE(contains(found, "scaling-missing") || contains(found, "scaling-type") ||
                    (type == "longrope" && contains(found, "scaling-parameter")) ||
                    (type == "proportional" && contains(found, "rotary-dim")) ||
                    (found.empty() &&
                     std::ranges::any_of(diagnosis.observations,
                                         [](const std::string& fact) {
                                             return fact.find("divided by its own factor") !=
                                                    std::string::npos;
                                         })))
            << one.name << ' ' << testing::PrintToString(found)
            << testing::PrintToString(diagnosis.observations);
    }
}

INSTANTIATE_TEST_SUITE_P(Goldens, GoldenDiagnosis, testing::ValuesIn(goldens), [](const auto& row) {
    std::string name(row.param.id);
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

}  // namespace golden_diagnosis_test
}  // namespace rope::io
