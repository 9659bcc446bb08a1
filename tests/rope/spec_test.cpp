#include "rope/spec/spec.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

namespace rope {
namespace spec_test {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const Spec& spec) {
    try {
        validate(spec);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

struct Row {
    std::function<void(Spec&)> change;
    const char* message;  // empty: accepted
};

void expect(const Spec& start, std::initializer_list<Row> rows) {
    for (const auto& [change, message] : rows) {
        Spec spec = start;
        change(spec);
        EXPECT_EQ(refusal(spec), message);
    }
}

TEST(InputError, ConsistsOfItsFieldValueAndRange) {
    const InputError error("factor", "-2", "greater than 0");
    EXPECT_STREQ(error.what(), "factor is -2; it must be greater than 0");
    const InputError renamed = error.renamed("config.json: rope_scaling.factor");
    EXPECT_STREQ(renamed.what(),
                 "config.json: rope_scaling.factor is -2; it must be greater than 0");
    EXPECT_EQ(renamed.field, "config.json: rope_scaling.factor");
    EXPECT_EQ(renamed.value, "-2");
    EXPECT_EQ(renamed.wanted, "greater than 0");
    const InputError other("short_factor", "has 0 values; it must have 64");
    EXPECT_STREQ(other.renamed("--rope short_factor").what(),
                 "--rope short_factor has 0 values; it must have 64");
    EXPECT_TRUE(InputError("m.json: is not an object").field.empty());
}

TEST(InputError, OfAnOptionHasTheOptionAsItsField) {
    const InputError value("--seed", ": 'x' is not a whole number");
    EXPECT_STREQ(value.what(), "--seed: 'x' is not a whole number");
    EXPECT_EQ(value.field, "--seed");
    EXPECT_STREQ(value.renamed("--threads").what(), "--threads: 'x' is not a whole number");
    const InputError word = InputError("unknown pipeline 'x'").about("--pipeline");
    EXPECT_STREQ(word.what(), "unknown pipeline 'x'");
    EXPECT_EQ(word.field, "--pipeline");
}

TEST(Spec, StatesTheRangeOfDimensions) {
    // clang-format off
    expect(spec_of(128, 1e4), {
        {[](Spec& s) { s.head_dim = 0; },          "head_dim is 0; it must be an even number from 2 to 65536"},
        {[](Spec& s) { s.head_dim = 129; },        "head_dim is 129; it must be an even number from 2 to 65536"},
        {[](Spec& s) { s.head_dim = 65538; },      "head_dim is 65538; it must be an even number from 2 to 65536"},
        {[](Spec& s) { s.head_dim = 4294967294; }, "head_dim is 4294967294; it must be an even number from 2 to 65536"},
        {[](Spec& s) { s.rotary_dim = 0; },        "rotary_dim is 0; it must be an even number from 2 to head_dim (128)"},
        {[](Spec& s) { s.rotary_dim = 63; },       "rotary_dim is 63; it must be an even number from 2 to head_dim (128)"},
        {[](Spec& s) { s.rotary_dim = 130; },      "rotary_dim is 130; it must be an even number from 2 to head_dim (128)"},
        {[](Spec& s) { s.head_dim = s.rotary_dim = 2; },     ""},
        {[](Spec& s) { s.head_dim = s.rotary_dim = 65536; }, ""},
        {[](Spec& s) { s.rotary_dim = 32; },                 ""},
    });
    // clang-format on
}

TEST(Spec, StatesTheRangeOfTheContextAndTheBase) {
    // clang-format off
    expect(spec_of(128, 1e4), {
        {[](Spec& s) { s.max_position_embeddings = 0; },               "max_position_embeddings is 0; it must be a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.max_position_embeddings = max_context + 1; }, "max_position_embeddings is 4294967297; it must be a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.max_position_embeddings = max_context; },     ""},
        {[](Spec& s) { s.rope_theta = 0.5; },       "rope_theta is 0.5; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = -1e4; },      "rope_theta is -10000; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = 1.5e30; },    "rope_theta is 1.5e+30; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = nan_value; }, "rope_theta is nan; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = infinity; },  "rope_theta is inf; it must be a number from 1 to 1e30"},
        {[](Spec& s) { s.rope_theta = 1; },         ""},
    });
    // clang-format on
}

TEST(Spec, NamesTheKeyThatARopeTypeNeeds) {
    // clang-format off
    expect(spec_of(128, 1e4, linear(4)), {
        {[](Spec& s) { s.scaling.factor.reset(); },     "factor is missing; rope_type linear needs it, a number greater than 0"},
        {[](Spec& s) { s.scaling.factor = 0; },         "factor is 0; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = -2; },        "factor is -2; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = nan_value; }, "factor is nan; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = infinity; },  "factor is inf; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = 1e300; },     "factor is 1e+300; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.factor = 0.5; },       ""},
    });
    expect(spec_of(128, 5e5, llama3(8)), {
        {[](Spec& s) { s.scaling.factor.reset(); },          "factor is missing; rope_type llama3 needs it, a number greater than 0"},
        {[](Spec& s) { s.scaling.low_freq_factor.reset(); }, "low_freq_factor is missing; rope_type llama3 needs it, a number greater than 0"},
        {[](Spec& s) { s.scaling.high_freq_factor = -1; },   "high_freq_factor is -1; it must be greater than 0 (1e-9 to 1e9)"},
        {[](Spec& s) { s.scaling.low_freq_factor = 4.5; },   "low_freq_factor is 4.5; it must not exceed high_freq_factor (4)"},
        {[](Spec& s) { s.scaling.low_freq_factor = 4; },     ""},
        {[](Spec& s) { s.scaling.original_max_position_embeddings.reset(); }, "original_max_position_embeddings is missing; rope_type llama3 needs it, a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.scaling.original_max_position_embeddings = 0; },     "original_max_position_embeddings is 0; it must be a whole number from 1 to 4294967296"},
        {[](Spec& s) { s.scaling.original_max_position_embeddings = 1ULL << 40; }, "original_max_position_embeddings is 1099511627776; it must be a whole number from 1 to 4294967296"},
    });
    // clang-format on
}

TEST(Spec, NamesEveryRopeTypeItKnows) {
    const std::string message = refusal(spec_of(128, 1e4, Scaling{"yran", {}, {}, {}, {}}));
    EXPECT_EQ(message.rfind("rope_type is 'yran'; it must be one of ", 0), 0U) << message;
    for (const Variant& variant : variants())
        EXPECT_NE(message.find(variant.name), std::string::npos) << variant.name;
}

TEST(Spec, ReadsTheNamesOfBothLayouts) {
    EXPECT_EQ(parse_pair_layout("half"), PairLayout::half_split);
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
        EXPECT_EQ(parse_pair_layout(to_string(layout)), layout);
    EXPECT_EQ(parse_pair_layout("neox"), PairLayout::half_split);
    EXPECT_EQ(parse_pair_layout("rotate_half"), PairLayout::half_split);
    EXPECT_EQ(parse_pair_layout("GPT-J"), PairLayout::interleaved);
    EXPECT_EQ(parse_pair_layout("NeoX"), PairLayout::half_split);
    for (const char* wrong : {"", "neo", "half "})
        EXPECT_THROW(parse_pair_layout(wrong), InputError);
}

}  // namespace spec_test
}  // namespace rope
