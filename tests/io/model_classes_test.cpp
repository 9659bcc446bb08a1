// The table of model classes, and rows that a user adds.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "io/config/config.hpp"
#include "io/explain/explanation.hpp"
#include "io/model/gguf_config.hpp"
#include "io/model/models.hpp"
#include "io/model/resolved_model.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io::model_classes_test {

using Is = ModelClass::Is;
using nlohmann::json;

// Conditions are read before a row is parsed: in another form they would always hold.
TEST(RowTexts, OfEmbeddedTablesAreThoseOfTheirRows) {
    const std::vector<const char*> of_rules{"to", "of", "if", "at"};
    const std::pair<std::string_view, std::vector<const char*>> tables[] = {
        {lint_rows, of_rules},    {refused_rows, of_rules},      {field_rows, of_rules},
        {layer_rows, of_rules},   {param_rows, of_rules},        {gguf_rows, of_rules},
        {request_rows, of_rules}, {trait_rows, {"of", "trait"}}, {model_rows, {"model", "source"}}};
    std::size_t conditions = 0;
    for (const auto& [table, keys] : tables)
        for (const RowText& text : row_texts_of(table, "data")) {
            const Row row = text.row();
            for (const char* key : keys) EXPECT_EQ(text.text(key), row.text(key, "")) << text.line;
            conditions += row.has("if") ? 1 : 0;
        }
    EXPECT_GT(conditions, 300u);
}

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
                                            return find_gguf_architecture(name).facts.has(trait);
                                        }))
            << trait;
    }
}

void expect_refused(const std::string& row, const std::string& message) {
    EXPECT_TRUE(error_message<InputError>([&] {
                    add_rows(row, "mine.jsonl");
                }).starts_with("mine.jsonl, " + message))
        << row;
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
    EXPECT_EQ(mine.facts.number("usual_period"), 3);
    EXPECT_TRUE(mine.facts.has("permuted"));
    // clang-format off
    const std::pair<const char*, const char*> refused[] = {
        {"\"pair\": \"norm\"", "unknown key 'pair'; t"},
        {"\"pairs\": \"norms\"", "pairs is 'norms'; it must be one of unk"},
        {"\"pairs\": \"norm\", \"interval\": -4", "interval is -4; it must be a whole number up to a million"},
        {"\"pairs\": \"norm\", \"traits\": [\"spins\"]", "traits is 'spins'; it must be one of a"},
        {"\"pairs\": \"norm\", \"sliding\": 4", "sliding: is not a JSON object"}};
    // clang-format on
    for (const auto& [rest, message] : refused)
        expect_refused(std::string("{\"architecture\": \"a\", ") + rest + "}",
                       std::string("line 1: ") + message);
}

TEST(ModelClasses, ABadRowIsRefusedByItsLine) {
    // clang-format off
    const std::pair<const char*, const char*> refused[] = {
        {"\n{\"class\"", "line 2: is not JSON; each line holds one row"},
        {R"({"class": "a", "asumes": {}})", "line 1: unknown key 'asumes'"},
        {"[]", "line 1: is not a JSON object"},
        {"{}", "line 1: class is missing; it must be a string"},
        {R"({"class": "a", "is": "rop"})", "line 1: is is 'rop'; it must be one of rope, tower, other, wrapper; did you mean 'rope'?"},
        {R"({"class": "a", "is": "rope", "layout": "neox"})", "line 1: layout is 'neox'; it must be one of half_split, interleaved, interleaved_to_half_split"},
        {R"({"class": "a", "is": "rope", "layout": "half_split", "assumes": 3})", ""},
        {R"({"class": "a", "is": "rope", "layout": "half_split"})", ""}};  // no source
    // clang-format on
    for (const auto& [row, message] : refused) expect_refused(row, message);
}

Flags model(std::string_view name) { return {{"--model", std::string(name)}}; }

TEST(Models, AllResolveAndNameTheirSource) {
    std::string_view before;
    for (const Model& row : models()) {
        const ResolvedModel resolved = resolve_model(std::nullopt, model(row.name));
        EXPECT_FALSE(resolved.groups.empty()) << row.name;
        EXPECT_TRUE(resolved.ignored.empty()) << row.name << ": " << resolved.ignored.front();
        EXPECT_FALSE(row.source.empty()) << row.name;
        EXPECT_NE(row.name, before);
        for (const Lint& lint : resolved.lint)
            EXPECT_EQ(lint.severity, Severity::note) << row.name << ": " << lint.message;
        before = row.name;
    }
}

