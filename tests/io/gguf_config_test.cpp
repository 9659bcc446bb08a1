// A GGUF says of its rotary embedding what the model's config.json says.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "io/explain/diff.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/spectrum.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/io/resolved.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace gguf_config_test {

// Works in a folder of its own, so that messages carry a bare name.
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
    ResolvedSpec resolve(const TestGguf& file, const Flags& flags = {}) const {
        folder_.write("m.gguf", file.bytes());
        return resolve_spec("m.gguf", flags);
    }
    std::string refusal(const TestGguf& file) const {
        return error_message<InputError>([&] { resolve(file); });
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
    EXPECT_EQ(origin_of(llama, "max_position_embeddings"), "m.gguf: llama.context_length");
    EXPECT_EQ(origin_of(llama, "rotary_dim"), "m.gguf: llama.rope.dimension_count");
}

// llama.cpp's converter moves the rows of llama's q_proj and k_proj for NORM; command-r's were so.
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

TEST_F(GgufConfig, PairsAsItsArchitectureDoes) {
    for (const char* norm : {"llama", "command-r", "glm4", "deepseek2", "deepseek32", "smollm3",
                             "cohere2moe", "muse-glimmer", "bailingmoe3"})
        EXPECT_EQ(resolve(model(norm, 64, 4096, 1e4f)).spec.layout, interleaved) << norm;
    for (const char* neox :
         {"qwen2", "glm4moe", "phi3", "gpt-oss", "olmo2", "minicpm3", "hy_v3", "minimax-01"})
        EXPECT_EQ(resolve(model(neox, 64, 4096, 1e4f)).spec.layout, half) << neox;
}

TEST_F(GgufConfig, TakesTheHeadAndWhatOfItRotates) {
    TestGguf partial;
    partial.text("general.architecture", "gptneox").u32("gptneox.attention.key_length", 128);
    partial.u32("gptneox.rope.dimension_count", 32).u32("gptneox.context_length", 2048);
    EXPECT_EQ(resolve(partial).spec, spec(128, 32, half, 2048, 1e4));

    TestGguf alone;
    alone.text("general.architecture", "llama").u32("llama.rope.dimension_count", 64);
    EXPECT_EQ(resolve(alone).spec, spec(64, 64, interleaved, 2048, 1e4));

    // OpenELM: as many heads as each layer likes, and the width of the first one's
    TestGguf varied;
    varied.text("general.architecture", "openelm").u32("openelm.rope.dimension_count", 64);
    varied.u32("openelm.embedding_length", 1280).i32s("openelm.attention.head_count", {20, 16});
    EXPECT_EQ(resolve(varied).spec.head_dim, 64u);
}

TEST_F(GgufConfig, ScalesAsLlamaCppDoes) {
    const TestGguf plain = model("llama", 128, 16384, 1e4f);
    TestGguf untyped = plain;
    untyped.f32("llama.rope.scaling.factor", 4);
    EXPECT_EQ(resolve(untyped).spec.scaling, linear(4));
    EXPECT_EQ(origin_of(resolve(untyped), "factor"), "m.gguf: llama.rope.scaling.factor");
    TestGguf older = plain;
    older.f32("llama.rope.scale_linear", 8);
    EXPECT_EQ(resolve(older).spec.scaling, linear(8));
    TestGguf none = plain;
    none.text("llama.rope.scaling.type", "none").f32("llama.rope.scaling.factor", 4);
    EXPECT_EQ(resolve(none).spec.scaling, scaling("default"));
    TestGguf zero = plain;
    zero.text("llama.rope.scaling.type", "linear").f32("llama.rope.scaling.factor", 0);
    EXPECT_EQ(resolve(zero).spec.scaling, scaling("default"));
    EXPECT_EQ(origin_of(resolve(zero), "rope_type"),
              "m.gguf: llama.rope.scaling.factor, 0, which llama.cpp reads as 1");

    TestGguf yarn = plain;
    yarn.text("llama.rope.scaling.type", "yarn").f32("llama.rope.scaling.factor", 4);
    yarn.u32("llama.rope.scaling.original_context_length", 4096);
    Scaling expected = scaling("yarn");
    expected.factor = 4;
    expected.original_max_position_embeddings = 4096;
    EXPECT_EQ(resolve(yarn).spec.scaling, expected);
    yarn.f32("llama.rope.scaling.attn_factor", 0.5f);
    EXPECT_NEAR(*resolve(yarn).spec.scaling.attention_factor, 0.5 * 1.1386294361119891, 1e-15);
    const TestGguf linear_too = TestGguf(untyped).f32("llama.rope.scaling.attn_factor", 0.5f);
    EXPECT_EQ(refusal(linear_too),
              "m.gguf: has llama.rope.scaling.attn_factor and llama.rope.scaling.type linear, "
              "which no rope_type does together");
}

