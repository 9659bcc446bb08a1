// Warnings about other libraries' readings of a config.json. The readings are tested with
// tests/golden/configs/odd.jsonl.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/explain/explanation.hpp"
#include "io/json/json_text.hpp"
#include "io/render/results.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/report/metric.hpp"
#include "rope/spec/frequency.hpp"
#include "tests/io/gguf_bytes.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace config_reading_test {

using nlohmann::json;

class ConfigReading : public ConfigTest {
  protected:
    ExplainedModel explained_model(std::string_view text) const {
        ExplainedModel model = explain(with_both_tables(resolve_all(text)), {});
        add_readings(model);
        return model;
    }
    std::string explained(std::string_view text) const {
        return explain_document(explained_model(text), false).text;
    }
    std::string lint_of(std::string_view text) const {
        std::string all;
        for (const Lint& one : resolve_all(text).lint)
            all += std::string(to_string(one.severity)) + " " + one.id + " " + one.where + "\n";
        return all;
    }
};

bool holds(const std::string& text, const char* part) { return text.find(part) != text.npos; }

constexpr const char* alike = "every library that is known here reads it alike";

constexpr std::string_view yarn = R"({"head_dim": 64, "max_position_embeddings": 131072,
    "rope_scaling": {"rope_type": "yarn", "factor": 32, "original_max_position_embeddings": 4096,
                     "attention_factor": 1, "truncate": false}})";

TEST_F(ConfigReading, ChangesTheSpecAndNamesTheFields) {
    const ResolvedSpec own = resolve(yarn, {{"--reading", "mlx"}});
    EXPECT_EQ(own.spec.reading, "mlx");
    EXPECT_FALSE(own.spec.scaling.truncate || own.spec.scaling.attention_factor);
    EXPECT_EQ(origin_of(own, "truncate"), "[none]");
    EXPECT_EQ(origin_of(own, "attention_factor"), "[none]");
    EXPECT_EQ(origin_of(own, "factor"), "config.json: rope_scaling.factor");
    const ResolvedSpec usual = resolve(yarn),
                       named = resolve(yarn, {{"--reading", "transformers"}});
    EXPECT_EQ(usual.spec, named.spec);
    EXPECT_EQ(usual.spec.scaling.truncate, false);

    const ResolvedSpec dynamic = resolve(R"({"head_dim": 64, "max_position_embeddings": 4096,
                    "rope_scaling": {"type": "dynamic", "factor": 2.5}})",
                                         {{"--reading", "vllm"}});
    EXPECT_EQ(dynamic.spec.seq_len, 10240U);
    EXPECT_EQ(origin_of(dynamic, "seq_len"), "--reading vllm");
}

TEST_F(ConfigReading, IsRefusedInALine) {
    EXPECT_TRUE(refusal(yarn, {{"--reading", "vlm"}})
                    .starts_with("--reading is 'vlm'; it must be one of transformers, "));
    TestGguf gguf;
    gguf.text("general.architecture", "qwen3vl");
    gguf.u32("qwen3vl.attention.key_length", 128);
    gguf.u32("qwen3vl.rope.dimension_count", 128);
    gguf.i32s("qwen3vl.rope.dimension_sections", {24, 20, 20, 0});
    const TemporaryFolder folder;
    folder.write("m.gguf", gguf.bytes());
    const auto read_gguf = [&](const char* reading) {
        return resolve_spec(folder.path() / "m.gguf", Flags{{"--reading", reading}}).spec;
    };
    EXPECT_EQ(read_gguf("ggml").axes, (AxisMap{AxisScheme::interleaved4, {24, 20, 20, 0}}));
    EXPECT_THROW(read_gguf("vllm"), InputError);
}

TEST_F(ConfigReading, IsNamedInReportsAndBaselines) {
    Report report;
    report.spec = resolve(yarn, {{"--reading", "vllm-0.25"}}).spec;
    EXPECT_EQ(spec_json(report.spec)["reading"], "vllm-0.25");
    EXPECT_FALSE(spec_json(resolve(yarn).spec).contains("reading"));
    EXPECT_NE(parameters(report).find(" reading=vllm-0.25"), std::string::npos);
    const std::vector<Metric> metrics = metrics_of(report);
    EXPECT_EQ(std::ranges::count(metrics, "spec/reading", &Metric::name), 1);
}

TEST_F(ConfigReading, AreExplainedPairByPair) {
    const std::string text = explained(R"({"head_dim": 64, "max_position_embeddings": 131072,
        "rope_theta": 150000, "rope_scaling": {"rope_type": "yarn", "factor": 32,
        "original_max_position_embeddings": 4096, "truncate": false}})");
    // pair 17: variants.md §1.4; the rest with mpmath: 1/|Δθ| is least in pair 12
    EXPECT_NE(text.find("  ggml                9–17     17  0.000228  0.000129      4530  1.347\n"),
              std::string::npos)
        << text;
    EXPECT_NE(
        text.find("  as transformers 5: transformers-5.16, transformers-4.57, vllm, vllm-0.25\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("  mlx, mlx-lm d78bf58e\n    yarn: the ramp's ends are rounded"),
              std::string::npos)
        << text;
    EXPECT_NE(explained(R"({"head_dim": 64})")
                  .find("  every library that is known here reads it alike\n"),
              std::string::npos);
    EXPECT_NE(explained(R"({"head_dim": 64, "rope_parameters": {"rope_type": "he_xu"}})")
                  .find("  not read by vllm: vLLM after 0.25 has no rope_type he_xu;"),
              std::string::npos);
}

