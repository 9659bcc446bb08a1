#include "io/draft/spec_flags.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/resolve/resolved_model.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace {

std::string refusal_of_flags(const Flags& flags) {
    return error_message<InputError>([&] { resolve_spec(std::nullopt, flags); });
}

TEST(Flags, AloneGiveTheDefaults) {
    const ResolvedSpec resolved = resolve_spec(std::nullopt, {});
    EXPECT_EQ(resolved.spec, Spec{});
    ASSERT_EQ(resolved.origins.size(), 6u);
    for (const Origin& origin : resolved.origins) EXPECT_EQ(origin.from, "default");
    EXPECT_TRUE(resolved.ignored.empty());
}

TEST(Flags, SetEveryField) {
    const Flags flags{{"--head-dim", "96"},        {"--rotary-dim", "48"},
                      {"--layout", "interleaved"}, {"--max-position", "131072"},
                      {"--rope-theta", "5e5"},     {"--rope-type", "llama3"},
                      {"--factor", "8"},           {"--low-freq-factor", "1"},
                      {"--high-freq-factor", "4"}, {"--original-max-position", "8192"}};
    const ResolvedSpec resolved = resolve_spec(std::nullopt, flags);
    EXPECT_EQ(resolved.spec, spec(96, 48, interleaved, 131072, 5e5, llama3(8, 1, 4, 8192)));
    std::vector<std::string> from;
    for (const Origin& origin : resolved.origins) from.push_back(origin.from);
    std::vector<std::string> typed;
    for (const Flag& flag : flags) typed.push_back(flag.name);
    EXPECT_EQ(from, typed) << "origins are in Spec order";
}

TEST(Flags, SetEveryKeyOfEveryRopeType) {
    const auto round_trip = [](const Flags& flags) {
        return flags_of(resolve_spec(std::nullopt, flags).spec);
    };
    EXPECT_EQ(round_trip({{"--dim", "64"},
                          {"--rope-type", "yarn"},
                          {"--factor", "32"},
                          {"--original-max-position", "4096"},
                          {"--beta-fast", "16"},
                          {"--beta-slow", "2"},
                          {"--truncate", "false"},
                          {"--mscale", "0.707"},
                          {"--mscale-all-dim", "1"},
                          {"--attention-factor", "1.5"}}),
              "--dim 64 --rope-type yarn --factor 32 --original-max-position 4096 --beta-fast 16 "
              "--beta-slow 2 --truncate false --mscale 0.707 --mscale-all-dim 1 "
              "--attention-factor 1.5");
    EXPECT_EQ(round_trip({{"--dim", "4"},
                          {"--rope-type", "su"},
                          {"--original-max-position", "1024"},
                          {"--short-factor", "1,1.5"},
                          {"--long-factor", "2,4e1"},
                          {"--seq-len", "4096"}}),
              "--dim 4 --rope-type longrope --original-max-position 1024 --short-factor 1,1.5 "
              "--long-factor 2,40 --seq-len 4096");
    EXPECT_EQ(round_trip({{"--rope-type", "proportional"}, {"--partial-rotary-factor", "0.25"}}),
              "--dim 128 --rope-type proportional --partial-rotary-factor 0.25");
    EXPECT_EQ(round_trip({{"--partial-rotary-factor", "0.25"}}), "--dim 128 --rotary-dim 32");
    EXPECT_EQ(round_trip({{"--rope-type", "dynamic"}, {"--factor", "2"}, {"--seq-len", "9000"}}),
              "--dim 128 --rope-type dynamic --factor 2 --seq-len 9000");
}

TEST(Flags, OfAnotherRopeTypeAreRefusedByName) {
    const std::string tail = " does not use it; --rope-type names one that does";
    for (const Flag& flag : Flags{{"--factor", "8"},
                                  {"--low-freq-factor", "1"},
                                  {"--high-freq-factor", "1"},
                                  {"--original-max-position", "8"},
                                  {"--beta-fast", "8"},
                                  {"--beta-slow", "8"},
                                  {"--truncate", "true"},
                                  {"--mscale", "8"},
                                  {"--mscale-all-dim", "8"},
                                  {"--attention-factor", "8"},
                                  {"--short-factor", "8"},
                                  {"--long-factor", "8"},
                                  {"--seq-len", "8"}})
        EXPECT_EQ(refusal_of_flags({flag}), flag.name + ": rope_type default" + tail);
    EXPECT_EQ(refusal_of_flags({{"--rope-type", "linear"}, {"--factor", "2"}, {"--mscale", "1"}}),
              "--mscale: rope_type linear" + tail);
}

