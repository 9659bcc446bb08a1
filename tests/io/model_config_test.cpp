#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "io/resolve/resolved_model.hpp"
#include "io/shape/shape.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace model_config_test {

struct Model {
    const char* file;
    Spec spec;

    friend void PrintTo(const Model& row, std::ostream* out) { *out << row.file; }
};

class ModelConfig : public testing::TestWithParam<Model> {};

TEST_P(ModelConfig, IsResolved) {
    const std::string path = std::string(ROPE_CHECK_TESTS "/golden/configs/") + GetParam().file;
    const ResolvedSpec resolved = resolve_spec(path, {});
    EXPECT_EQ(resolved.spec, GetParam().spec);
    EXPECT_TRUE(resolved.ignored.empty());
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Golden, ModelConfig, testing::Values(
    Model{"llama-2-7b.json",                   spec(128, 128, half, 4096,   1e4)},
    Model{"llama-3.1-8b.json",                 spec(128, 128, half, 131072, 5e5, llama3(8, 1, 4, 8192))},
    Model{"llama-3.2-1b.json",                 spec(64,  64,  half, 131072, 5e5, llama3(32, 1, 4, 8192))},
    Model{"llama-3.2-1b-transformers-5.json",  spec(64,  64,  half, 131072, 5e5, llama3(32, 1, 4, 8192))},
    Model{"codellama-7b.json",                 spec(128, 128, half, 16384,  1e6)},
    Model{"mistral-7b-v0.3.json",              spec(128, 128, half, 32768,  1e6)},
    Model{"qwen2.5-7b-instruct.json",          spec(128, 128, half, 32768,  1e6)},
    Model{"pythia-6.9b.json",                  spec(128, 32,  half, 2048,   1e4)}));
// clang-format on

// The config's plans as flags; one line for each group of layers.
struct DumpHints {
    const char* file;
    const char* flags;

    friend void PrintTo(const DumpHints& row, std::ostream* out) { *out << row.file; }
};

class AskedByConfig : public testing::TestWithParam<DumpHints> {};

TEST_P(AskedByConfig, IsResolved) {
    const std::string path = std::string(ROPE_CHECK_TESTS "/golden/configs/") + GetParam().file;
    const ResolvedModel model = resolve_model(path, {});
    std::string flags;
    for (const LayerGroup& group : model.groups)
        flags += group.layers + ": " + flags_of(group.resolved.spec) + "\n";
    EXPECT_EQ(flags, GetParam().flags);
    EXPECT_TRUE(model.ignored.empty()) << model.ignored.front();
    EXPECT_TRUE(model.lint.empty()) << model.lint.front().message;
}

constexpr const char* gemma_3 =
    "full_attention: --dim 256 --max-position 131072 --base 1000000 --rope "
    "rope_type=linear,factor=8\n"
    "sliding_attention: --dim 256 --max-position 131072\n";

INSTANTIATE_TEST_SUITE_P(
    Golden, AskedByConfig,
    testing::Values(
        DumpHints{"gemma-3-4b.json", gemma_3}, DumpHints{"gemma-3-4b-transformers-5.json", gemma_3},
        DumpHints{
            "deepseek-v3.json",
            "all layers: --dim 64 --layout interleaved_to_half_split --max-position 163840 --rope "
            "rope_type=yarn,factor=40,original_max_position_embeddings=4096,beta_fast=32,beta_slow="
            "1,mscale=1,mscale_all_dim=1\n"},
        DumpHints{"gpt-oss-20b.json",
                  "all layers: --dim 64 --max-position 131072 --base 150000 --rope "
                  "rope_type=yarn,factor=32,original_max_position_embeddings=4096,beta_fast=32,"
                  "beta_slow=1,truncate=false\n"},
        DumpHints{"qwen2.5-7b-instruct-yarn.json",
                  "all layers: --dim 128 --max-position 131072 --base 1000000 --rope "
                  "rope_type=yarn,factor=4,original_max_position_embeddings=32768\n"},
        DumpHints{
            "glm-4-9b.json",
            "all layers: --dim 128 --rotary-dim 64 --layout interleaved --max-position 131072 "
            "--base 5000000\n"}));

TEST(ModelConfig, OfPhi35HasItsTwoLists) {
    const ResolvedSpec resolved =
        resolve_spec(ROPE_CHECK_TESTS "/golden/configs/phi-3.5-mini.json", {});
    const Scaling& scaling = resolved.spec.scaling;
    EXPECT_EQ(scaling.rope_type, "longrope");
    EXPECT_EQ(*scaling.original_max_position_embeddings, 4096u);
    ASSERT_EQ(scaling.short_factor.size(), 48u);
    ASSERT_EQ(scaling.long_factor.size(), 48u);
    EXPECT_EQ(scaling.short_factor.back(), 2.8399994373321533);
    EXPECT_EQ(scaling.long_factor.front(), 1.0800000429153442);
    const Flag model{"--model", "phi-3.5-mini"};
    EXPECT_EQ(resolve_spec(std::nullopt, {&model, 1}).spec, resolved.spec);
}

}  // namespace model_config_test
}  // namespace rope::io