// A yarn of factor 4 with every yarn_ key, as convert_hf_to_gguf.py writes it for any architecture.
TestGguf yarn_of(const std::string& architecture) {
    TestGguf file = model(architecture, 128, 16384, 1e4f);
    const std::string path = architecture + ".rope.scaling.";
    file.text(path + "type", "yarn").f32(path + "factor", 4);
    file.u32(path + "original_context_length", 4096);
    file.f32(path + "yarn_beta_fast", 16).f32(path + "yarn_beta_slow", 2);
    return file.f32(path + "yarn_attn_factor", 1.5f);
}

// llama.cpp f12cc6d0f: `LLM_KV_ROPE_SCALING_YARN_*` occurs in src/models/grok.cpp and mistral3.cpp
// alone (and deepseek2.cpp's logarithm); src/llama-context.cpp sets yarn_attn_factor anew where
// yarn_ext_factor is not 0.
TEST_F(GgufConfig, ReadsTheYarnKeysOfTheArchitecturesThatLlamaCppReadsThemOf) {
    const auto read = [&](const TestGguf& file) { return resolve(file).spec.scaling; };
    const Scaling llama = read(yarn_of("llama")), mistral = read(yarn_of("mistral3"));
    EXPECT_FALSE(llama.beta_fast || llama.beta_slow || llama.attention_factor);
    EXPECT_EQ(mistral.beta_fast, 16);
    EXPECT_EQ(mistral.beta_slow, 2);
    EXPECT_FALSE(mistral.attention_factor);
    const Scaling grok = read(yarn_of("grok"));
    EXPECT_EQ(grok.beta_fast, 16);
    EXPECT_FALSE(grok.attention_factor);
    EXPECT_EQ(resolve_all(yarn_of("llama")).ignored.size(), 3U);

    TestGguf older = model("grok", 128, 8192, 1e4f);
    older.text("grok.rope.scaling.type", "yarn").f32("grok.rope.scaling.factor", 4);
    EXPECT_EQ(read(older).beta_fast, 8);

    const auto with_ext_factor = [&](const std::string& architecture, float value) {
        TestGguf file = model(architecture, 128, 16384, 1e4f);
        file.text(architecture + ".rope.scaling.type", "yarn");
        file.f32(architecture + ".rope.scaling.factor", 4);
        file.f32(architecture + ".rope.scaling.yarn_ext_factor", value);
        return resolve(file).spec.scaling;
    };
    EXPECT_EQ(with_ext_factor("llama", 0).rope_type, "yarn");
    EXPECT_FALSE(with_ext_factor("mistral3", 0.5f).ext_factor);
    EXPECT_EQ(with_ext_factor("grok", 0), linear(4));
    EXPECT_EQ(with_ext_factor("grok", 0.5f).ext_factor, 0.5);
    EXPECT_EQ(with_ext_factor("grok", -1).ext_factor, std::nullopt);
    EXPECT_THROW(with_ext_factor("grok", 1.5f), InputError);
    // without an extrapolated part grok's yarn_attn_factor is left as it is
    TestGguf flat = yarn_of("grok");
    EXPECT_EQ(refusal(flat.f32("grok.rope.scaling.yarn_ext_factor", 0)),
              "m.gguf: has grok.rope.scaling.attn_factor and grok.rope.scaling.type linear, which "
              "no rope_type does together");
}

