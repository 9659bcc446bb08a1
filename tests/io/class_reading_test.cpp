// What other libraries read of classes whose keys or layers they take otherwise than transformers
// 5. Rates are θ_i = b^(−2i/d), of mpmath at 50 digits.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/explain/explanation.hpp"
#include "rope/spec/frequency.hpp"
#include "tests/io/config_fixture.hpp"

namespace rope::io {
namespace class_reading_test {

using Numbers = std::vector<std::uint32_t>;

class ClassReading : public ConfigTest {
  protected:
    std::vector<LayerGroup> groups(std::string_view text, const char* reading) const {
        return resolve_all(text, {{"--reading", reading}}).groups;
    }
    Spec layer(std::string_view text, const char* reading, const char* number) const {
        return resolve(text, {{"--reading", reading}, {"--layers", number}}).spec;
    }
    ExplainedModel explained(std::string_view text) const {
        ExplainedModel model = explain(resolve_all(text), {});
        add_readings(model);
        return model;
    }
    std::string explanation(std::string_view text) const {
        return explain_document(explained(text), false).text;
    }
    std::string lint_of(std::string_view text) const {
        std::string all;
        for (const Lint& one : resolve_all(text).lint)
            all += std::string(to_string(one.severity)) + " " + one.id + " " + one.where + "\n";
        return all;
    }
};

double inv_freq(const Spec& spec, std::size_t pair) {
    return plan_frequencies(spec, exact_precision).pairs.at(pair).inv_freq.to_double();
}

bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

constexpr const char* alike = "every library that is known here reads it alike";

// --- MiMo-V2: transformers 5 has bases of its own and full attention in layers 0, 5, 11, …

std::string mimo(const std::string& keys) {
    return R"({"model_type": "mimo_v2_flash", "head_dim": 192, "num_hidden_layers": 8,
        "max_position_embeddings": 262144)" +
           keys + "}";
}

const std::string odd_mimo = mimo(R"(, "partial_rotary_factor": 0.334, "rope_theta": 640000,
    "swa_rope_theta": 50000, "hybrid_layer_pattern": [0, 1, 1, 0, 1, 1, 1, 0])");

TEST_F(ClassReading, OfMiMoTakesTheBasesOfTheTopLevel) {
    for (const char* name : {"vllm", "vllm-0.25", "ggml", "mlx", "transformers-4.57"}) {
        SCOPED_TRACE(name);
        const Spec full = layer(odd_mimo, name, "3"), slides = layer(odd_mimo, name, "5");
        EXPECT_EQ(full.rope_theta, 640000);
        EXPECT_NEAR(inv_freq(full, 31) / 2.372811017425093702893814e-6, 1, 1e-15);
        EXPECT_EQ(slides.rope_theta, 50000);
        EXPECT_NEAR(inv_freq(slides, 31) / 2.804612131708759707574088e-5, 1, 1e-15);
        EXPECT_EQ(full.rotary_dim, 64U);
        EXPECT_TRUE(resolve(odd_mimo, {{"--reading", name}, {"--layers", "3"}}).ignored.empty());
        EXPECT_TRUE(resolve(odd_mimo, {{"--reading", name}, {"--layers", "3"}}).lint.empty());
    }
    EXPECT_EQ(layer(odd_mimo, "transformers", "5").rope_theta, 5000000);
    EXPECT_EQ(layer(odd_mimo, "transformers", "3").rope_theta, 10000);
    for (const char* name : {"transformers-4.45", "tensorrt-llm"})
        EXPECT_TRUE(holds(refusal(odd_mimo, {{"--reading", name}}), "model_type is mimo_v2_flash"));
}

TEST_F(ClassReading, OfMiMoDividesTheLayersByHybridLayerPattern) {
    const auto own = groups(odd_mimo, "transformers"), other = groups(odd_mimo, "vllm");
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(own[0].numbers, (Numbers{0, 5}));
    ASSERT_EQ(other.size(), 2U);
    EXPECT_EQ(other[0].numbers, (Numbers{0, 3, 7}));
    EXPECT_EQ(other[1].numbers, (Numbers{1, 2, 4, 5, 6}));
}

// vLLM's getattr: rope_theta 1000000, swa_rope_theta as rope_theta, the whole head
TEST_F(ClassReading, OfMiMoTakesVllmsDefaultsWhereTheTopLevelHasNone) {
    const Spec slides = layer(mimo(""), "vllm", "sliding_attention");
    EXPECT_EQ(slides.rope_theta, 1000000);
    EXPECT_EQ(slides.rotary_dim, 192U);
    EXPECT_NEAR(inv_freq(slides, 95) / 1.154781984689458179666483e-6, 1, 1e-15);
    EXPECT_TRUE(holds(refusal(mimo(""), {{"--reading", "mlx"}}), "rope_theta is missing"));
}

TEST_F(ClassReading, OfMiMoIsNotSaidToBeAlikeNorItsKeysMisspelled) {
    const std::string text = explanation(odd_mimo);
    EXPECT_FALSE(holds(text, alike)) << text;
    EXPECT_TRUE(holds(text, "  vllm, vLLM after 0.25\n    MiMo-V2: rope_theta, 1000000")) << text;
    EXPECT_TRUE(holds(text, "layers that rotate so: 0, 3, 7 (transformers 5: 0, 5)")) << text;
    EXPECT_EQ(lint_of(odd_mimo),
              "warning pattern-unread config.json: hybrid_layer_pattern\n"
              "warning unread-key config.json: rope_theta\n"
              "warning unread-key config.json: swa_rope_theta\n");
    EXPECT_EQ(lint_of(mimo(R"(, "partial_rotary_factor": 0.5, "rope_theta": 5000000,
                                "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1, 1])")),
              "warning unread-key config.json: partial_rotary_factor\n");
}

// --- SmolLM3 and Llama 4: n_no_rope_layer_step of llama.cpp, (layer_idx + 1) % 4 of mlx-lm

std::string nope(const char* type, const char* keys) {
    return R"({"model_type": ")" + std::string(type) +
           R"(", "head_dim": 128, "rope_theta": 500000, "num_hidden_layers": 8)" + keys + "}";
}

