#include "io/model/models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/explain/explanation.hpp"
#include "io/resolve/resolved_model.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace models_test {

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

TEST(Models, AreRefusedByName) {
    EXPECT_EQ(error_message<InputError>([] {
                  resolve_spec(std::nullopt, model("llama-9"));
              }).substr(0, 60),
              "--model is 'llama-9'; it must be one of chatglm-6b, codellam");
    EXPECT_EQ(error_message<InputError>([] { resolve_spec("config.json", model("phi-2")); }),
              "--model phi-2: a config is given too; give one of them");
}

TEST(Models, AreNamedOnceAboveTheirLayers) {
    const std::vector<std::string> words{"gemma-3-4b"};
    const std::string text = lists().front().document(words, false).text;
    EXPECT_EQ(text.find("\ngemma-3-4b\n  "), text.find('\n')) << text;
    EXPECT_EQ(text.find("gemma-3-4b"), text.rfind("gemma-3-4b")) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
}

}  // namespace models_test
}  // namespace rope::io