// mistral3.cpp takes yarn_log_multiplier for mscale_all_dim, deepseek2.cpp ten times as much; its
// graph scales scores by the square of mscale's magnitude, which is 1 but for deepseek2.
TEST_F(GgufConfig, TakesALogarithmsMultiplierAsTheArchitectureDoes) {
    const auto all_dim = [&](const std::string& architecture, float multiplier) {
        TestGguf file = yarn_of(architecture);
        file.f32(architecture + ".rope.scaling.yarn_log_multiplier", multiplier);
        return resolve(file).spec.scaling.mscale_all_dim;
    };
    EXPECT_EQ(all_dim("mistral3", 1), 1);
    EXPECT_EQ(all_dim("deepseek2", 0.5f), 5);
    EXPECT_EQ(all_dim("mistral4", 0.5f), 1);
    EXPECT_EQ(all_dim("deepseek32", 0.1f), 1);
    EXPECT_EQ(all_dim("llama", 1), std::nullopt);
    const auto of_scores = [&](const std::string& architecture) {
        TestGguf file = yarn_of(architecture);
        file.f32(architecture + ".rope.scaling.yarn_log_multiplier", 1);
        return plan_frequencies(resolve(file).spec, exact_precision).softmax_scale_factor;
    };
    EXPECT_EQ(of_scores("mistral3"), 1);
    EXPECT_GT(of_scores("deepseek2"), 1);
    EXPECT_GT(of_scores("mistral4"), 1);
}

// They tell the axes of a dump's vectors.
TEST_F(GgufConfig, TellsHowManyHeadsQAndKHave) {
    TestGguf file = model("qwen3", 64, 40960, 1e6f);
    EXPECT_EQ(resolve(file).facts.key_heads, 0u);
    file.u32("qwen3.attention.head_count_kv", 8).u32("qwen3.attention.key_length", 128);
    EXPECT_EQ(resolve(file).facts.heads, 32u);
    EXPECT_EQ(resolve(file).facts.key_heads, 8u);
}

TEST_F(GgufConfig, DeepSeekIsTheBuiltInModel) {
    TestGguf file;
    file.text("general.architecture", "deepseek2").u32("deepseek2.context_length", 163840);
    file.u32("deepseek2.attention.key_length", 192).u32("deepseek2.rope.dimension_count", 64);
    file.f32("deepseek2.rope.freq_base", 1e4f).text("deepseek2.rope.scaling.type", "yarn");
    file.f32("deepseek2.rope.scaling.factor", 40);
    file.u32("deepseek2.rope.scaling.original_context_length", 4096);
    file.f32("deepseek2.rope.scaling.yarn_log_multiplier", 0.0707f);
    const Spec own = resolve(file).spec;
    const Spec known = resolve_spec(std::nullopt, Flags{{"--model", "deepseek-v2"}}).spec;
    EXPECT_EQ(own.head_dim, known.head_dim);
    EXPECT_EQ(own.layout, known.layout);
    EXPECT_EQ(own.scaling.mscale, known.scaling.mscale);
    const FrequencyPlan a = plan_frequencies(own, exact_precision);
    const FrequencyPlan b = plan_frequencies(known, exact_precision);
    EXPECT_EQ(a.attention_factor, b.attention_factor);
    EXPECT_EQ(a.softmax_scale_factor, b.softmax_scale_factor);
    for (std::size_t i = 0; i < a.pairs.size(); ++i)
        EXPECT_EQ(a.pairs[i].inv_freq.to_double(), b.pairs[i].inv_freq.to_double()) << i;
}

