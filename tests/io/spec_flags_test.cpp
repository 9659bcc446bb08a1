#include "io/model/spec_flags.hpp"

#include <gtest/gtest.h>

#include "io/model/resolved_model.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io::spec_flags_test {

std::string refusal_of_flags(const Flags& flags) {
    return error_message<InputError>([&] { resolve_spec(std::nullopt, flags); });
}

TEST(Flags, WithoutAConfigGiveTheDefaults) {
    const ResolvedSpec resolved = resolve_spec(std::nullopt, {});
    EXPECT_EQ(resolved.spec, Spec{});
    ASSERT_EQ(resolved.origins.size(), 6u);
    for (const Origin& origin : resolved.origins) EXPECT_EQ(origin.from, "default");
    EXPECT_TRUE(resolved.ignored.empty());
}

TEST(Flags, SetEveryField) {
    const Flags flags{{"--head-dim", "96"},
                      {"--rotary-dim", "48"},
                      {"--layout", "interleaved"},
                      {"--max-position", "131072"},
                      {"--rope-theta", "5e5"},
                      {"--rope rope_type", "llama3"},
                      {"--rope factor", "8"},
                      {"--rope low_freq_factor", "1"},
                      {"--rope high_freq_factor", "4"},
                      {"--rope original_max_position_embeddings", "8192"}};
    const ResolvedSpec resolved = resolve_spec(std::nullopt, flags);
    EXPECT_EQ(resolved.spec, spec(96, 48, interleaved, 131072, 5e5, llama3(8, 1, 4, 8192)));
    std::vector<std::string> from;
    for (const Origin& origin : resolved.origins) from.push_back(origin.from);
    std::vector<std::string> typed;
    for (const Flag& flag : flags) typed.push_back(flag.name);
    EXPECT_EQ(from, typed) << "origins are in Spec order";
}

TEST(Flags, OfAPartialRotaryFactorSetTheRotaryDim) {
    EXPECT_EQ(
        flags_of(resolve_spec(std::nullopt, Flags{{"--rope partial_rotary_factor", "0.25"}}).spec),
        "--dim 128 --rotary-dim 32");
}

TEST(Flags, OfOtherRopeTypesAreRefusedByName) {
    const std::string tail = " does not use it; --rope rope_type=TYPE names one that does";
    for (const ScalingField& field : scaling_fields()) {
        if (field.member == ScalingMember(&Scaling::partial_rotary_factor)) continue;
        const std::string flag = "--rope " + std::string(field.name);
        const char* const value = field.member == ScalingMember(&Scaling::truncate) ? "true" : "8";
        EXPECT_EQ(refusal_of_flags({{flag, value}}), flag + ": rope_type default" + tail);
    }
    EXPECT_EQ(refusal_of_flags(
                  {{"--rope rope_type", "linear"}, {"--rope factor", "2"}, {"--rope mscale", "1"}}),
              "--rope mscale: rope_type linear" + tail);
}

TEST(Flags, RotaryDimFollowsHeadDim) {
    const ResolvedSpec resolved = resolve_spec(std::nullopt, Flags{{"--dim", "64"}});
    EXPECT_EQ(resolved.spec.rotary_dim, 64u);
    EXPECT_EQ(origin_of(resolved, "rotary_dim"), "--dim");
}

// More values: tests/cli/cases/bad_input.txt
TEST(Flags, AreRefusedByName) {
    const Flag longrope{"--rope rope_type", "longrope"}, yarn{"--rope rope_type", "yarn"};
    // clang-format off
    const std::pair<Flags, const char*> table[] = {
        {{{"--layout", "neo"}}, "--layout is 'neo'; it must be one of half, neox, rotate_half, interleaved, gptj, interleaved-to-half; did you mean 'neox'?"},
        {{{"--rope direction", "back"}}, "--rope direction is 'back'; it must be one of forward, reverse"},
        {{{"--dim", "64"}, {"--rotary-dim", "32"}, {"--rope rotary_offset", "33"}}, "--rope rotary_offset is 33; it must be at most head_dim - rotary_dim (32)"},
        {{longrope, {"--rope short_factor", "1,,2"}}, "--rope short_factor: '' is not a number such as 10000 or 1e6"},
        {{longrope, {"--rope original_max_position_embeddings", "8"}}, "--rope short_factor is missing; rope_type longrope needs one number per pair, 64"},
        {{yarn, {"--rope truncate", "yes"}}, "--rope truncate: 'yes' is not true or false"},
        {{yarn, {"--rope factor", "4"}}, "--rope original_max_position_embeddings is missing; rope_type yarn needs it, a whole number from 1 to 4294967296"},
        {{{"--rope partial_rotary_factor", "0"}}, "--rope partial_rotary_factor is 0; it must be greater than 0 and at most 1"},
        {{{"--dim", "64"}, {"--head-dim", "64"}}, "--head-dim: given already, as --dim; give it once"},
        {{{"--dmi", "64"}}, "'--dmi' is not a flag of a config"}};
    // clang-format on
    for (const auto& [flags, message] : table) EXPECT_EQ(refusal_of_flags(flags), message);
}

TEST(Flags, AreRefusedWithTheirNameValueAndRange) {
    try {
        resolve_spec(std::nullopt, Flags{{"--rope rope_type", "linear"}, {"--rope factor", "-2"}});
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(error.field, "--rope factor");
        EXPECT_EQ(error.value, "-2");
        EXPECT_EQ(error.wanted, "greater than 0 (1e-9 to 1e9)");
    }
}

TEST(Flags, TableNamesEachFlagOnce) {
    std::vector<std::string_view> names;
    for (const SpecFlag& flag : spec_flags()) {
        names.push_back(flag.name);
        if (!flag.alias.empty()) names.push_back(flag.alias);
        EXPECT_FALSE(flag.help.empty());
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace rope::io::spec_flags_test