TEST(Flags, RotaryDimFollowsHeadDim) {
    const ResolvedSpec resolved = resolve_spec(std::nullopt, Flags{{"--dim", "64"}});
    EXPECT_EQ(resolved.spec.rotary_dim, 64u);
    EXPECT_EQ(origin_of(resolved, "rotary_dim"), "--dim");
}

TEST(Flags, AreRefusedByName) {
    EXPECT_EQ(refusal_of_flags({{"--dim", "127"}}),
              "--dim is 127; it must be an even number from 2 to 65536");
    EXPECT_EQ(refusal_of_flags({{"--dim", "010"}}),
              "--dim: '010' is not a whole number from 2 to 65536");
    EXPECT_EQ(refusal_of_flags({{"--dim", "64"}, {"--rotary-dim", "128"}}),
              "--rotary-dim is 128; it must be an even number from 2 to head_dim (64)");
    EXPECT_EQ(refusal_of_flags({{"--base", "nan"}}),
              "--base: 'nan' is not a number such as 10000, 1e6 or 0.25");
    EXPECT_EQ(refusal_of_flags({{"--layout", "neox"}}),
              "--layout is 'neox'; it must be one of half_split, interleaved, "
              "interleaved_to_half_split");
    EXPECT_EQ(refusal_of_flags({{"--direction", "back"}}),
              "--direction is 'back'; it must be one of forward, reverse");
    EXPECT_EQ(
        refusal_of_flags({{"--dim", "64"}, {"--rotary-dim", "32"}, {"--rotary-offset", "33"}}),
        "--rotary-offset is 33; it must be at most head_dim - rotary_dim (32)");
    EXPECT_EQ(refusal_of_flags({{"--rope-type", "linear"}, {"--factor", "-2"}}).substr(0, 41),
              "--factor is -2; it must be greater than 0");
    EXPECT_EQ(refusal_of_flags({{"--rope-type", "linear"}}).substr(0, 53),
              "--factor is missing; rope_type linear needs it, a num");
    EXPECT_EQ(refusal_of_flags({{"--rope-type", "yarm\x1b"}}).substr(0, 42),
              "--rope-type is 'yarm\\x1b'; it must be one ");
    EXPECT_EQ(refusal_of_flags({{"--factor", "8"}}),
              "--factor: rope_type default does not use it; --rope-type names one that does");
    const Flag longrope{"--rope-type", "longrope"};
    EXPECT_EQ(refusal_of_flags({longrope, {"--short-factor", "1,,2"}}),
              "--short-factor: '' is not a number such as 10000, 1e6 or 0.25");
    EXPECT_EQ(refusal_of_flags({longrope, {"--original-max-position", "8"}}),
              "--short-factor has 0 values; it must have rotary_dim/2, 64");
    EXPECT_EQ(refusal_of_flags({{"--rope-type", "yarn"}, {"--truncate", "yes"}}),
              "--truncate: 'yes' is not true or false");
    EXPECT_EQ(refusal_of_flags({{"--rope-type", "yarn"}, {"--factor", "4"}}).substr(0, 37),
              "--original-max-position is missing; r");
    EXPECT_EQ(refusal_of_flags({{"--partial-rotary-factor", "0"}}),
              "--partial-rotary-factor is 0; it must be greater than 0 and at most 1");
    EXPECT_EQ(refusal_of_flags({{"--dim", "64"}, {"--head-dim", "64"}}),
              "--head-dim: given already, as --dim; give it once");
    EXPECT_EQ(refusal_of_flags({{"--dmi", "64"}}), "'--dmi' is not a flag of a Spec");
}

TEST(Flags, RefusedHoldTheFlagItsValueAndWhatIsWanted) {
    try {
        resolve_spec(std::nullopt, Flags{{"--rope-type", "linear"}, {"--factor", "-2"}});
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(error.field, "--factor");
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

}  // namespace
}  // namespace rope::io