// key_length is kv_lora_rank + dimension_count there, what the cache holds.
TEST_F(GgufConfig, LatentAttentionRotatesAPartOfItsOwn) {
    const auto latent = [](const std::string& architecture) {
        TestGguf file = model(architecture, 64, 163840, 1e4f);
        file.u32(architecture + ".attention.key_length", 576);
        file.u32(architecture + ".attention.key_length_mla", 192);
        return file.u32(architecture + ".attention.kv_lora_rank", 512);
    };
    for (const char* known : {"deepseek2", "deepseek32", "glm-dsa", "mistral4"})
        EXPECT_EQ(resolve(latent(known)).spec, spec(64, 64, interleaved, 163840, 1e4)) << known;
    EXPECT_EQ(resolve(latent("something-new")).spec.head_dim, 64u);
    EXPECT_EQ(resolve(latent("deepseek2-ocr")).spec.head_dim, 576u);  // it has none
}

TEST_F(GgufConfig, TakesFactorsFromTensors) {
    TestGguf llama = model("llama", 4, 131072, 5e5f);
    llama.floats("rope_freqs.weight", {1, 8});
    const ResolvedSpec any = resolve(llama);
    EXPECT_EQ(any.spec.scaling.rope_type, "longrope");
    EXPECT_EQ(any.spec.scaling.short_factor, (std::vector<double>{1, 8}));
    EXPECT_EQ(any.spec.scaling.long_factor, any.spec.scaling.short_factor);
    EXPECT_EQ(any.spec.scaling.attention_factor, 1);
    EXPECT_EQ(origin_of(any, "short_factor"), "m.gguf: rope_freqs.weight");
    EXPECT_TRUE(any.lint.empty()) << any.lint.front().message;  // no original length is used
    EXPECT_EQ(origin_of(any, "original_max_position_embeddings"), "[none]");
    EXPECT_FALSE(has_trained_length(any.spec));
    llama.u32("llama.rope.scaling.original_context_length", 8192);
    EXPECT_TRUE(has_trained_length(resolve(llama).spec));

    TestGguf phi = model("phi3", 4, 131072, 1e4f);
    phi.u32("phi3.rope.scaling.original_context_length", 4096);
    phi.f32("phi3.rope.scaling.attn_factor", 1.1902381f);
    phi.floats("rope_factors_long.weight", {2, 64}).floats("rope_factors_short.weight", {1, 1.5});
    const Spec two = resolve(phi).spec;
    EXPECT_EQ(two.scaling.short_factor, (std::vector<double>{1, 1.5}));
    EXPECT_EQ(two.scaling.long_factor, (std::vector<double>{2, 64}));
    EXPECT_EQ(two.scaling.original_max_position_embeddings, 4096u);
    EXPECT_EQ(two.scaling.attention_factor, 1.1902381);
}

// step35.cpp: n_rot_max/2 of them, of which layers that do not slide take the first half
TEST_F(GgufConfig, FactorsOfStep35AreForTheHalfThatRotates) {
    TestGguf file;
    file.text("general.architecture", "step35").u32("step35.attention.key_length", 8);
    file.u32("step35.block_count", 2).i32s("step35.attention.sliding_window_pattern", {0, 1});
    file.floats("rope_freqs.weight", {1, 2, 3, 4});
    const ResolvedModel model = resolve_all(file);
    ASSERT_EQ(model.groups.size(), 2u);
    EXPECT_EQ(model.groups[0].resolved.spec.rotary_dim, 4u);
    EXPECT_EQ(model.groups[0].resolved.spec.scaling.long_factor, (std::vector<double>{1, 2}));
    EXPECT_EQ(model.groups[1].resolved.spec.rotary_dim, 8u);
    EXPECT_EQ(model.groups[1].resolved.spec.scaling, scaling("default"));
}