constexpr const char* every_second = R"(, "no_rope_layers": [1, 0, 1, 0, 1, 0, 1, 0])";

TEST_F(ClassReading, OfNopeLayersIsEveryFourthWhereTheListIsNotRead) {
    const Numbers turned{0, 1, 2, 4, 5, 6};
    for (const auto& [type, reading] :
         {std::pair{"smollm3", "ggml"}, {"llama4_text", "ggml"}, {"llama4_text", "mlx"}})
        for (const char* keys : {every_second, R"(, "no_rope_layer_interval": 2)",
                                 R"(, "no_rope_layers": [1, 1, 1, 1, 1, 1, 1, 1])"}) {
            SCOPED_TRACE(std::string(type) + " " + reading + keys);
            const auto found = groups(nope(type, keys), reading);
            ASSERT_EQ(found.size(), 2U);
            EXPECT_EQ(found[0].layers, "layers 0–2, 4–6");
            EXPECT_EQ(found[0].numbers, turned);
            EXPECT_EQ(found[1].layers, "NoPE: 3, 7");
            EXPECT_FALSE(found[1].rotates);
            EXPECT_EQ(layer(nope(type, keys), reading, "1").rope_theta, 500000);
        }
    for (const char* reading : {"transformers", "vllm", "mlx", "tensorrt-llm"})
        EXPECT_EQ(groups(nope("smollm3", every_second), reading)[0].numbers, (Numbers{0, 2, 4, 6}))
            << reading;
}

// sliding_window is 0 in the file, n_no_rope_layer_step the number of layers
TEST_F(ClassReading, OfALlama4WithoutChunksIsNopeInTheLastLayerOfLlamaCpp) {
    const auto found = groups(nope("llama4_text", R"(, "layer_types": ["full_attention",
        "full_attention", "full_attention", "full_attention", "full_attention", "full_attention",
        "full_attention", "full_attention"])"),
                              "ggml");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].numbers, (Numbers{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(found[1].layers, "NoPE: 7");
}

TEST_F(ClassReading, OfNopeLayersIsSaidToDifferWhereItDoes) {
    const std::string odd = explanation(nope("smollm3", every_second));
    EXPECT_FALSE(holds(odd, alike)) << odd;
    EXPECT_TRUE(holds(odd, "layers that rotate so: 0–2, 4–6 (transformers 5: 0, 2, 4, 6)")) << odd;
    EXPECT_TRUE(holds(odd, "  as transformers 5: transformers-4.57, transformers-4.45, vllm,"))
        << odd;
    EXPECT_TRUE(holds(explanation(nope("smollm3", "")), alike));
    const auto json = nlohmann::json::parse(
        explain_document(explained(nope("smollm3", every_second)), false).json);
    const auto& readings = json["plans"][0]["readings"];
    EXPECT_EQ(readings["layers"], (Numbers{0, 2, 4, 6}));
    EXPECT_EQ(readings["others"][0]["layers"], (Numbers{0, 1, 2, 4, 5, 6}));
    EXPECT_EQ(readings["others"][0]["by"][0]["reading"], "ggml");
}

// --- ERNIE-4.5-VL

std::string ernie(const char* type, const char* keys) {
    return R"({"model_type": ")" + std::string(type) +
           R"(", "hidden_size": 2560, "num_attention_heads": 20)" + keys + "}";
}

