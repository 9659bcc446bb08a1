// A GGUF gives the same rotary embedding as the model's config.json.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "io/explain/explanation.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spectrum.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace gguf_config_test {

// Works in a temporary folder, so that messages have only the file name.
class GgufConfig : public testing::Test {
  protected:
    GgufConfig() : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder_.path());
    }
    ~GgufConfig() override { std::filesystem::current_path(before_); }

    ResolvedModel resolve_all(const TestGguf& file) const {
        folder_.write("m.gguf", file.bytes());
        return resolve_model("m.gguf", {});
    }
    ResolvedSpec resolve(const TestGguf& file) const {
        folder_.write("m.gguf", file.bytes());
        return resolve_spec("m.gguf", {});
    }

    TemporaryFolder folder_;

  private:
    std::filesystem::path before_;
};

TestGguf model(const std::string& architecture, std::uint32_t head_dim, std::uint32_t context,
               float base) {
    TestGguf file;
    file.text("general.architecture", architecture);
    file.u32(architecture + ".context_length", context);
    file.u32(architecture + ".embedding_length", head_dim * 32);
    file.u32(architecture + ".attention.head_count", 32);
    file.u32(architecture + ".rope.dimension_count", head_dim);
    file.f32(architecture + ".rope.freq_base", base);
    return file;
}

TEST_F(GgufConfig, NamesTheKeysThatItReads) {
    const ResolvedSpec llama = resolve(model("llama", 128, 8192, 5e5f));
    EXPECT_EQ(llama.spec, spec(128, 128, interleaved, 8192, 5e5));
    EXPECT_EQ(origin_of(llama, "rope_theta"), "m.gguf: llama.rope.freq_base");
    EXPECT_EQ(origin_of(llama, "head_dim"),
              "m.gguf: llama.embedding_length / llama.attention.head_count");
    EXPECT_EQ(origin_of(llama, "layout"),
              "m.gguf: general.architecture llama, ggml's NORM pairs; the converter permuted "
              "q_proj and k_proj from half_split");
    EXPECT_EQ(origin_of(resolve(model("qwen2", 128, 8192, 5e5f)), "layout"),
              "m.gguf: general.architecture qwen2, ggml's NEOX pairs");
    TestGguf zero = model("llama", 128, 16384, 1e4f);
    zero.text("llama.rope.scaling.type", "linear").f32("llama.rope.scaling.factor", 0);
    EXPECT_EQ(origin_of(resolve(zero), "rope_type"),
              "m.gguf: llama.rope.scaling.factor, 0, which llama.cpp reads as 1");
    EXPECT_EQ(origin_of(llama, "max_position_embeddings"), "m.gguf: llama.context_length");
    EXPECT_EQ(origin_of(llama, "rotary_dim"), "m.gguf: llama.rope.dimension_count");
    TestGguf compressed = model("deepseek4", 64, 8192, 1e4f);
    compressed.f32("deepseek4.attention.compress_rope_freq_base", 1.6e5f)
        .u32("deepseek4.block_count", 2)
        .i32s("deepseek4.attention.compress_ratios", {4, 128});
    EXPECT_EQ(origin_of(resolve(compressed), "rope_theta"),
              "m.gguf: deepseek4.attention.compress_rope_freq_base");
}