TEST_F(GgufConfig, PairsOfGemma4ThatStandStillAreProportional) {
    TestGguf file = model("gemma4", 16, 131072, 1e6f);
    file.u32("gemma4.attention.key_length", 16).u32("gemma4.attention.key_length_swa", 8);
    file.u32("gemma4.rope.dimension_count_swa", 8).f32("gemma4.rope.freq_base_swa", 1e4f);
    file.u32("gemma4.block_count", 3).i32s("gemma4.attention.sliding_window_pattern", {1, 1, 0});
    const ResolvedModel gemma = resolve_all(TestGguf(file).floats(
        "rope_freqs.weight", {1, 1, 1e30f, 1e30f, 1e30f, 1e30f, 1e30f, 1e30f}));
    ASSERT_EQ(gemma.groups.size(), 2u);
    Spec expected = spec(16, 16, half, 131072, 1e6);
    expected.scaling.rope_type = "proportional";
    expected.scaling.partial_rotary_factor = 0.25;
    EXPECT_EQ(gemma.groups[0].resolved.spec, expected);
    EXPECT_EQ(gemma.groups[0].numbers, (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(gemma.groups[1].resolved.spec, spec(8, 8, half, 131072, 1e4));
    EXPECT_TRUE(gemma.ignored.empty());
    EXPECT_TRUE(gemma.lint.empty());
    EXPECT_NE(refusal(file.floats("rope_freqs.weight", {1, 1, 1e30f, 2, 1, 1, 1, 1})),
              "[no error]");
}

// What convert_hf_to_gguf.py computes for Llama 3.1, in float64 as there, is llama3's plan.
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

TEST_F(GgufConfig, TakesSectionsAndSlidingLayers) {
    const auto vision = [](const std::string& architecture) {
        return model(architecture, 128, 32768, 1e6f)
            .i32s(architecture + ".rope.dimension_sections", {16, 24, 24, 0});
    };
    EXPECT_EQ(resolve(vision("qwen2vl")).spec.axes, (AxisMap{AxisScheme::sectioned, {16, 24, 24}}));
    for (const char* interleaved : {"qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe", "qwen3tts"})
        EXPECT_EQ(resolve(vision(interleaved)).spec.axes,
                  (AxisMap{AxisScheme::interleaved, {16, 24, 24}}))
            << interleaved;

    TestGguf gemma = model("gemma3", 256, 131072, 1e6f);
    gemma.text("gemma3.rope.scaling.type", "linear").f32("gemma3.rope.scaling.factor", 8);
    EXPECT_EQ(resolve_all(gemma).groups.size(), 1u);  // without a window
    gemma.u32("gemma3.attention.sliding_window", 1024);
    const ResolvedModel layers = resolve_all(gemma);
    ASSERT_EQ(layers.groups.size(), 2u);
    EXPECT_EQ(layers.groups[0].resolved.spec.scaling, linear(8));
    EXPECT_EQ(layers.groups[1].resolved.spec.rope_theta, 1e4);
    EXPECT_EQ(layers.groups[1].resolved.spec.scaling, scaling("default"));
}

// The groups as "NAME: numbers", those that do not rotate in brackets.
std::string layers_of(const ResolvedModel& model) {
    std::string text;
    for (const LayerGroup& group : model.groups) {
        text += text.empty() ? "" : "; ";
        text += (group.rotates ? "" : "[") + group.layers + (group.rotates ? "" : "]");
        if (!group.numbers.empty()) text += " = " + ranges(group.numbers);
    }
    return text;
}

// src/models/*.cpp of llama.cpp, named after the architecture.
TEST_F(GgufConfig, LayersWithoutRopeAreThoseOfTheArchitecturesCode) {
    const auto layers = [&](const std::string& architecture, std::uint32_t count,
                            std::optional<std::uint32_t> window = {},
                            const std::vector<std::int32_t>& pattern = {}) {
        TestGguf file = model(architecture, 64, 8192, 1e4f);
        file.u32(architecture + ".block_count", count);
        if (window) file.u32(architecture + ".attention.sliding_window", *window);
        if (!pattern.empty())
            file.i32s(architecture + ".attention.sliding_window_pattern", pattern);
        return layers_of(resolve_all(file));
    };
    const std::string every_fourth = "layers 0–2, 4–6 = 0–2, 4–6; [NoPE: 3, 7] = 3, 7";
    EXPECT_EQ(layers("smollm3", 8), every_fourth);
    EXPECT_EQ(layers("llama4", 8), every_fourth);
    EXPECT_EQ(layers("llama4", 8, 0), "all layers");
    EXPECT_EQ(layers("afmoe", 8, 0), every_fourth);
    EXPECT_EQ(layers("afmoe", 8, 2048), every_fourth);
    EXPECT_EQ(layers("smallthinker", 8, 4096), "layers 1–3, 5–7 = 1–3, 5–7; [NoPE: 0, 4] = 0, 4");
    EXPECT_EQ(layers("smallthinker", 8), "all layers");
    const std::string sliding = "sliding_attention = 0–2, 4–6; [NoPE: full_attention] = 3, 7";
    for (const char* architecture : {"cohere2", "exaone-moe", "muse-glimmer"})
        EXPECT_EQ(layers(architecture, 8, 4096), sliding) << architecture;
    EXPECT_EQ(layers("cohere2", 4, 4096, {1, 0, 0, 1}),
              "sliding_attention = 0–2; [NoPE: full_attention] = 3");
    EXPECT_EQ(layers("cohere2moe", 4, 4096, {1, 0, 0, 1}), "layers 0, 3 = 0, 3; [NoPE: 1–2] = 1–2");
    EXPECT_EQ(layers("exaone4", 30), "all layers");
    EXPECT_TRUE(layers("exaone4", 64, 4096)
                    .ends_with("= 3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, "
                               "47, 51, 55, 59, 63"));
    EXPECT_EQ(layers("cohere2moe", 8, 4096), "layers 1–3, 5–7 = 1–3, 5–7; [NoPE: 0, 4] = 0, 4");
    EXPECT_EQ(layers("llama", 8, 4096), "all layers");

    TestGguf dense = model("cohere2moe", 64, 8192, 1e4f);
    dense.u32("cohere2moe.block_count", 10).u32("cohere2moe.nextn_predict_layers", 1);
    dense.u32("cohere2moe.leading_dense_block_count", 1);
    EXPECT_EQ(layers_of(resolve_all(dense)), "layers 0–3, 5–7 = 0–3, 5–7; [NoPE: 4, 8] = 4, 8");
}

// is_recurrent, n_head_kv and n_head of llama.cpp's jamba.cpp, lfm2.cpp, deci.cpp and qwen35.cpp.
TEST_F(GgufConfig, LayersWithoutAttentionDoNotRotate) {
    const auto with = [](const std::string& architecture) {
        TestGguf file = model(architecture, 64, 32768, 1e6f);
        return file.u32(architecture + ".block_count", 8);
    };
    TestGguf lfm2 = with("lfm2");
    lfm2.i32s("lfm2.attention.head_count_kv", {0, 0, 8, 0, 0, 8, 0, 8});
    EXPECT_EQ(layers_of(resolve_all(lfm2)),
              "layers 2, 5, 7 = 2, 5, 7; [no_attention: 0–1, 3–4, 6] = 0–1, 3–4, 6");
    TestGguf recurrent = with("qwen35");
    recurrent.i32s("qwen35.attention.recurrent_layers", {1, 0, 1, 0, 1, 0, 1, 0});
    EXPECT_EQ(layers_of(resolve_all(recurrent)),
              "layers 1, 3, 5, 7 = 1, 3, 5, 7; [recurrent: 0, 2, 4, 6] = 0, 2, 4, 6");
    const auto sorted = [&](const TestGguf& file) { return layers_of(resolve_all(file)); };
    EXPECT_NE(sorted(with("qwen3next")).find("[linear_attention: 0–2, 4–6]"), std::string::npos)
        << sorted(with("qwen3next"));
    TestGguf every_second = with("qwen35");
    every_second.u32("qwen35.full_attention_interval", 2);
    EXPECT_NE(sorted(every_second).find("[linear_attention: 0, 2, 4, 6]"), std::string::npos);
    TestGguf predicting = with("qwen3next");
    predicting.u32("qwen3next.nextn_predict_layers", 1);  // the last one, which has attention
    EXPECT_NE(sorted(predicting).find("layers 3, 7 "), std::string::npos) << sorted(predicting);
    TestGguf all = with("lfm2");
    all.i32s("lfm2.attention.head_count_kv", {8, 8, 8, 8, 8, 8, 8, 8});
    EXPECT_EQ(layers_of(resolve_all(all)), "all layers");
}

// granite.cpp: rope_finetuned is a switch there, and nothing in other architectures.
TEST_F(GgufConfig, GraniteMayNotRotate) {
    const auto with = [](const std::string& architecture, std::uint64_t finetuned) {
        return model(architecture, 64, 32768, 1e4f)
            .add(architecture + ".rope.scaling.finetuned", 7, little(finetuned, 1));
    };
    EXPECT_EQ(refusal(with("granitehybrid", 0)),
              "m.gguf: granitehybrid.rope.scaling.finetuned is false, by which granitehybrid does "
              "not rotate: there is no RoPE to verify");
    EXPECT_EQ(resolve(with("granitehybrid", 1)).spec.head_dim, 64u);
    EXPECT_EQ(resolve(with("llama", 0)).spec.head_dim, 64u);
}

// hunyuan-vl.cpp: freq_base = rope_theta·alpha^(d/(d − 2))
TEST_F(GgufConfig, AlphaOfHunyuanMultipliesItsBase) {
    const auto with = [](const std::string& architecture, float alpha) {
        return model(architecture, 128, 32768, 1e4f)
            .f32(architecture + ".rope.scaling.alpha", alpha);
    };
    const Spec ntk = resolve(with("hunyuan-dense", 1000)).spec;
    EXPECT_EQ(ntk.scaling.rope_type, "ntk");
    EXPECT_EQ(ntk.scaling.factor, 1000);
    EXPECT_EQ(resolve(with("hunyuan-dense", 0)).spec.scaling.rope_type, "default");
    const ResolvedSpec llama = resolve(with("llama", 1000));
    EXPECT_EQ(llama.spec.scaling.rope_type, "default");
    EXPECT_EQ(llama.ignored, (std::vector<std::string>{"llama.rope.scaling.alpha"}));
}

// Of stablelm and glm4 with partial rotation, whose tensor is as wide as half a head.
TEST_F(GgufConfig, FactorsBeyondThePairsThatRotateAreOne) {
    TestGguf file = model("llama", 8, 131072, 5e5f);
    file.u32("llama.attention.key_length", 16)
        .floats("rope_freqs.weight", {1, 1, 4, 8, 1, 1, 1, 1});
    EXPECT_EQ(resolve(file).spec.scaling.short_factor, (std::vector<double>{1, 1, 4, 8}));
    TestGguf other = model("llama", 8, 131072, 5e5f);
    other.u32("llama.attention.key_length", 16)
        .floats("rope_freqs.weight", {1, 1, 4, 8, 1, 1, 1, 2});
    EXPECT_NE(refusal(other), "");
}

TEST_F(GgufConfig, SlidingLayersHaveABaseOfTheirOwn) {
    TestGguf embedding = model("gemma-embedding", 256, 2048, 1e6f);
    embedding.u32("gemma-embedding.block_count", 24);
    const ResolvedModel gemma = resolve_all(embedding);
    EXPECT_EQ(layers_of(gemma),
              "full_attention = 5, 11, 17, 23; sliding_attention = 0–4, 6–10, "
              "12–16, 18–22");
    EXPECT_EQ(gemma.groups[0].resolved.spec.rope_theta, 1e6);
    EXPECT_EQ(gemma.groups[1].resolved.spec.rope_theta, 1e4);
    EXPECT_EQ(origin_of(gemma.groups[1].resolved, "rope_theta"),
              "m.gguf: general.architecture gemma-embedding");
}

TEST_F(GgufConfig, SlidingLayersOfOlmo3AreNotScaled) {
    TestGguf olmo2 = yarn_of("olmo2");
    olmo2.u32("olmo2.block_count", 4);
    EXPECT_EQ(layers_of(resolve_all(olmo2)), "all layers");
    const ResolvedModel olmo3 = resolve_all(olmo2.u32("olmo2.attention.sliding_window", 4096));
    EXPECT_EQ(layers_of(olmo3), "full_attention = 3; sliding_attention = 0–2");
    EXPECT_EQ(olmo3.groups[0].resolved.spec.scaling.rope_type, "yarn");
    EXPECT_EQ(olmo3.groups[1].resolved.spec, spec(128, 128, half, 16384, 1e4));
}

TEST_F(GgufConfig, EveryFewLayersAreFullAsTheArchitecturesCodeHasIt) {
    const auto full = [&](const std::string& architecture) {
        TestGguf file = yarn_of(architecture);
        file.u32(architecture + ".block_count", 12);
        file.u32(architecture + ".attention.sliding_window", 512);
        const std::string text = layers_of(resolve_all(file));
        return text.substr(0, text.find(';'));
    };
    for (const char* every_fourth : {"mellum", "olmo2"})
        EXPECT_EQ(full(every_fourth), "full_attention = 3, 7, 11") << every_fourth;
    EXPECT_EQ(full("laguna"), "full_attention = 0, 4, 8");
    EXPECT_EQ(full("modern-bert"), "full_attention = 0, 3, 6, 9");
    EXPECT_EQ(full("gemma3"), "full_attention = 5, 11");
    EXPECT_EQ(full("gemma3n"), "full_attention = 4, 9");
}

TEST_F(GgufConfig, SlidingLayersOfStep35RotateTheWholeHead) {
    TestGguf step = model("step35", 128, 8192, 5e6f);
    step.f32("step35.rope.freq_base_swa", 1e4f).u32("step35.block_count", 2);
    const ResolvedModel lanes =
        resolve_all(step.i32s("step35.attention.sliding_window_pattern", {0, 1}));
    EXPECT_EQ(lanes.groups[0].resolved.spec, spec(128, 64, half, 8192, 5e6));
    EXPECT_EQ(lanes.groups[1].resolved.spec, spec(128, 128, half, 8192, 1e4));
}

TEST_F(GgufConfig, TellsWhatItDoesNotUse) {
    TestGguf file = model("llama", 128, 8192, 1e4f);
    file.f32("llama.rope.scaling.yarn_beta_fast", 32).f32("llama.rope.mystery", 1);
    EXPECT_EQ(
        resolve_all(file).ignored,
        (std::vector<std::string>{"llama.rope.mystery", "llama.rope.scaling.yarn_beta_fast"}));
}

TEST_F(GgufConfig, RefusalsNameTheFileAndTheKey) {
    EXPECT_EQ(refusal(TestGguf{}),
              "m.gguf: has no general.architecture, so nothing says which keys are its own");
    EXPECT_EQ(
        refusal(TestGguf{}.text("general.architecture", "bloom")),
        "m.gguf: general.architecture is bloom, which uses ALiBi: there is no RoPE to verify");
    TestGguf text = model("llama", 64, 4096, 1e4f);
    text.text("llama.rope.scaling.factor", "four");
    EXPECT_EQ(refusal(text), "m.gguf: llama.rope.scaling.factor is not a finite number");
    TestGguf base = model("llama", 64, 4096, -1);
    EXPECT_NE(refusal(base).find("m.gguf: llama.rope.freq_base is -1"), std::string::npos);
    TestGguf unknown = model("llama", 64, 4096, 1e4f);
    unknown.text("llama.rope.scaling.type", "magic");
    EXPECT_NE(refusal(unknown).find("m.gguf: llama.rope.scaling.type"), std::string::npos)
        << refusal(unknown);
    TestGguf both = model("llama", 4, 4096, 1e4f);
    both.floats("rope_freqs.weight", {1, 2}).text("llama.rope.scaling.type", "yarn");
    EXPECT_EQ(refusal(both),
              "m.gguf: has rope_freqs.weight and llama.rope.scaling.type yarn, which no rope_type "
              "does together");
    TestGguf few = model("llama", 8, 4096, 1e4f);
    few.floats("rope_freqs.weight", {1, 2});
    EXPECT_NE(refusal(few).find("m.gguf: rope_freqs.weight has 2 values"), std::string::npos)
        << refusal(few);
    TestGguf without = model("phi3", 8, 4096, 1e4f);
    without.text("phi3.rope.scaling.type", "longrope");
    EXPECT_NE(refusal(without), "[no error]");
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
