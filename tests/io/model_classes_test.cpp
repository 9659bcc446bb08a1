// The table of model classes, and rows that a user adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/error.hpp"
#include "io/config/config.hpp"
#include "io/gguf/gguf_config.hpp"
#include "io/model/models.hpp"
#include "tests/io/config_fixture.hpp"
#include "tests/io/error_message.hpp"

namespace rope::io {
namespace model_classes_test {

using Is = ModelClass::Is;
using nlohmann::json;

TEST(ModelClasses, EachRowOfTheFileIsFoundByItsName) {
    std::ifstream file(ROPE_CHECK_TESTS "/../data/classes.jsonl");
    std::set<std::string> names;
    std::string line;
    while (std::getline(file, line)) {
        const json row = json::parse(line);
        const std::string name = row.at("class");
        EXPECT_TRUE(names.insert(name).second) << name << " has two rows";
        EXPECT_EQ(line.find("{\"class\": \""), 0u) << name;
        const int kinds = (find_class(name, Is::rope) != nullptr ? 1 : 0) +
                          (find_class(name, Is::tower) != nullptr ? 1 : 0) +
                          (find_class(name, Is::other) != nullptr ? 1 : 0) +
                          (find_class(name, Is::wrapper) != nullptr ? 1 : 0);
        EXPECT_EQ(kinds, 1) << name;
    }
    EXPECT_GT(names.size(), 500u);
}

TEST(ModelClasses, ARowHasItsClassesAssumptions) {
    const ModelClass* llama = find_model_class("llama");
    ASSERT_NE(llama, nullptr);
    EXPECT_EQ(llama->layout, PairLayout::half_split);
    EXPECT_EQ(llama->assumes.at("rope_theta"), 10000);
    EXPECT_EQ(find_class("gpt2", Is::other)->instead, "learned absolute positions");
    EXPECT_EQ(find_class("gemma3", Is::wrapper)->holds, "gemma3_text");
    EXPECT_EQ(find_model_class("gpt2"), nullptr);
    EXPECT_EQ(find_model_class("llam"), nullptr);
    EXPECT_EQ(find_model_class("llama\", \"is"), nullptr);
}

TEST(Architectures, WithoutARowAreThatOfTheStar) {
    std::ifstream file(ROPE_CHECK_TESTS "/../data/architectures.jsonl");
    std::set<std::string> names;
    for (std::string line; std::getline(file, line);) {
        const std::string name = json::parse(line).at("architecture");
        EXPECT_TRUE(names.insert(name).second) << name << " has two rows";
        EXPECT_EQ(find_gguf_architecture(name).name, name);
    }
    EXPECT_GT(names.size(), 140u);
    EXPECT_EQ(find_gguf_architecture("no_such").name, "*");
    EXPECT_EQ(find_gguf_architecture("no_such").pairs, "unknown");
    for (const Row& row : rows_of(trait_rows, "traits")) {
        const std::string trait = row.text("trait");
        const bool is_of_a_class = row.text("of") == "class" && !classes_with_trait(trait).empty();
        EXPECT_TRUE(is_of_a_class ||
                    std::ranges::any_of(names,
                                        [&](const std::string& name) {
                                            return find_gguf_architecture(name).does(trait);
                                        }))
            << trait;
    }
}

// Runs last, because the rows stay.
using ModelClassesOfAUser = ConfigTest;

TEST_F(ModelClassesOfAUser, AddAndReplaceRows) {
    add_rows(
        R"({"class": "my_model", "is": "rope", "layout": "interleaved", "assumes": {"rope_theta": 777, "head_dim": 64}, "source": "mine"}

{"class": "afm7", "is": "other", "instead": "nothing", "source": "mine"}
)",
        "mine.jsonl");
    const Spec spec = resolve_all(R"({"model_type": "my_model"})").groups.front().resolved.spec;
    EXPECT_EQ(spec.rope_theta, 777);
    EXPECT_EQ(spec.head_dim, 64u);
    EXPECT_EQ(spec.layout, PairLayout::interleaved);
    EXPECT_EQ(find_model_class("afm7"), nullptr);
}

TEST(Architectures, OfAUserAreAdded) {
    add_rows(
        R"({"architecture": "mine", "pairs": "norm", "sliding": {"have": "rotation", "period": 3}, "traits": ["permuted"]})",
        "mine.jsonl");
    const GgufArchitecture& mine = find_gguf_architecture("mine");
    EXPECT_EQ(mine.pairs, "norm");
    EXPECT_EQ(mine.sliding->period, 3u);
    EXPECT_TRUE(mine.does("permuted"));
    const auto refusal = [](const std::string& rest) {
        return error_message<InputError>(
            [&] { add_rows("{\"architecture\": \"a\", " + rest + "}", "mine.jsonl"); });
    };
    EXPECT_EQ(refusal("\"pair\": \"norm\"").substr(0, 41),
              "mine.jsonl, line 1: unknown key 'pair'; t");
    EXPECT_EQ(refusal("\"pairs\": \"norms\"").substr(0, 59),
              "mine.jsonl, line 1: pairs is 'norms'; it must be one of unk");
    EXPECT_EQ(refusal("\"pairs\": \"norm\", \"interval\": -4"),
              "mine.jsonl, line 1: interval is -4; it must be a whole number up to a million");
    EXPECT_EQ(refusal("\"pairs\": \"norm\", \"traits\": [\"spins\"]").substr(0, 58),
              "mine.jsonl, line 1: traits is 'spins'; it must be one of a");
    EXPECT_EQ(refusal("\"pairs\": \"norm\", \"sliding\": 4"),
              "mine.jsonl, line 1: sliding: is not a JSON object");
}

TEST(ModelClasses, ABadRowIsRefusedByItsLine) {
    const auto refusal = [](const std::string& rows) {
        return error_message<InputError>([&] { add_rows(rows, "mine.jsonl"); });
    };
    EXPECT_EQ(refusal("\n{\"class\""), "mine.jsonl, line 2: is not JSON; each line holds one row");
    EXPECT_NE(refusal(R"({"class": "a", "asumes": {}})").find("unknown key 'asumes'"),
              std::string::npos);
    EXPECT_EQ(refusal("[]"), "mine.jsonl, line 1: is not a JSON object");
    EXPECT_EQ(refusal("{}"), "mine.jsonl, line 1: class is missing; it must be a string");
    EXPECT_EQ(refusal(R"({"class": "a", "is": "rop"})"),
              "mine.jsonl, line 1: is is 'rop'; it must be one of rope, tower, other, wrapper; did "
              "you mean 'rope'?");
    EXPECT_EQ(refusal(R"({"class": "a", "is": "rope", "layout": "neox"})"),
              "mine.jsonl, line 1: layout is 'neox'; it must be one of half_split, interleaved, "
              "interleaved_to_half_split");
    EXPECT_NE(refusal(R"({"class": "a", "is": "rope", "layout": "half_split", "assumes": 3})"), "");
    EXPECT_NE(refusal(R"({"class": "a", "is": "rope", "layout": "half_split"})"), "");  // no source
}

}  // namespace model_classes_test
}  // namespace rope::io
