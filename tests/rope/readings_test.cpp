// Each library's reading of a config, compared with numbers recorded from that library, with its
// issues and pull requests, or with the formula in its source evaluated with mpmath at 50 digits.
#include "rope/spec/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "rope/dumps.hpp"
#include "rope/golden_specs.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::readings_test {

using nlohmann::json;

Spec scaled(std::uint32_t dim, double base, Scaling scaling, std::uint64_t max_position) {
    Spec spec = spec_of(dim, base, std::move(scaling), max_position);
    validate(spec);
    return spec;
}

Spec read(std::string_view reading, const Spec& spec, const ConfigFacts& facts) {
    return read_as(find_reading(reading), spec, facts).spec;
}
Spec read(std::string_view reading, const Spec& spec) {
    return read(reading, spec, facts_of(spec));
}

double inv_freq(const Spec& spec, std::size_t pair) {
    return plan_frequencies(spec, exact_precision).pairs.at(pair).inv_freq.to_double();
}
double attention_factor(const Spec& spec) {
    return plan_frequencies(spec, exact_precision).attention_factor;
}

std::string refusal(std::string_view reading, const Spec& spec, const ConfigFacts& facts) {
    try {
        read(reading, spec, facts);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

// variants.md's gpt-oss; the recorded cases have it with and without truncate.
Spec gpt_oss() {
    return scaled(64, 150000,
                  {.rope_type = "yarn",
                   .factor = 32,
                   .original_max_position_embeddings = 4096,
                   .beta_fast = 32,
                   .beta_slow = 1,
                   .truncate = false},
                  131072);
}

// DeepSeek's form, with mscale and mscale_all_dim.
Spec with_mscales(double factor, std::optional<double> mscale, std::optional<double> all) {
    return scaled(64, 10000,
                  {.rope_type = "yarn",
                   .factor = factor,
                   .original_max_position_embeddings = 4096,
                   .mscale = mscale,
                   .mscale_all_dim = all},
                  163840);
}

Spec dynamic(double factor, std::optional<std::uint64_t> seq_len = {}) {
    Spec spec = scaled(128, 10000, {.rope_type = "dynamic", .factor = factor}, 4096);
    spec.seq_len = seq_len;
    return spec;
}

// Phi-3's lengths, and lists that identify a pair and its list.
Spec longrope(Scaling more = {}) {
    more.rope_type = "longrope";
    more.original_max_position_embeddings = 4096;
    more.short_factor.assign(48, 1.5);
    more.long_factor.assign(48, 12);
    return scaled(96, 10000, std::move(more), 131072);
}

bool is_long(const Spec& spec) { return std::abs(inv_freq(spec, 0) * 12 - 1) < 1e-15; }

// --- transformers, as recorded

ConfigFacts facts_of_golden(const json& config) {
    constexpr auto key = "original_max_position_embeddings";
    ConfigFacts facts;
    if (config.contains(key)) facts.numbers["top.original_max_position_embeddings"] = config[key];
    if (config.contains("rope_scaling") && config["rope_scaling"].contains(key))
        facts.numbers["section.original_max_position_embeddings"] = config["rope_scaling"][key];
    return facts;
}

void expect_recorded(const json& golden, const char* version, const char* reading) {
    const json& recorded = golden["other_versions"][version];
    Spec spec =
        golden_spec(golden["config"], 2 * golden["rotary_dim_frequencies"].get<std::uint32_t>());
    if (!golden["seq_len"].is_null()) spec.seq_len = golden["seq_len"];
    const ConfigFacts facts = facts_of_golden(golden["config"]);
    if (recorded.is_string() && recorded.get<std::string>().starts_with("error")) {
        EXPECT_NE(refusal(reading, spec, facts), "");
        return;
    }
    const Spec own = read(reading, spec, facts);
    const json& source = recorded.is_object() ? recorded : golden;
    const json& hex = source["inv_freq_f32_hex"];
    for (std::size_t i = 0; i < hex.size(); ++i)
        EXPECT_LE(ulps(static_cast<float>(inv_freq(own, i)), hex[i]), 4) << "pair " << i;
    EXPECT_NEAR(attention_factor(own), source["attention_factor"].get<double>(), 1e-12);
}

TEST(Readings, OfTransformers457And445EqualTheirRecordings) {
    const json recordings = recorded_json("hf_rope_init/cases.json");
    std::size_t others = 0;
    for (const json& golden : recordings["cases"]) {
        SCOPED_TRACE(golden["id"].get<std::string>());
        for (const auto& [version, reading] :
             {std::pair{"v4.57.6", "transformers-4.57"}, {"v4.45.2", "transformers-4.45"}}) {
            SCOPED_TRACE(version);
            if (!golden["other_versions"].contains(version)) continue;
            others += golden["other_versions"][version].is_object() ? 1 : 0;
            expect_recorded(golden, version, reading);
        }
    }
    EXPECT_EQ(others, 11U);  // with other bits than transformers 5's
}

// Phi-3's class in 4.45 chose by the length, and did not read attention_factor.
TEST(Readings, OfTransformers445KeepPhi3sClass) {
    Spec spec = longrope({.attention_factor = 1.5});
    ConfigFacts facts = facts_of(spec);
    EXPECT_TRUE(is_long(read("transformers-4.45", spec, facts)));
    EXPECT_EQ(attention_factor(read("transformers-4.45", spec, facts)), 1.5);
    facts.traits = {"phi3_longrope"};
    EXPECT_FALSE(is_long(read("transformers-4.45", spec, facts)));
    EXPECT_NEAR(attention_factor(read("transformers-4.45", spec, facts)), 1.1902380714238083,
                1e-15);
}

TEST(Readings, OfTransformers4ReadTheOriginalLengthInOnePlaceOnly) {
    const Spec spec = gpt_oss();
    ConfigFacts facts{.numbers = {{"top.original_max_position_embeddings",
                                   4096}}};  // 4.57's yarn does not read it
    EXPECT_EQ(read("transformers-4.57", spec, facts).scaling.original_max_position_embeddings,
              131072U);
    facts = {.numbers = {{"section.original_max_position_embeddings", 4096}}};
    EXPECT_EQ(read("transformers-4.57", spec, facts).scaling, spec.scaling);
    const Spec phi = longrope({.factor = 32});  // its longrope does not read it
    EXPECT_EQ(read("transformers-4.57", phi, facts).scaling.original_max_position_embeddings,
              131072U);
}

// --- vLLM

// vllm-project/vllm#41277; with max_trained_positions: tests/io/config_layers_test.cpp
TEST(Readings, OfVllmDoNotScaleDynamicWithoutMaxTrainedPositions) {
    for (const std::optional<std::uint64_t> seq_len :
         {std::optional<std::uint64_t>{}, {100}, {9000}})
        for (const char* name : {"vllm", "vllm-0.25"}) {
            const Spec own = read(name, dynamic(10, seq_len));
            EXPECT_NEAR(inv_freq(own, 63), 1.1547819846894582e-4, 1e-18);
        }
    EXPECT_LT(inv_freq(dynamic(10, 9000), 63), 1e-4);
}

// variants.md §1.1: pair 0 is already scaled, by 0.9786 for d = 128, s = 4; kexue.fm 9706
TEST(Readings, OfVllmScaleEveryPairByNtk) {
    const Spec spec = scaled(128, 10000, {.rope_type = "ntk", .factor = 4}, 4096);
    Spec own = read("vllm", spec);
    const auto expect = [&](std::size_t pair, double theta) {
        EXPECT_NEAR(inv_freq(own, pair) / theta, 1, 1e-15) << pair;
    };
    expect(0, 0.9785720620877001345091611);
    expect(1, 0.8292502770175190579141216);
    expect(31, 0.005773909923447290898332414);
    expect(63, 2.886954961723645449166207e-5);
    ConfigFacts facts = facts_of(spec);
    facts.numbers["section.mixed_b"] = 0.625;
    own = read("vllm", spec, facts);
    expect(0, 0.9020936451440210379304067);
    expect(1, 0.7387348189708109719911259);
    expect(31, 0.004700157319365285731466383);
    expect(63, 2.886954961723645449166207e-5);
    EXPECT_EQ(inv_freq(spec, 0), 1);
    facts.traits = {"section.alpha"};  // HunYuan's
    EXPECT_EQ(read("vllm", spec, facts).scaling, spec.scaling);
}

// vllm-project/vllm#46280 (Laguna: 1.4158883 for 1), #48621 (Ministral3: 1.2772588722239782 for 1)
TEST(Readings, OfVllm025DropTheAttentionFactorThatVllmReads) {
    Spec laguna = with_mscales(64, {}, {});
    laguna.scaling.attention_factor = 1;
    EXPECT_NEAR(attention_factor(read("vllm-0.25", laguna)), 1.415888308335967185650339, 1e-15);
    EXPECT_EQ(attention_factor(read("vllm", laguna)), 1);
    const Spec ministral = with_mscales(16, 1, 1);
    EXPECT_NEAR(attention_factor(read("vllm-0.25", ministral)), 1.2772588722239782, 1e-15);
    EXPECT_EQ(attention_factor(read("vllm", ministral)), 1);
    ConfigFacts facts = facts_of(ministral);
    facts.numbers["section.attn_factor"] = 0.5;
    facts.numbers["section.extrapolation_factor"] = 0.25;
    const Spec own = read("vllm-0.25", ministral, facts);
    EXPECT_NEAR(attention_factor(own), 1.2772588722239782 / 2, 1e-15);
    EXPECT_EQ(own.scaling.ext_factor, 0.25);
    EXPECT_EQ(read("vllm", ministral, facts).scaling, ministral.scaling);
}

TEST(Readings, OfVllmGiveDeepSeekAndMropeSeparateRules) {
    const Spec spec = with_mscales(40, 0.707, 0.707);
    ConfigFacts facts = facts_of(spec);
    facts.traits = {"attention_factor_of_deepseek"};
    EXPECT_EQ(attention_factor(read("vllm-0.25", spec, facts)), 1);
    EXPECT_EQ(attention_factor(read("vllm", spec, facts)), 1);
    // an absent mscale_all_dim is 0: 0.1·0.707·ln 40 + 1; transformers needs both
    const Spec alone = with_mscales(40, 0.707, {});
    EXPECT_NEAR(attention_factor(read("vllm", alone, facts)), 1.260803777405855296611669, 1e-15);
    EXPECT_NEAR(attention_factor(alone), 1.3688879454113936, 1e-15);
    const Spec mrope = on_axes(with_mscales(16, 1, 1), {AxisScheme::sectioned, {8, 12, 12}});
    EXPECT_NEAR(attention_factor(read("vllm", mrope)), 1.2772588722239782, 1e-15);
}

// --- longrope, in every library

TEST(Readings, OfLongropeAreLongAtEveryLengthWhereTheEngineIs) {
    for (const char* name : {"vllm", "vllm-0.25", "ggml", "mlx", "tensorrt-llm"}) {
        SCOPED_TRACE(name);
        Spec spec = longrope({.factor = 8});
        spec.seq_len = 100;
        const Spec own = read(name, spec);
        EXPECT_TRUE(is_long(own));
        EXPECT_FALSE(is_long(spec));
        // √(1 + ln 32/ln 4096); transformers 5 takes s = factor, 8
        EXPECT_NEAR(attention_factor(own), 1.190238071423808332999900, 1e-15);
        EXPECT_NEAR(attention_factor(spec), 1.118033988749894848204587, 1e-15);
        spec.max_position_embeddings = 4096;
        EXPECT_EQ(is_long(read(name, spec)), std::string_view(name) == "mlx");
    }
}

// --- llama.cpp

// variants.md §1.4: no truncate: gpt-oss differs by up to 76 % in inv_freq, at pair 17
TEST(Readings, OfGgmlMlxAndTensorRtLlmRoundTheRampOfGptOss) {
    const json recordings = recorded_json("hf_rope_init/cases.json");
    for (const json& golden : recordings["cases"]) {
        if (golden["id"] != "yarn_gptoss_d64_b150000_f32_trunc") continue;
        for (const char* name : {"ggml", "mlx", "tensorrt-llm"})
            for (std::size_t i = 0; i < 32; ++i)
                EXPECT_LE(ulps(static_cast<float>(inv_freq(read(name, gpt_oss()), i)),
                               golden["inv_freq_f32_hex"][i]),
                          3)
                    << name << " pair " << i;
    }
    EXPECT_EQ(read("vllm", gpt_oss()).scaling, gpt_oss().scaling);
    const ReadingDifference found = reading_difference(gpt_oss(), read("ggml", gpt_oss()));
    EXPECT_EQ(found.worst_pair, 17U);
    EXPECT_NEAR(found.turning[17].b / found.turning[17].a - 1, 0.76, 0.005);
    EXPECT_EQ(found.pairs.front(), 9U);
    EXPECT_EQ(found.pairs.back(), 17U);
}

TEST(Readings, OfGgmlDoNotStretchDynamic) {
    for (const char* name : {"ggml", "tensorrt-llm"}) {
        const Spec own = read(name, dynamic(10, 40960));
        EXPECT_EQ(own.scaling.rope_type, "default");
        EXPECT_NEAR(inv_freq(own, 63), 1.1547819846894582e-4, 1e-18);
    }
    EXPECT_NEAR(inv_freq(dynamic(10, 40960), 63), 1.268991191966437560073058e-6, 1e-20);
}

// ggml's context makes its own yarn_attn_factor: only mscale_all_dim of DeepSeek and Mistral count
TEST(Readings, OfGgmlMakeTheMagnitudeByTheClass) {
    const Spec spec = with_mscales(40, 1, 0.707);
    ConfigFacts facts = facts_of(spec);
    EXPECT_NEAR(attention_factor(read("ggml", spec, facts)), 1.3688879454113936, 1e-15);
    facts.traits = {"attention_factor_of_deepseek"};  // mscale is read as mscale_all_dim
    EXPECT_EQ(attention_factor(read("ggml", spec, facts)), 1);
    facts.traits = {"ggml_mscale_is_1"};
    EXPECT_NEAR(attention_factor(read("ggml", spec, facts)),
                1.3688879454113936 / 1.260803777405855296611669, 1e-15);
    Spec given = with_mscales(40, {}, {});
    given.scaling.attention_factor = 1;
    EXPECT_NEAR(attention_factor(read("ggml", given)), 1.3688879454113936, 1e-15);
    facts = {.traits = {"gguf"}};  // the file's attn_factor counts
    EXPECT_EQ(attention_factor(read("ggml", given, facts)), 1);
}

// src/models: grok.cpp and mistral3.cpp read the betas, all other graphs have 32 and
// 1
TEST(Readings, OfGgmlHaveTheUsualBetasButForMistral3) {
    Spec spec = with_mscales(40, {}, {});
    spec.scaling.beta_fast = 16;
    spec.scaling.beta_slow = 2;
    ConfigFacts facts = facts_of(spec);
    facts.model_type = "qwen3";
    const Scaling usual = read("ggml", spec, facts).scaling;
    EXPECT_FALSE(usual.beta_fast || usual.beta_slow);
    facts.traits = {"ggml_mscale_is_1"};
    EXPECT_EQ(read("ggml", spec, facts).scaling, spec.scaling);
    EXPECT_EQ(read("ggml", spec).scaling, spec.scaling);  // no class, as with llama.cpp's flags
}

// Recorded from ggml's C code, with betas in order, exchanged, and so far out that the ramp's end
// is cut to a value below its start.
TEST(Readings, OfGgmlRampAsInGgmlsRecording) {
    const json recording = recorded_json("ggml/yarn_ramp.json");
    int steps = 0;
    for (const json& one : recording) {
        SCOPED_TRACE(one["corr_dims"].dump());
        const Spec spec = scaled(one["rotary_dim"], one["base"],
                                 {.rope_type = "yarn",
                                  .factor = one["factor"],
                                  .original_max_position_embeddings = one["original"],
                                  .beta_fast = one["beta_fast"],
                                  .beta_slow = one["beta_slow"]},
                                 131072);
        const Spec own = read("ggml", spec);
        steps += own == spec ? 0 : own.scaling.beta_fast == spec.scaling.beta_fast ? 0 : 1;
        const double position = one["position"];
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double angle = position * inv_freq(own, i);
            const double allowed = angle * 1.1 * spec.rotary_dim * 0x1p-24 + 0x1p-23;
            EXPECT_NEAR(one["cos_sin"][2 * i].get<double>(), std::cos(angle), allowed) << i;
            EXPECT_NEAR(one["cos_sin"][2 * i + 1].get<double>(), std::sin(angle), allowed) << i;
        }
    }
    EXPECT_EQ(steps, 4);
}

// conversion/llama.py: the top level's, otherwise 8192
TEST(Readings, OfGgmlTakeLlama3sOriginalLengthFromTheTop) {
    const Spec spec = spec_of(128, 500000, llama3(8, 1, 4, 4096), 131072);
    const ConfigFacts facts{.numbers = {{"section.original_max_position_embeddings", 4096}}};
    EXPECT_EQ(read("ggml", spec, facts).scaling.original_max_position_embeddings, 8192U);
    EXPECT_EQ(read("ggml", spec).scaling, spec.scaling);
    EXPECT_EQ(read("mlx", spec, {}).scaling.original_max_position_embeddings, 8192U);
    EXPECT_EQ(read("tensorrt-llm", spec, {}).scaling.original_max_position_embeddings, 1024U);
}

// ggml-cpu/ops.cpp, ggml_mrope_cache_init with is_imrope, by its own conditions: Qwen3-VL's 61, 62
TEST(Readings, OfGgmlGiveInterleavedMropeAFourthAxis) {
    const Spec spec =
        on_axes(spec_of(128, 5000000, {}, 262144), {AxisScheme::interleaved, {24, 20, 20}});
    const Spec own = read("ggml", spec);
    EXPECT_EQ(own.axes.sections, (std::vector<std::uint32_t>{24, 20, 20, 0}));
    const auto axes = axis_of_pairs(own.axes, 64), usual = axis_of_pairs(spec.axes, 64);
    const std::uint32_t sections[] = {24, 20, 20};
    for (std::uint32_t j = 0; j < 64; ++j) {
        const bool fits = j < 3 * sections[j % 3];
        EXPECT_EQ(axes[j], fits ? j % 3 : 3) << j;
        EXPECT_EQ(axes[j] == usual[j], j != 61 && j != 62) << j;
    }
    const ReadingDifference found = reading_difference(spec, own);
    EXPECT_EQ(found.differing, std::vector<std::string>{"axes"});
    EXPECT_EQ(found.pairs, (std::vector<std::uint32_t>{61, 62}));
    EXPECT_EQ(found.turning[61].b, 0);  // the fourth position of text is 0
    EXPECT_EQ(found.radian_pair, 61U);
    // 5000000^(122/128) = 2426363.0595, mpmath
    EXPECT_EQ(found.radian_position, 2426364U);
}

// llama.cpp gives text (m, m, m, 0) and images (t, h, w, 0): pairs 61 and 62 of text do not rotate.
TEST(Readings, OfGgmlCheckTextAndImagesWithAFourthPositionOf0) {
    const Spec spec =
        on_axes(spec_of(128, 5000000, {}, 262144), {AxisScheme::interleaved, {24, 20, 20}});
    std::vector<double> positions = counted(16);
    for (double& m : positions) m *= 250;
    const OwnTable text = table_of_angles(
        positions, 64, Format::float32,
        [&](double m, std::uint32_t i) { return i == 61 || i == 62 ? 0 : m * inv_freq(spec, i); });
    TableDump image = text;
    image.more_positions = {image.positions, image.positions};
    for (const Dump& dump : {Dump(text), Dump(image)}) {
        EXPECT_EQ(summarize(compare(read("ggml", spec), dump)).violated, 0U);
        EXPECT_GT(summarize(compare(spec, dump)).violated, 0U);
    }
}

TEST(Readings, OfGgmlKnowOnlyTheLongropeOfPhiAndMiniCpm) {
    const Spec spec = longrope();
    ConfigFacts facts = facts_of(spec);
    facts.model_type = "llama";
    EXPECT_EQ(read("ggml", spec, facts).scaling.rope_type, "default");
    facts.traits = {"ggml_longrope_unmultiplied"};
    EXPECT_EQ(attention_factor(read("ggml", spec, facts)), 1);
    EXPECT_TRUE(is_long(read("ggml", spec, facts)));
}

TEST(Readings, OfProportionalDropItsFactorInVllmAndGgml) {
    const Spec spec = scaled(
        64, 10000, {.rope_type = "proportional", .factor = 8, .partial_rotary_factor = 0.5}, 4096);
    for (const char* name : {"vllm", "vllm-0.25", "ggml"}) {
        EXPECT_EQ(inv_freq(read(name, spec), 0), 1) << name;
        EXPECT_EQ(inv_freq(read(name, spec), 20), 0) << name;
    }
    EXPECT_EQ(read("mlx", spec).scaling, spec.scaling);
    EXPECT_EQ(inv_freq(spec, 0), 0.125);
}

// --- mlx-lm and TensorRT-LLM

TEST(Readings, OfMlxAndTensorRtLlmDefaultEachMscale) {
    for (const char* name : {"mlx", "tensorrt-llm"}) {
        SCOPED_TRACE(name);
        EXPECT_NEAR(attention_factor(read(name, with_mscales(40, 0.707, {}))),
                    1.260803777405855296611669, 1e-15);
        EXPECT_EQ(attention_factor(read(name, with_mscales(40, {}, 1))), 1);
        EXPECT_EQ(attention_factor(read(name, with_mscales(40, 1, 1))), 1);
        Spec given = with_mscales(64, {}, {});
        given.scaling.attention_factor = 1;  // mlx-lm#1507
        EXPECT_NEAR(attention_factor(read(name, given)), 1.415888308335967185650339, 1e-15);
    }
    EXPECT_EQ(read("mlx", gpt_oss(), {}).scaling.original_max_position_embeddings, 4096U);
    EXPECT_EQ(read("tensorrt-llm", gpt_oss(), {}).scaling.original_max_position_embeddings, 1024U);
}

// --- the papers

// arXiv 2309.00071: d = 128, L0 = 4096, s = 16
TEST(Readings, OfThePaperRunYarnsRampOverTurns) {
    const Spec spec = spec_of(128, 10000, yarn(16), 65536);
    const Spec own = read("paper", spec);
    EXPECT_NEAR(inv_freq(own, 20) / 0.05623413251903490803949510, 1, 1e-15);
    EXPECT_NEAR(inv_freq(own, 30) / 0.003935988590684744665048720, 1, 1e-15);
    EXPECT_NEAR(inv_freq(own, 44) / 1.197071340274588692456954e-4, 1, 1e-15);
    EXPECT_NEAR(attention_factor(own), 1.2772588722239782, 1e-15);
    const ReadingDifference found = reading_difference(own, spec);
    const Contrast& worst = found.turning[found.worst_pair];
    EXPECT_NEAR(worst.b / worst.a, 3.0414, 5e-5);
}

TEST(Readings, OfThePaperScaleDynamicOnlyByTheLength) {
    const Spec own = read("paper", dynamic(2, 16384));
    EXPECT_NEAR(std::pow(inv_freq(own, 63), -128 / 126.0), 40889.9424324862, 1e-6);
    EXPECT_NEAR(std::pow(inv_freq(dynamic(2, 16384), 63), -128 / 126.0), 72195.8600865094, 1e-6);
}

// --- dumps made by another library

// cos and sin of the Spec's plan in double, rounded to float32; a dump as from any program.
OwnTable table_of(const Spec& spec) {
    std::vector<double> positions;
    for (int position = 0; position < 3000; position += 60) positions.push_back(position);
    return table_of_spec(spec, positions, Format::float32, std::multiplies());
}

// The first explanation of a dump made by `reading`, compared with transformers' reading.
Explanation first_explanation(const Spec& spec, const char* reading, const ConfigFacts& facts) {
    const TableDump dump = table_of(read(reading, spec, facts));
    const Report report = compare(spec, dump, {.facts = facts});
    EXPECT_TRUE(report.observations.empty());
    return report.diagnosis.empty() ? Explanation{} : report.diagnosis.front();
}

TEST(Readings, AreNamedInAdditionToTheMistakesOfADump) {
    const Explanation rounded = first_explanation(gpt_oss(), "ggml", facts_of(gpt_oss()));
    EXPECT_EQ(rounded.mistake, "scaling-parameter");
    EXPECT_EQ(rounded.equivalent.back(),
              "the config as read by llama.cpp f12cc6d0f (--reading ggml), mlx-lm d78bf58e "
              "(--reading mlx), TensorRT-LLM 51ea5c96 (--reading tensorrt-llm)");
}

TEST(Readings, AreTheDiagnosisIfNoMistakeExplainsADump) {
    const Spec ntk = scaled(128, 10000, {.rope_type = "ntk", .factor = 4}, 4096);
    const Explanation vllm = first_explanation(ntk, "vllm", facts_of(ntk));
    EXPECT_EQ(vllm.mistake, "config-reading");
    EXPECT_THAT(vllm.what, testing::HasSubstr("(--reading vllm)"));
    EXPECT_GT(vllm.before, 100);
    EXPECT_LE(vllm.after, 1);
}

TEST(Readings, AreEquivalentToAMistakeThatExplainsADump) {
    const Spec spec = spec_of(128, 10000, yarn(16), 65536);
    const Explanation paper = first_explanation(spec, "paper", facts_of(spec));
    EXPECT_EQ(paper.what,
              "yarn's blend of kept and divided frequencies is wrong: the ramp runs over turns");
    EXPECT_EQ(paper.equivalent.back(), "the config as read by YaRN's paper (--reading paper)");
}

// A dump that follows no library's reading gets no library's name, and --reading selects one
// reading.
TEST(Readings, AreNotNamedWhereTheyDoNotFitOrOneWasAsked) {
    Spec other = gpt_oss();
    other.rope_theta = 10000;
    Report report = compare(gpt_oss(), TableDump(table_of(other)));
    ASSERT_FALSE(report.diagnosis.empty());
    EXPECT_EQ(report.diagnosis.front().mistake, "base");
    for (const std::string& name : report.diagnosis.front().equivalent)
        EXPECT_EQ(name.find("--reading"), std::string::npos);
    report = compare(read("mlx", gpt_oss()), TableDump(table_of(gpt_oss())));
    ASSERT_FALSE(report.diagnosis.empty());
    EXPECT_TRUE(report.diagnosis.front().equivalent.empty());
    EXPECT_EQ(
        summarize(compare(read("mlx", gpt_oss()), TableDump(table_of(read("ggml", gpt_oss())))))
            .violated,
        0U);
}

// --- statements about all readings

TEST(Readings, SayWhoseTheyAreAndLeaveTheDefaultAsItIs) {
    const Spec spec = gpt_oss();
    EXPECT_EQ(read("transformers", spec), spec);
    EXPECT_EQ(spec.reading, "");
    for (const Reading& reading : readings().subspan(1)) {
        EXPECT_EQ(read(reading.name, spec).reading, reading.name);
        EXPECT_FALSE(reading.rules.empty());
        EXPECT_FALSE(reading.library.empty());
        for (const ReadingRule& rule : reading.rules) EXPECT_FALSE(rule.source.empty());
    }
}

// A library's reading of a config is explicit, so that reading it again does not change it.
TEST(Readings, AreTheSameWhenReadAgain) {
    for (const Spec& spec : {gpt_oss(), with_mscales(40, 0.707, {}), dynamic(4), longrope(),
                             scaled(128, 1e4, {.rope_type = "ntk", .factor = 4}, 4096)})
        for (const Reading& reading : readings()) {
            if (!refusal(reading.name, spec, facts_of(spec)).empty()) continue;
            const Spec once = read(reading.name, spec);
            if (once.scaling.rope_type != spec.scaling.rope_type) continue;
            EXPECT_EQ(read(reading.name, once), once) << reading.name;
        }
}

TEST(Readings, AreRefusedWhereTheLibraryKnowsNoSuchType) {
    const Spec he_xu = scaled(64, 10000, {.rope_type = "he_xu"}, 2048);
    EXPECT_EQ(refusal("mlx", he_xu, {}),
              "mlx-lm d78bf58e has no rope_type he_xu; it reads default, linear, dynamic, yarn, "
              "longrope, llama3, proportional");
    EXPECT_EQ(refusal("paper", he_xu, {}), "");
    const Spec dynamic = scaled(64, 10000, {.rope_type = "dynamic", .factor = 2}, 2048);
    EXPECT_EQ(refusal("mlx", dynamic, {.model_type = "llama"}), "");
    EXPECT_EQ(refusal("transformers-4.45", gpt_oss(), {.model_type = "gpt_oss"}),
              "transformers 4.45.2 reads no rope section of model_type gpt_oss");
    EXPECT_EQ(refusal("transformers-4.45", gpt_oss(),
                      {.model_type = "qwen2", .traits = {"transformers_4.45_scales"}}),
              "");
    EXPECT_TRUE(refusal("vllm", gpt_oss(), {.traits = {"gguf"}})
                    .starts_with("vLLM newer than 0.25: a GGUF"));
    EXPECT_EQ(refusal("ggml", gpt_oss(), {.traits = {"gguf"}}), "");
    EXPECT_THROW(find_reading("vlm"), InputError);
}

// mlx-lm's rope_utils.py at d78bf58e, DynamicNTKScalingRoPE (ml-explore/mlx-lm#1606): at n = 4·L
// and factor 2 the base is 1e4·(2·4 − 1)^(64/62) = 74534.83…, as in transformers
TEST(Readings, OfMlxStretchDynamicWithTheLengthInAnyClass) {
    Spec spec = scaled(64, 10000, {.rope_type = "dynamic", .factor = 2}, 2048);
    spec.seq_len = 8192;
    const Spec own = read("mlx", spec, {.model_type = "llama"});
    EXPECT_EQ(own.seq_len, 8192U);
    EXPECT_NEAR(inv_freq(own, 31) / 1.905030617376177e-05, 1, 1e-12);
}

TEST(Rows, ComputeNumbersAndLayers) {
    const Spec spec = scaled(64, 10000, {.rope_type = "linear", .factor = 2.5}, 2048);
    ConfigFacts facts{.layer_count = 5,
                      .numbers = {{"top.hidden_size", 100}, {"top.heads", 7}},
                      .lists = {{"top.list", {1, 0, 0, 1}}}};
    const auto number = [&](std::string_view text) { return computed(text, spec, facts); };
    EXPECT_EQ(number("1+2*3-8/4"), 5);
    EXPECT_EQ(number("(1+2)*-3"), -9);
    EXPECT_EQ(number("ceil(max_position_embeddings*factor/3)"), 1707);
    EXPECT_EQ(number("floor(top.hidden_size/top.heads)+top.hidden_size%top.heads"), 16);
    EXPECT_EQ(number("top.none?top.heads?1"), 7);
    EXPECT_EQ(number("max(2,round(2.6))+min(top.none?4,9)"), 7);
    EXPECT_EQ(number("top.list[1+2]"), 1);
    EXPECT_EQ(number("magnitude(factor,1,0,1)"), yarn_magnitude(2.5, 1).to_double());
    for (const char* unknown :
         {"", "top.none", "top.none+1", "top.list[4]", "top.list[-1]", "1+", "floor(2", "floor(2]",
          "2)", "max(1)", "(", "top.list[", "2 3", "1,2"})
        EXPECT_EQ(number(unknown), std::nullopt) << unknown;
    EXPECT_EQ(number(std::string(100'000, '(')), std::nullopt);
    EXPECT_THROW(number("flor(2)"), InputError);
    EXPECT_EQ(layers_by("(i+1)%2!=0", facts), (LayerNumbers{0, 2, 4}));
    EXPECT_EQ(layers_by("top.list[i]=0|i>3", facts), (LayerNumbers{1, 2, 4}));
    facts.layer_count = 0;
    EXPECT_EQ(layers_by("i>-1", facts), std::nullopt);
}

TEST(Readings, AreComparedInGroupsThatReadAlike) {
    const ComparedReadings found = compare_readings(gpt_oss(), facts_of(gpt_oss()));
    ASSERT_EQ(found.others.size(), 3U);  // 4.45 with another length; the rounded; the paper
    std::vector<std::string_view> rounded;
    for (const ReadBy& by : found.others[1].by) rounded.push_back(by.reading->name);
    EXPECT_EQ(rounded, (std::vector<std::string_view>{"ggml", "mlx", "tensorrt-llm"}));
    ASSERT_EQ(found.others[1].by[0].changed.size(), 1U);
    EXPECT_EQ(found.alike.size(), 4U);
    EXPECT_TRUE(found.refused.empty());

    const ComparedReadings plain = compare_readings(spec_of(128, 10000), {});
    EXPECT_TRUE(plain.others.empty());
    EXPECT_EQ(plain.alike.size(), readings().size() - 1);
}

}  // namespace rope::readings_test