// tests/golden/configs/real.jsonl, from the models' own pages
TEST(Models, EqualTheirConfigs) {
    const std::map<std::string, std::string_view> names{
        {"codellama/CodeLlama-7b-hf", "codellama-7b"},
        {"deepseek-ai/DeepSeek-V3", "deepseek-v3"},
        {"tiiuae/Falcon3-7B-Base", "falcon3-7b"},
        {"google/gemma-2-9b", "gemma-2-9b"},
        {"THUDM/GLM-4-9B-0414", "glm-4-9b-0414"},
        {"openai/gpt-oss-20b", "gpt-oss-20b"},
        {"meta-llama/Llama-2-7b-hf", "llama-2-7b"},
        {"meta-llama/Meta-Llama-3-8B", "llama-3-8b"},
        {"meta-llama/Llama-3.1-8B", "llama-3.1-8b"},
        {"meta-llama/Llama-3.2-1B", "llama-3.2-1b"},
        {"meta-llama/Llama-3.2-3B", "llama-3.2-3b"},
        {"meta-llama/Llama-3.3-70B-Instruct", "llama-3.3-70b"},
        {"mistralai/Mistral-7B-v0.3", "mistral-7b-v0.3"},
        {"mistralai/Mixtral-8x7B-v0.1", "mixtral-8x7b"},
        {"allenai/OLMo-2-1124-7B", "olmo-2-7b"},
        {"microsoft/phi-2", "phi-2"},
        {"microsoft/Phi-3.5-mini-instruct", "phi-3.5-mini"},
        {"microsoft/phi-4", "phi-4"},
        {"EleutherAI/pythia-6.9b", "pythia-6.9b"},
        {"Qwen/Qwen2-VL-7B-Instruct", "qwen2-vl-7b"},
        {"Qwen/Qwen3-8B", "qwen3-8b"},
        {"Qwen/Qwen3-VL-8B-Instruct", "qwen3-vl-8b"},
        {"HuggingFaceTB/SmolLM2-1.7B", "smollm2-1.7b"}};
    const TemporaryFolder folder;
    std::vector<nlohmann::json> configs;
    for (const char* path : {"/golden/configs/real.jsonl", "/../data/classes.jsonl"}) {
        std::ifstream file(ROPE_CHECK_TESTS + std::string(path));
        for (std::string line; std::getline(file, line);) {
            const auto row = nlohmann::json::parse(line);
            configs.push_back(row.value("example", row));
        }
    }
    std::size_t seen = 0;
    for (const nlohmann::json& recorded : configs) {
        const auto found = names.find(recorded.value("name", ""));
        if (found == names.end()) continue;
        ++seen;
        const auto path = folder.write("config.json", recorded["config"].dump());
        EXPECT_EQ(resolve_spec(path.string(), {}).spec,
                  resolve_spec(std::nullopt, model(found->second)).spec)
            << found->second;
    }
    EXPECT_EQ(seen, names.size());
}

TEST(Models, ReplaceAConfig) {
    const ResolvedSpec llama = resolve_spec(std::nullopt, model("llama-3.1-8b"));
    EXPECT_EQ(llama.spec, spec(128, 128, half, 131072, 5e5, llama3(8, 1, 4, 8192)));
    EXPECT_EQ(origin_of(llama, "rope_theta"), "--model llama-3.1-8b: rope_theta");
    Flags flags = model("gemma-3-27b");
    flags.push_back({"--layers", "full_attention"});
    EXPECT_EQ(flags_of(resolve_spec(std::nullopt, flags).spec),
              "--dim 128 --max-position 131072 --base 1000000 --rope rope_type=linear,factor=8");
}

TEST(Models, AreNamedOnceAboveTheirLayers) {
    const std::vector<std::string> words{"gemma-3-4b"};
    const std::string text = lists().front().document(words, false).text;
    EXPECT_EQ(text.find("\ngemma-3-4b\n  "), text.find('\n')) << text;
    EXPECT_EQ(text.find("gemma-3-4b"), text.rfind("gemma-3-4b")) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
}

}  // namespace rope::io::model_classes_test