// llama.cpp's converter permutes the rows of llama's q_proj and k_proj for NORM; command-r's were
// so already.
TEST_F(GgufConfig, WithPermutedWeightsAsksForItsConfigsRotation) {
    const auto config = [](PairLayout layout, const std::string& type = "llama",
                           std::uint32_t rotary_dim = 128) {
        ResolvedModel model;
        model.groups.push_back(
            {"all layers", {spec(128, rotary_dim, layout, 8192, 5e5), {}, {}}, true});
        model.groups[0].resolved.facts.model_type = type;
        return model;
    };
    const auto gguf = [&](const char* architecture) {
        return resolve_all(model(architecture, 128, 8192, 5e5f));
    };
    for (const bool swapped : {false, true}) {
        const ResolvedModel a = gguf("llama"), b = config(half);
        const Diff found = swapped ? diff(b, a, {}) : diff(a, b, {});
        EXPECT_TRUE(found.same());
        EXPECT_NE(diff_document(found, false).text.find("the converter permuted"),
                  std::string::npos);
    }
    EXPECT_TRUE(diff(gguf("llama"), config(half, "mistral"), {}).same());
    EXPECT_FALSE(diff(gguf("llama"), config(half, "qwen2"), {}).same());
    EXPECT_FALSE(diff(gguf("llama"), gguf("qwen2"), {}).same());
    EXPECT_FALSE(diff(gguf("llama"), config(interleaved), {}).plans.at(0).permuted);
    EXPECT_FALSE(diff(gguf("llama"), config(half, "llama", 32), {}).plans.at(0).permuted);
    EXPECT_FALSE(diff(gguf("command-r"), config(half), {}).same());
    EXPECT_FALSE(diff(gguf("qwen2"), config(interleaved), {}).same());
}

// These keys identify the axes of a dump's vectors.
TEST_F(GgufConfig, TellsHowManyHeadsQAndKHave) {
    TestGguf file = model("qwen3", 64, 40960, 1e6f);
    EXPECT_EQ(resolve(file).facts.key_heads, 0u);
    file.u32("qwen3.attention.head_count_kv", 8).u32("qwen3.attention.key_length", 128);
    EXPECT_EQ(resolve(file).facts.heads, 32u);
    EXPECT_EQ(resolve(file).facts.key_heads, 8u);
}

TEST_F(GgufConfig, HasATrainedLengthIfItStatesTheOriginalOne) {
    TestGguf llama = model("llama", 4, 131072, 5e5f).floats("rope_freqs.weight", {1, 8});
    EXPECT_EQ(origin_of(resolve(llama), "short_factor"), "m.gguf: rope_freqs.weight");
    EXPECT_FALSE(has_trained_length(resolve(llama).spec));
    llama.u32("llama.rope.scaling.original_context_length", 8192);
    EXPECT_TRUE(has_trained_length(resolve(llama).spec));
}

// convert_hf_to_gguf.py's factors for Llama 3.1, computed in float64 as there, give llama3's plan.
TEST_F(GgufConfig, LlamasFactorsAreLlama3) {
    const Spec known = resolve_spec(std::nullopt, Flags{{"--model", "llama-3.1-8b"}}).spec;
    const FrequencyPlan truth = plan_frequencies(known, exact_precision);
    Spec bare = known;
    bare.scaling = {};
    const FrequencyPlan unscaled = plan_frequencies(bare, exact_precision);
    std::vector<float> factors;
    for (std::size_t i = 0; i < truth.pairs.size(); ++i)
        factors.push_back(
            static_cast<float>((unscaled.pairs[i].inv_freq / truth.pairs[i].inv_freq).to_double()));
    const Spec own =
        resolve(model("llama", 128, 131072, 5e5f).floats("rope_freqs.weight", factors)).spec;
    const FrequencyPlan plan = plan_frequencies(own, exact_precision);
    EXPECT_EQ(plan.attention_factor, 1);
    for (std::size_t i = 0; i < factors.size(); ++i)
        EXPECT_NEAR(plan.pairs[i].inv_freq.to_double() / truth.pairs[i].inv_freq.to_double(), 1,
                    0x1p-24)
            << i;
}

TEST_F(GgufConfig, SurvivesTruncationAtEveryByte) {
    const std::string whole =
        model("llama", 4, 131072, 5e5f).floats("rope_freqs.weight", {1, 8}).bytes();
    for (std::size_t length = 4; length + 24 < whole.size(); ++length) {
        folder_.write("m.gguf", whole.substr(0, length));
        EXPECT_TRUE(error_message<InputError>([] {
                        resolve_spec("m.gguf", {});
                    }).starts_with("m.gguf: byte "))
            << length;
    }
}

}  // namespace gguf_config_test
}  // namespace rope::io
