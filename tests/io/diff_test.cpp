#include <gtest/gtest.h>

#include <string>

#include "io/explain/explanation.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/specs.hpp"

namespace rope::io {
namespace diff_test {

ResolvedModel model_of(std::initializer_list<std::pair<std::string, Spec>> groups) {
    ResolvedModel model;
    for (const auto& [layers, spec] : groups)
        model.groups.push_back({layers, {spec, {}, {}}, true});
    return model;
}

TEST(Diff, MatchesLayersByTheirName) {
    const Spec slow = spec_of(128, 1e6), fast = spec_of(128, 1e4);
    const auto two = model_of({{"full_attention", slow}, {"sliding_attention", fast}});
    EXPECT_TRUE(
        diff(two, model_of({{"sliding_attention", fast}, {"full_attention", slow}}), {}).same());

    // one plan is compared with every group of the other config, on either side
    const auto one = model_of({{"all layers", slow}});
    for (const Diff& found : {diff(two, one, {}), diff(one, two, {})}) {
        ASSERT_EQ(found.plans.size(), 2U);
        EXPECT_TRUE(found.plans[0].differing.empty());
        EXPECT_EQ(found.plans[1].layers, "sliding_attention");
        EXPECT_EQ(found.plans[1].differing, std::vector<std::string>{"inv_freq"});
    }
    EXPECT_EQ(diff(one, two, {}).plans[1].difference.a.rope_theta, 1e6);
    EXPECT_EQ(diff(two, one, {}).plans[1].difference.a.rope_theta, 1e4);

    const Diff unlike = diff(two, model_of({{"full_attention", slow}, {"chunked", fast}}), {});
    EXPECT_EQ(unlike.only_a, std::vector<std::string>{"sliding_attention"});
    EXPECT_EQ(unlike.only_b, std::vector<std::string>{"chunked"});
    EXPECT_FALSE(unlike.same());
}

// Merged and separate groups are compared by name.
TEST(Diff, ComparesGroupsThatDifferInNumber) {
    const Spec slow = spec_of(128, 1e6), fast = spec_of(128, 1e4);
    ResolvedModel merged = model_of({{"full_attention", slow}, {"sliding_attention", fast}});
    merged.groups[1].layers += ", chunked_attention";
    merged.groups[1].names = {"sliding_attention", "chunked_attention"};
    const auto apart = model_of(
        {{"full_attention", slow}, {"sliding_attention", fast}, {"chunked_attention", fast}});
    EXPECT_TRUE(diff(merged, apart, {}).same());
    EXPECT_TRUE(diff(apart, merged, {}).same());
    EXPECT_EQ(diff(merged, apart, {}).plans.size(), 3U);
}

TEST(Diff, ComparesBothTablesOfLongropeAndDynamic) {
    Spec one = spec_of(4, 1e4, {}, 131072);
    one.scaling = {.rope_type = "longrope",
                   .original_max_position_embeddings = 4096,
                   .short_factor = {1, 1},
                   .long_factor = {1, 8}};
    Spec other = one;
    other.scaling.long_factor = {1, 4};
    const auto both = [](const Spec& spec) {
        return with_both_tables(model_of({{"all layers", spec}}));
    };
    const Diff lists = diff(both(one), both(other), {});
    ASSERT_EQ(lists.plans.size(), 2U);
    EXPECT_EQ(lists.plans[0].layers, "all layers, short sequences");
    EXPECT_TRUE(lists.plans[0].differing.empty());
    EXPECT_EQ(lists.plans[1].layers, "all layers, long sequences");
    EXPECT_EQ(lists.plans[1].differing, std::vector<std::string>{"inv_freq"});
    EXPECT_EQ(both(one).groups[0].context(), 4096U);
    EXPECT_EQ(both(one).groups[1].context(), 131072U);

    Spec dynamic = spec_of(8, 1e4, {}, 4096);
    dynamic.scaling = {.rope_type = "dynamic", .factor = 4};
    EXPECT_EQ(both(dynamic).groups[1].context(), 16384U);
    EXPECT_FALSE(diff(both(dynamic), model_of({{"all layers", spec_of(8, 1e4)}}), {}).same());
    dynamic.seq_len = 5000;  // which selects one base
    EXPECT_EQ(both(dynamic).groups.size(), 1U);
}

TEST(Diff, SeesLayersThatDoNotRotate) {
    ResolvedModel some = model_of({{"layers 0–2", spec_of(128, 1e4)}});
    some.groups.push_back({"NoPE: 3", {}, false});
    const ResolvedModel all = model_of({{"all layers", spec_of(128, 1e4)}});
    EXPECT_TRUE(diff(some, some, {}).same());
    EXPECT_EQ(diff(some, all, {}).only_a, std::vector<std::string>{"NoPE: 3"});
    EXPECT_EQ(diff(all, some, {}).only_b, std::vector<std::string>{"NoPE: 3"});
    EXPECT_TRUE(diff(all, some, {}).plans.at(0).differing.empty());
}

// Dynamic from 4096 or 8192 positions on: both use the same base up to 4096 (Hugging Face's
// formula).
TEST(Diff, OfTablesThatChangeAtOtherLengthsIsBetweenThem) {
    const auto dynamic = [](std::uint64_t length) {
        Spec spec = spec_of(64, 10000);
        spec.scaling = {.rope_type = "dynamic", .factor = 2};
        spec.max_position_embeddings = length;
        return model_of({{"all layers", spec}});
    };
    const auto [a, b] = with_common_tables(dynamic(4096), dynamic(8192));
    const Diff found = diff(a, b, {});
    ASSERT_EQ(found.plans.size(), 3U);
    EXPECT_EQ(found.plans[0].layers, "all layers, short sequences");
    EXPECT_TRUE(found.plans[0].differing.empty());
    EXPECT_EQ(found.plans[1].layers, "all layers, sequences of 8192");
    EXPECT_FALSE(found.plans[1].differing.empty());
    EXPECT_EQ(found.plans[2].layers, "all layers, long sequences");
    EXPECT_FALSE(found.plans[2].differing.empty());
    const auto [one, other] = with_common_tables(dynamic(4096), dynamic(4096));
    EXPECT_TRUE(diff(one, other, {}).same());
}

}  // namespace diff_test
}  // namespace rope::io