AxisMap hwt(std::vector<std::uint32_t> sections) {
    return {AxisScheme::height_width_time, std::move(sections)};
}

TEST_F(ClassReading, OfErnieVlGivesTimeAsManyPairsAsFreqAllocationSays) {
    const std::string own = ernie("ernie4_5_moe_vl", R"(, "rope_3d": true, "freq_allocation": 16)");
    const ResolvedSpec found = resolve(own);
    EXPECT_EQ(found.spec.axes, hwt({24, 24, 16}));
    EXPECT_EQ(origin_of(found, "mrope_section"), "config.json: freq_allocation");
    EXPECT_TRUE(found.ignored.empty());
    EXPECT_TRUE(holds(explanation(own), alike));
    EXPECT_EQ(resolve(ernie("ernie4_5_moe_vl", "")).spec.axes, hwt({22, 22, 20}));
    EXPECT_TRUE(
        holds(refusal(ernie("ernie4_5_moe_vl", R"(, "freq_allocation": 65)")),
              "config.json: freq_allocation is 65; it must be a whole number from 0 to 64"));
    EXPECT_NE(refusal(ernie("ernie4_5_moe_vl", R"(, "freq_allocation": 17)")), "");
}

// transformers 5's class has mrope_section alone, vLLM's freq_allocation alone
TEST_F(ClassReading, OfErnieVlLeavesFreqAllocationToThoseWhoReadIt) {
    const std::string text = ernie("ernie4_5_vl_moe_text", R"(, "freq_allocation": 16)");
    const ResolvedSpec found = resolve(text);
    EXPECT_EQ(found.spec.axes, hwt({22, 22, 20}));
    EXPECT_EQ(found.ignored, std::vector<std::string>{"freq_allocation"});
    EXPECT_EQ(resolve(text, {{"--reading", "vllm"}}).spec.axes, hwt({24, 24, 16}));
    EXPECT_EQ(lint_of(text), "warning freq-allocation-unread config.json: freq_allocation\n");
    EXPECT_EQ(lint_of(ernie("ernie4_5_vl_moe_text", R"(, "freq_allocation": 20)")),
              "note freq-allocation-unread config.json: freq_allocation\n");
    EXPECT_EQ(lint_of(ernie("ernie4_5_moe", R"(, "freq_allocation": 0)")), "");
}

// --- what is said where the rules do not reach

// transformers' modeling_qwen3_vl.py, apply_interleaved_mrope, looks at no key; vLLM's get_rope has
// rope_parameters.get("mrope_interleaved", False)
TEST_F(ClassReading, OfMRopeInterleavesByTheClassButInVllm) {
    const auto of = [](const char* type, const char* more) {
        return std::string(R"({"head_dim": 128, "model_type": ")") + type +
               R"(", "rope_scaling": {"rope_type": "default", "mrope_section": [24, 20, 20])" +
               more + "}}";
    };
    const auto scheme = [&](const std::string& text, const char* reading) {
        return resolve(text, {{"--reading", reading}}).spec.axes.scheme;
    };
    constexpr const char *said = R"(, "mrope_interleaved": true)",
                         *older = R"(, "interleaved": true)";
    for (const char* type : {"qwen3_vl_text", "qwen3_vl_moe_text", "qwen3_omni_moe_text"}) {
        EXPECT_EQ(scheme(of(type, ""), "transformers"), AxisScheme::interleaved) << type;
        for (const char* reading : {"vllm", "vllm-0.25"}) {
            EXPECT_EQ(scheme(of(type, ""), reading), AxisScheme::sectioned) << type;
            EXPECT_EQ(scheme(of(type, said), reading), AxisScheme::interleaved) << type;
        }
        EXPECT_TRUE(holds(explanation(of(type, "")), "M-RoPE is interleaved only where"));
        EXPECT_FALSE(holds(explanation(of(type, said)), "M-RoPE is interleaved only where"));
    }
    for (const char* type : {"qwen3_5_text", "qwen3_5_moe_text"})
        EXPECT_EQ(resolve(std::string(R"({"model_type": ")") + type +
                          R"(", "rope_parameters": {"mrope_section": [11, 11, 10]}})")
                      .spec.axes.scheme,
                  AxisScheme::interleaved);
    EXPECT_EQ(resolve(of("qwen2_5_vl_text", "")).spec.axes.scheme, AxisScheme::sectioned);
    EXPECT_EQ(resolve(of("qwen3_tts_talker", older)).spec.axes.scheme, AxisScheme::interleaved);
    EXPECT_TRUE(resolve(of("qwen3_omni_moe_text", older)).ignored.empty());
    EXPECT_EQ(resolve(R"({"model_type": "cosmos3_edge_text"})").spec.axes.scheme,
              AxisScheme::interleaved);
}