TEST_F(ConfigReading, AreExplainedForBothTablesOfDynamic) {
    const std::string text = explained(R"({"head_dim": 64, "max_position_embeddings": 4096,
        "rope_scaling": {"type": "dynamic", "factor": 4}})");
    // short sequences: vLLM's base; long ones: the same, while llama.cpp keeps the short one's
    const std::size_t beyond = text.find("long sequences:");
    EXPECT_NE(text.substr(0, beyond).find("  vllm  "), std::string::npos) << text;
    EXPECT_EQ(text.substr(beyond).find("  vllm  "), std::string::npos) << text;
    EXPECT_EQ(text.substr(0, beyond).find("  ggml  "), std::string::npos) << text;
    EXPECT_NE(text.substr(beyond).find("  ggml  "), std::string::npos) << text;
}

// MiMo-V2: transformers 5 has separate bases, and full attention in layers 0, 5, 11, …
std::string mimo(const std::string& keys) {
    return R"({"model_type": "mimo_v2_flash", "head_dim": 192, "num_hidden_layers": 8,
        "max_position_embeddings": 262144)" +
           keys + "}";
}

const std::string odd_mimo = mimo(R"(, "partial_rotary_factor": 0.334, "rope_theta": 640000,
    "swa_rope_theta": 50000, "hybrid_layer_pattern": [0, 1, 1, 0, 1, 1, 1, 0])");

TEST_F(ConfigReading, OfMiMoIsNotReportedAsEqualNorItsKeysAsMisspelled) {
    const std::string text = explained(odd_mimo);
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

TEST_F(ConfigReading, OfNopeLayersIsReportedAsDifferentIfItIs) {
    const std::string class_of = R"({"model_type": "smollm3", "head_dim": 128,
        "rope_theta": 500000, "num_hidden_layers": 8)";
    const std::string smollm3 = class_of + R"(, "no_rope_layers": [1, 0, 1, 0, 1, 0, 1, 0]})";
    const std::string odd = explained(smollm3);
    EXPECT_FALSE(holds(odd, alike)) << odd;
    EXPECT_TRUE(holds(odd, "layers that rotate so: 0–2, 4–6 (transformers 5: 0, 2, 4, 6)")) << odd;
    EXPECT_TRUE(holds(odd, "  as transformers 5: transformers-5.16, transformers-4.57,")) << odd;
    EXPECT_TRUE(holds(explained(class_of + "}"), alike));
    const auto found = json::parse(explain_document(explained_model(smollm3), false).json);
    const auto& readings = found["plans"][0]["readings"];
    EXPECT_EQ(readings["layers"], (std::vector<std::uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(readings["others"][0]["layers"], (std::vector<std::uint32_t>{0, 1, 2, 4, 5, 6}));
    EXPECT_EQ(readings["others"][0]["by"][0]["reading"], "ggml");
}

// vLLM's get_rope has rope_parameters.get("mrope_interleaved", False)
TEST_F(ConfigReading, OfVllmInterleavesOnlyIfTheFileRequestsIt) {
    const std::string head = R"({"head_dim": 128, "model_type": "qwen3_vl_text", "rope_scaling":
        {"rope_type": "default", "mrope_section": [24, 20, 20])";
    EXPECT_TRUE(holds(explained(head + "}}"), "M-RoPE is interleaved only where"));
    EXPECT_FALSE(holds(explained(head + R"(, "mrope_interleaved": true}})"),
                       "M-RoPE is interleaved only where"));
}

TEST_F(ConfigReading, IsNotReportedAsEqualIfKeysOrTheClassAreUnknown) {
    const std::string unread = explained(
        R"({"model_type": "llama", "head_dim": 64, "rope_theta": 10000, "rope_3d": true})");
    EXPECT_FALSE(holds(unread, alike)) << unread;
    EXPECT_TRUE(holds(unread, "transformers 5 does not read rope_3d; another library may"))
        << unread;
    const std::string unknown =
        explained(R"({"model_type": "frobnicator", "head_dim": 64, "rope_theta": 10000})");
    EXPECT_FALSE(holds(unknown, alike)) << unknown;
    EXPECT_TRUE(holds(unknown, "no rule of rope-check list readings changes it")) << unknown;
    EXPECT_TRUE(holds(unknown, "the class frobnicator is not known here")) << unknown;
    EXPECT_TRUE(holds(explained(R"({"model_type": "llama", "head_dim": 64})"), alike));
}

}  // namespace config_reading_test
}  // namespace rope::io
