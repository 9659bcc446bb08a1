// Configs that differ in the rotation of their layers.
#include <algorithm>
#include <string>

#include "io/explain/explanation.hpp"
#include "io/resolve/resolved_model.hpp"
#include "tests/io/config_fixture.hpp"

namespace rope::io {
namespace diff_layers_test {

// "S": sliding attention, "F": full attention.
std::string config_of(const std::string& model_type, const std::string& attention) {
    std::string types;
    for (const char letter : attention)
        types += std::string(types.empty() ? "" : ", ") +
                 (letter == 'S' ? "\"sliding_attention\"" : "\"full_attention\"");
    return R"({"model_type": ")" + model_type + R"(", "head_dim": 64, "rope_theta": 50000,
        "max_position_embeddings": 4096, "layer_types": [)" +
           types + "]}";
}

class DiffOfLayers : public ConfigTest {
  protected:
    Diff diff_of(const std::string& a, const std::string& b) const {
        const ResolvedModel of_a = resolve_all(a);
        return diff(of_a, resolve_all(b), {});
    }

    // "layers 0: inv_freq; full_attention: ; A: NoPE: 3"
    std::string summary(const std::string& a, const std::string& b) const {
        const Diff found = diff_of(a, b);
        std::string text;
        const auto add = [&](const std::string& part) {
            text += (text.empty() ? "" : "; ") + part;
        };
        for (const DiffedPlan& plan : found.plans)
            add(plan.layers + (plan.differing.empty() ? "" : " not " + plan.differing.front()));
        for (const std::string& layers : found.only_a) add("A " + layers);
        for (const std::string& layers : found.only_b) add("B " + layers);
        EXPECT_EQ(found.same(),
                  text.find(" not ") == text.npos && found.only_a.empty() && found.only_b.empty());
        return text;
    }
};

TEST_F(DiffOfLayers, TellsThatOneRotatesInOneConfigOnly) {
    const std::string mixed = config_of("cohere2", "SSSFSSSF");
    EXPECT_EQ(summary(mixed, config_of("cohere2", "SSSSSSSS")),
              "sliding_attention; A NoPE: full_attention");
    EXPECT_EQ(summary(mixed, config_of("cohere2", "SSSSSSSF")),
              "sliding_attention: 0–2, 4–6; A NoPE: 3; B sliding_attention: 3");
    EXPECT_EQ(summary(mixed, mixed), "sliding_attention");
}

TEST_F(DiffOfLayers, ComparesThemWhereTheyExchangeTheirKind) {
    const std::string a = config_of("gemma3_text", "SSSF");
    EXPECT_EQ(summary(a, config_of("gemma3_text", "FFFS")),
              "layers 3 (full_attention in A, sliding_attention in B) not inv_freq; "
              "layers 0–2 (sliding_attention in A, full_attention in B) not inv_freq");
    EXPECT_EQ(summary(a, config_of("gemma3_text", "SSFF")),
              "full_attention: 3; layers 2 (sliding_attention in A, full_attention in B) not "
              "inv_freq; sliding_attention: 0–1");
}

TEST_F(DiffOfLayers, ComparesThePatternsOfAKeyAndOfTheClass) {
    const auto gemma = [](const std::string& keys) {
        return R"({"model_type": "gemma3_text", "head_dim": 64, "num_hidden_layers": 12)" + keys +
               "}";
    };
    EXPECT_TRUE(diff_of(gemma(""), gemma(R"(, "sliding_window_pattern": 6)")).same());
    EXPECT_FALSE(diff_of(gemma(""), gemma(R"(, "sliding_window_pattern": 3)")).same());
    EXPECT_FALSE(diff_of(config_of("cohere2", "SSSS"),
                         R"({"model_type": "cohere2", "head_dim": 64, "rope_theta": 50000,
                             "max_position_embeddings": 4096, "num_hidden_layers": 4})")
                     .same());
}

TEST_F(DiffOfLayers, ComparesTheNumbersOfNoRopeLayers) {
    const auto smollm = [](const std::string& flags) {
        return R"({"model_type": "smollm3", "head_dim": 64, "no_rope_layers": [)" + flags + "]}";
    };
    EXPECT_EQ(summary(smollm("1, 0, 1, 0"), smollm("1, 1, 1, 0")),
              "layers 0, 2; A NoPE: 1; B layers 1");
}

TEST_F(DiffOfLayers, LeavesOutThoseThatOnlyOneOfThemHas) {
    EXPECT_EQ(summary(config_of("gemma3_text", "SSSF"), config_of("gemma3_text", "SSSFSSSF")),
              "full_attention; sliding_attention");
}

TEST_F(DiffOfLayers, GoesByTheirNamesWhereTheFilesDoNotNumberThem) {
    EXPECT_EQ(summary(R"({"model_type": "cohere2", "head_dim": 64, "rope_theta": 50000,
                          "max_position_embeddings": 4096})",
                      config_of("cohere2", "SSSF")),
              "sliding_attention");
}

TEST_F(DiffOfLayers, KeepsTheTablesOfShortAndLongSequencesApart) {
    const auto olmo = [&](const std::string& attention) {
        std::string text = config_of("olmo3", attention);
        text.pop_back();
        return text + R"(, "rope_scaling": {"rope_type": "dynamic", "factor": 4}})";
    };
    const ResolvedModel a = with_both_tables(resolve_all(olmo("SSSF")));
    EXPECT_TRUE(diff(a, a, {}).same());
    EXPECT_FALSE(diff(a, with_both_tables(resolve_all(olmo("SSFF"))), {}).same());
}

}  // namespace diff_layers_test
}  // namespace rope::io