// Alibaba-NLP/new-impl, NTKScalingRotaryEmbedding: θ_i/s^(2(i + 1)/d), as vLLM's ntk; of θ = 20000,
// s = 8 and d = 64 the first and the last rate
TEST_F(ClassReading, OfGteHasTheNtkThatSlowsTheFirstPair) {
    const std::string text = R"({"model_type": "new", "hidden_size": 768, "num_attention_heads": 12,
        "max_position_embeddings": 8192, "position_embedding_type": "rope", "rope_theta": 20000,
        "rope_scaling": {"factor": 8.0, "type": "ntk"}})";
    for (const char* reading : {"transformers", "vllm", "vllm-0.25"}) {
        const Spec spec = resolve(text, {{"--reading", reading}}).spec;
        EXPECT_NEAR(inv_freq(spec, 0) / 0.93708381705515, 1, 1e-14) << reading;
        EXPECT_NEAR(inv_freq(spec, 31) / 8.517010932480344e-06, 1, 1e-14) << reading;
    }
    EXPECT_TRUE(lint_of(text).empty()) << lint_of(text);
    const std::string other = "{\"model_type\": \"bert-like\"" + text.substr(text.find(','));
    EXPECT_EQ(inv_freq(resolve(other).spec, 0), 1);
}

TEST_F(ClassReading, IsNotSaidToBeAlikeWhereKeysOrTheClassAreNotKnown) {
    const std::string unread = explanation(
        R"({"model_type": "llama", "head_dim": 64, "rope_theta": 10000, "rope_3d": true})");
    EXPECT_FALSE(holds(unread, alike)) << unread;
    EXPECT_TRUE(holds(unread, "transformers 5 does not read rope_3d; another library may"))
        << unread;
    const std::string unknown =
        explanation(R"({"model_type": "frobnicator", "head_dim": 64, "rope_theta": 10000})");
    EXPECT_FALSE(holds(unknown, alike)) << unknown;
    EXPECT_TRUE(holds(unknown, "no rule of rope-check list readings changes it")) << unknown;
    EXPECT_TRUE(holds(unknown, "the class frobnicator is not known here")) << unknown;
    EXPECT_TRUE(holds(explanation(R"({"model_type": "llama", "head_dim": 64})"), alike));
}

// --- mlx-lm d78bf58e, mlx_lm/models: what data/classes.jsonl says of its classes

TEST_F(ClassReading, OfMlxRotatesTheWholeHeadWhereTheClassPassesIt) {
    const auto lanes = [&](const char* type) {
        const std::string text = R"(, "head_dim": 128, "num_hidden_layers": 8, "rope_theta": 10000,
            "max_position_embeddings": 4096, "partial_rotary_factor": 0.5})";
        const auto all = groups(std::string("{\"model_type\": \"") + type + '"' + text, "mlx");
        return all.front().resolved.spec.rotary_dim;
    };
    for (const char* one : {"glm", "llama", "mistral", "qwen2", "qwen3", "gemma2", "olmo2"})
        EXPECT_EQ(lanes(one), 128U) << one;
    for (const char* one : {"glm4", "glm4_moe", "phi", "phi3", "stablelm", "nemotron"})
        EXPECT_EQ(lanes(one), 64U) << one;
}

TEST_F(ClassReading, OfMlxScalesNothingWhereTheClassPassesNoScaling) {
    const auto type = [&](const char* name) {
        const std::string text = R"(, "head_dim": 128, "num_hidden_layers": 8, "rope_theta": 10000,
            "max_position_embeddings": 4096, "rope_scaling": {"rope_type": "linear", "factor": 4}})";
        const auto all = groups(std::string("{\"model_type\": \"") + name + '"' + text, "mlx");
        return all.front().resolved.spec.scaling.rope_type;
    };
    for (const char* one : {"qwen3_moe", "gemma2", "glm4_moe", "solar_open", "cohere"})
        EXPECT_EQ(type(one), "default") << one;
    for (const char* one : {"qwen3", "llama", "gpt_oss"}) EXPECT_EQ(type(one), "linear") << one;
}

}  // namespace class_reading_test
}  // namespace rope::io
