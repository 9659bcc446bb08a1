// Models whose layers rotate in several ways, or not at all.
#include <gtest/gtest.h>

#include <string>

#include "tests/io/config_fixture.hpp"

namespace rope::io {
namespace config_layers_test {

using Layers = ConfigTest;

// "full_attention: --dim 64 …; NoPE: 3"
std::string summary(const ResolvedModel& model) {
    std::string text;
    for (const LayerGroup& group : model.groups) {
        text += (text.empty() ? "" : "\n") + group.layers;
        if (group.rotates) text += ": " + flags_of(group.resolved.spec);
    }
    return text;
}

TEST_F(Layers, OfOneKindAreOneGroup) {
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64})")), "all layers: --dim 64");
}

TEST_F(Layers, MayEachHaveASection) {
    EXPECT_EQ(summary(resolve_all(
                  R"({"head_dim": 64, "max_position_embeddings": 4096, "rope_parameters": {
                  "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8},
                  "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})")),
              "full_attention: --dim 64 --max-position 4096 --base 1000000 --rope "
              "rope_type=linear,factor=8\nsliding_attention: --dim 64 --max-position 4096");
}

TEST_F(Layers, WhoseSectionIsNullDoNotRotate) {
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64, "rope_parameters": {
                  "full_attention": null,
                  "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})")),
              "NoPE: full_attention\nsliding_attention: --dim 64");
}

// poolside/Laguna-XS.2 (huggingface/transformers#48798)
TEST_F(Layers, HaveTheirSectionsBesideAKeyThatIsNone) {
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64, "rope_parameters": {
                  "original_max_position_embeddings": 4096,
                  "full_attention": {"rope_type": "default", "rope_theta": 1e6},
                  "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})")),
              "full_attention: --dim 64 --base 1000000\nsliding_attention: --dim 64");
}

// Laguna's older configs; vLLM models/laguna.py LagunaAttention
TEST_F(Layers, OfLagunaThatSlideHaveASectionOfTheirOwnWhichGoesFirst) {
    const std::string sliding =
        R"("swa_rope_parameters": {"rope_type": "default", "rope_theta": 20000}})";
    const char* both =
        "full_attention: --dim 64 --max-position 4096 --base 500000 --rope "
        "rope_type=linear,factor=8\n"
        "sliding_attention: --dim 64 --max-position 4096 --base 20000";
    const std::string head =
        R"({"model_type": "laguna", "head_dim": 64, "max_position_embeddings": 4096,)";
    const std::string full = R"({"rope_type": "linear", "factor": 8, "rope_theta": 5e5})";
    const ResolvedModel flat = resolve_all(head + R"("rope_parameters": )" + full + "," + sliding);
    EXPECT_EQ(summary(flat), both);
    EXPECT_TRUE(flat.groups.front().resolved.ignored.empty());
    EXPECT_EQ(summary(resolve_all(head + R"("rope_parameters": {"full_attention": )" + full +
                                  R"(, "sliding_attention": {"rope_theta": 1e6}},)" + sliding)),
              both);
    EXPECT_EQ(summary(resolve_all(head + R"("rope_parameters": {"full_attention": )" + full + "}," +
                                  sliding)),
              both);
}

// minimax/configuration_minimax.py, recurrent_gemma/configuration_recurrent_gemma.py,
// pfnet/plamo-2-8b modeling_plamo.py is_mamba
TEST_F(Layers, OfOtherKindsAreKnownFromTheClassWhereTheFileListsNone) {
    EXPECT_EQ(summary(resolve_all(
                  R"({"model_type": "minimax", "head_dim": 64, "num_hidden_layers": 4,
                      "max_position_embeddings": 4096})")),
              "layers 0, 2: --dim 64 --max-position 4096 --base 1000000\n"
              "linear_attention: 1, 3");
    EXPECT_EQ(summary(resolve_all(
                  R"({"model_type": "minimax", "head_dim": 64, "num_hidden_layers": 2,
                      "layer_types": ["full_attention", "full_attention"],
                      "max_position_embeddings": 4096})")),
              "all layers: --dim 64 --max-position 4096 --base 1000000");
    EXPECT_EQ(summary(resolve_all(
                  R"({"model_type": "recurrent_gemma", "num_hidden_layers": 7,
                      "max_position_embeddings": 4096})")),
              "layers 2, 5: --dim 256 --rotary-dim 128 --max-position 4096\n"
              "recurrent: 0–1, 3–4, 6");
    const auto plamo = [&](const std::string& keys) {
        return summary(resolve_all(R"({"model_type": "plamo2", "hidden_size_per_head": 64,
                                       "max_position_embeddings": 4096, )" +
                                   keys + "}"));
    };
    const std::string rotates = ": --dim 64 --max-position 4096";
    EXPECT_EQ(plamo(R"("num_hidden_layers": 5)"), "layers 1, 3" + rotates + "\nmamba: 0, 2, 4");
    EXPECT_EQ(plamo(R"("num_hidden_layers": 6, "mamba_step": 4)"),
              "layers 2" + rotates + "\nmamba: 0–1, 3–5");
    EXPECT_EQ(plamo(R"("num_hidden_layers": 2, "mamba_step": 8)"),
              "layers 1" + rotates + "\nmamba: 0");
    EXPECT_EQ(plamo(R"("num_hidden_layers": 2, "mamba_enabled": false)"), "all layers" + rotates);
}

TEST_F(Layers, ThatRotateAlikeAreOneGroup) {
    const ResolvedModel model = resolve_all(
        R"({"head_dim": 64, "rope_parameters": {"full_attention": {}, "sliding_attention": {}}})");
    EXPECT_EQ(summary(model), "full_attention, sliding_attention: --dim 64");
    EXPECT_EQ(resolve(R"({"head_dim": 64, "rope_parameters": {"a": {}, "b": {}}})").spec.head_dim,
              64u);
}

TEST_F(Layers, OfANestedSectionKeepTheirOwnOriginalLength) {
    const ResolvedSpec resolved = resolve(
        R"({"head_dim": 64, "original_max_position_embeddings": 1024, "rope_parameters": {
            "full_attention": {"rope_type": "yarn", "factor": 2,
                               "original_max_position_embeddings": 4096}}})");
    EXPECT_EQ(*resolved.spec.scaling.original_max_position_embeddings, 4096u);
    EXPECT_EQ(resolved.ignored, std::vector<std::string>{"original_max_position_embeddings"});
}

TEST_F(Layers, OfGemma3ScaleGloballyOnly) {
    EXPECT_EQ(summary(resolve_all(
                  R"({"head_dim": 256, "rope_theta": 1e6, "rope_local_base_freq": 10000,
                      "rope_scaling": {"rope_type": "linear", "factor": 8}})")),
              "full_attention: --dim 256 --base 1000000 --rope rope_type=linear,factor=8\n"
              "sliding_attention: --dim 256");
}

TEST_F(Layers, OfGemma3AreKnownWithoutAKey) {
    const ResolvedModel model = resolve_all(
        R"({"text_config": {"model_type": "gemma3_text", "hidden_size": 2560,
            "rope_scaling": {"rope_type": "linear", "factor": 8}}})");
    EXPECT_EQ(summary(model),
              "full_attention: --dim 256 --max-position 131072 --base 1000000 --rope "
              "rope_type=linear,factor=8\nsliding_attention: --dim 256 --max-position 131072");
    EXPECT_EQ(origin_of(model.groups[0].resolved, "rope_theta"),
              "transformers' default for gemma3_text: rope_theta");
}

TEST_F(Layers, OfGemma4HaveTwoHeadSizes) {
    const std::string both =
        "full_attention: --dim 512 --max-position 131072 --base 1000000 --rope "
        "rope_type=proportional,partial_rotary_factor=0.25\nsliding_attention: --dim 256 "
        "--max-position 131072";
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "gemma4_text"})")), both);
    EXPECT_EQ(summary(resolve_all(
                  R"({"model_type": "gemma4_text", "head_dim": 256, "global_head_dim": 512,
                      "rope_parameters": {
                        "full_attention": {"partial_rotary_factor": 0.25, "rope_theta": 1e6,
                                           "rope_type": "proportional"},
                        "sliding_attention": {"rope_theta": 1e4, "rope_type": "default"}}})")),
              both);
}

TEST_F(Layers, WithAOneInNoRopeLayersRotate) {
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64, "no_rope_layers": [1, 1, 1, 0, 1, 0]})")),
              "layers 0–2, 4: --dim 64\nNoPE: 3, 5");
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64, "no_rope_layers": [1, 1]})")),
              "all layers: --dim 64");
    EXPECT_EQ(summary(resolve_all(R"({"head_dim": 64, "no_rope_layers": [0, 0]})")), "NoPE: 0–1");
}

TEST_F(Layers, AreNoPEAtIntervals) {
    const std::string every_fourth = "layers 0–2, 4–6: --dim 64\nNoPE: 3, 7";
    EXPECT_EQ(summary(resolve_all(
                  R"({"head_dim": 64, "num_hidden_layers": 8, "no_rope_layer_interval": 4})")),
              every_fourth);
    EXPECT_EQ(summary(resolve_all(
                  R"({"head_dim": 64, "model_type": "smollm3", "num_hidden_layers": 8,
                      "no_rope_layers": []})")),
              "layers 0–2, 4–6: --dim 64 --max-position 32768 --base 2000000\nNoPE: 3, 7");
}

TEST_F(Layers, OfCohere2RotateWhereTheySlide) {
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "cohere2", "head_dim": 128})")),
              "sliding_attention: --dim 128 --layout interleaved --max-position 8192\nNoPE: "
              "full_attention");
    EXPECT_EQ(summary(resolve_all(
                  R"({"model_type": "exaone4", "head_dim": 128, "sliding_window": null})")),
              "all layers: --dim 128");
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "exaone4", "head_dim": 128})")),
              "sliding_attention: --dim 128\nNoPE: full_attention");
}

TEST_F(Layers, OfAKindThatNoLayerHasAreNotMentioned) {
    const auto cohere = [&](const std::string& types) {
        return resolve_all(R"({"model_type": "cohere2", "head_dim": 128, "layer_types": [)" +
                           types + "]}");
    };
    EXPECT_EQ(summary(cohere(R"("sliding_attention", "sliding_attention")")),
              "sliding_attention: --dim 128 --layout interleaved --max-position 8192");
    EXPECT_EQ(summary(cohere(R"("full_attention")")), "NoPE: full_attention");
    const ResolvedModel gemma = resolve_all(
        R"({"model_type": "gemma3_text", "head_dim": 64, "num_hidden_layers": 5, "rope_theta": 5e5,
            "max_position_embeddings": 512})");
    EXPECT_EQ(summary(gemma), "sliding_attention: --dim 64 --max-position 512");
    EXPECT_TRUE(gemma.ignored.empty()) << gemma.ignored.front();
    EXPECT_EQ(refusal(R"({"model_type": "cohere2", "head_dim": 128, "layer_types":
                          ["sliding_attention"]})",
                      {{"--layers", "full_attention"}}),
              "--layers: 'full_attention' is not one of sliding_attention");
}

TEST_F(Layers, NamedByAKindOfAttentionKnowTheirNumbers) {
    using Numbers = std::vector<std::uint32_t>;
    const auto numbers = [&](const std::string& keys) {
        std::vector<Numbers> all;
        for (const LayerGroup& group :
             resolve_all(R"({"model_type": "gemma3_text", "head_dim": 64)" + keys + "}").groups)
            all.push_back(group.numbers);
        return all;
    };
    EXPECT_EQ(numbers(R"(, "layer_types": ["full_attention", "sliding_attention"])"),
              (std::vector<Numbers>{{0}, {1}}));
    EXPECT_EQ(numbers(R"(, "num_hidden_layers": 6, "sliding_window_pattern": 3)"),
              (std::vector<Numbers>{{2, 5}, {0, 1, 3, 4}}));
    EXPECT_EQ(numbers(R"(, "num_hidden_layers": 4, "sliding_window_pattern": "LLG")"),
              (std::vector<Numbers>{{2}, {0, 1, 3}}));
    EXPECT_EQ(numbers(R"(, "num_hidden_layers": 2, "layer_types": ["full_attention", "other"])"),
              (std::vector<Numbers>{{}, {}}))
        << "nobody knows how the second rotates";
}

// exaone_moe/modular_exaone_moe.py: ExaoneMoeAttention is Exaone4Attention
TEST_F(Layers, OfExaoneMoeRotateWhereTheySlide) {
    EXPECT_EQ(summary(resolve_all(
                  R"({"model_type": "exaone_moe", "head_dim": 128, "sliding_window": 128})")),
              "sliding_attention: --dim 128\nNoPE: full_attention");
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "exaone_moe", "head_dim": 128})")),
              "sliding_attention: --dim 128\nNoPE: full_attention")
        << "its sliding_window is 4096";
    EXPECT_EQ(refusal(R"({"model_type": "exaone_moe", "head_dim": 128, "num_hidden_layers": 4})",
                      {{"--layers", "3"}}),
              "--layers: layer 3 does not rotate (NoPE: full_attention); compare --rotary-dim 0, "
              "without a config, judges that its q and k stay as they are");
}

// modernbert/configuration_modernbert.py: of global_attn_every_n_layers the first has full
// attention
TEST_F(Layers, OfModernBertAreFullWhereTheyBeginAPeriod) {
    const char* text = R"({"model_type": "modernbert", "head_dim": 64, "num_hidden_layers": 22,
                           "global_rope_theta": 16e4, "local_rope_theta": 1e4,
                           "global_attn_every_n_layers": 3})";
    for (const char* layer : {"0", "3", "21"})
        EXPECT_EQ(resolve(text, {{"--layers", layer}}).spec.rope_theta, 16e4) << layer;
    for (const char* layer : {"1", "2", "4"})
        EXPECT_EQ(resolve(text, {{"--layers", layer}}).spec.rope_theta, 1e4) << layer;
    EXPECT_EQ(resolve(R"({"model_type": "modernbert", "head_dim": 64, "num_hidden_layers": 22})",
                      {{"--layers", "6"}})
                  .spec.rope_theta,
              16e4);
    EXPECT_EQ(resolve(R"({"model_type": "modernbert", "head_dim": 64, "num_hidden_layers": 22,
                          "global_attn_every_n_layers": 4})",
                      {{"--layers", "6"}})
                  .spec.rope_theta,
              1e4);
}

// afmoe/configuration_afmoe.py: of global_attn_every_n_layers the last has full attention
TEST_F(Layers, OfAfmoeAreFullWhereTheyEndAPeriod) {
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "afmoe", "head_dim": 64, "num_hidden_layers": 8,
                                      "global_attn_every_n_layers": 4})")),
              "sliding_attention: --dim 64 --max-position 16384\nNoPE: full_attention");
    EXPECT_EQ(refusal(R"({"model_type": "afmoe", "head_dim": 64, "num_hidden_layers": 8})",
                      {{"--layers", "3"}}),
              "--layers: layer 3 does not rotate (NoPE: full_attention); compare --rotary-dim 0, "
              "without a config, judges that its q and k stay as they are");
}

TEST_F(Layers, OfBlocksWithoutAttentionDoNotRotate) {
    EXPECT_EQ(refusal(R"({"model_type": "nemotron-nas", "head_dim": 128, "num_hidden_layers": 2,
                          "block_configs": [{"attention": {"no_op": false}},
                                            {"attention": {"replace_with_linear": true}}]})",
                      {{"--layers", "1"}}),
              "--layers: layer 1 does not rotate (no_attention: 1); compare --rotary-dim 0, "
              "without a config, judges that its q and k stay as they are");
    EXPECT_EQ(refusal(R"({"head_dim": 128, "block_configs": [true]})"),
              "config.json: block_configs is [true]; it must be a list of up to 65536 objects");
}

// cohere2_moe/modular_cohere2_moe.py Cohere2MoeAttention.force_rope
TEST_F(Layers, OfCohere2MoeThatAreDenseRotateToo) {
    const auto layers = [&](const std::string& keys) {
        const std::string text =
            summary(resolve_all(R"({"model_type": "cohere2_moe")" + keys + "}"));
        return text.substr(0, text.find(':')) + text.substr(text.find('\n'));
    };
    EXPECT_EQ(layers(""), "sliding_attention\nNoPE: full_attention");
    EXPECT_EQ(layers(R"(, "num_hidden_layers": 8)"), "layers 0–2, 4–6\nNoPE: 3, 7");
    EXPECT_EQ(layers(R"(, "num_hidden_layers": 8, "first_k_dense_replace": 1)"),
              "layers 0–3, 5–7\nNoPE: 4");
    EXPECT_EQ(layers(R"(, "num_hidden_layers": 4, "first_k_dense_replace": 2,
                         "prefix_dense_sliding_window_pattern": 2)"),
              "layers 0, 2–3\nNoPE: 1");
    EXPECT_EQ(layers(R"(, "num_hidden_layers": 3, "mlp_layer_types": ["dense", "sparse", "sparse"],
                         "layer_types": ["full_attention", "full_attention", "sliding_attention"])"),
              "layers 0, 2\nNoPE: 1");
}

// olmo3/configuration_olmo3.py convert_rope_params_to_dict, transformers 4.57 and vLLM olmo2.py
TEST_F(Layers, OfOlmo3ScaleWhereTheyDoNotSlide) {
    constexpr std::string_view scaling = R"({"rope_type": "yarn", "rope_theta": 5e5, "factor": 8,
        "original_max_position_embeddings": 8192, "attention_factor": 1.25})";
    const std::string both =
        "full_attention: --dim 128 --max-position 65536 --base 500000 --rope "
        "rope_type=yarn,factor=8,original_max_position_embeddings=8192,attention_factor=1."
        "25\nsliding_attention: --dim 128 "
        "--max-position 65536 --base 500000";
    const auto config = [&](const std::string& key) {
        return R"({"model_type": "olmo3", "max_position_embeddings": 65536, "num_hidden_layers": 4,
                   ")" +
               key + "\": " + std::string(scaling) + "}";
    };
    const ResolvedModel model = resolve_all(config("rope_scaling"));
    EXPECT_EQ(summary(model), both);
    EXPECT_TRUE(model.ignored.empty()) << model.ignored.front();
    EXPECT_EQ(summary(resolve_all(config("rope_parameters"))),
              "all layers: --dim 128 --max-position 65536 --base 500000");
    for (const char* layer : {"0", "2", "sliding"})
        EXPECT_EQ(resolve(config("rope_scaling"), {{"--layers", layer}}).spec.scaling, Scaling{});
    EXPECT_EQ(resolve(config("rope_scaling"), {{"--layers", "3"}}).spec.scaling.rope_type, "yarn");
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "olmo3"})")),
              "all layers: --dim 128 --base 500000");
}

// granite_swa/modular_granite_swa.py, muse_glimmer/modular_muse_glimmer.py
TEST_F(Layers, MayEachHaveABase) {
    constexpr std::string_view text = R"({"model_type": "granite_swa", "head_dim": 128,
        "num_hidden_layers": 5, "layer_rope_theta": [0, 1e4, 5e5, 1e4, 0],
        "rope_parameters": {"rope_type": "linear", "factor": 2, "rope_theta": 1e6}})";
    const ResolvedModel model = resolve_all(text);
    EXPECT_EQ(
        summary(model),
        "NoPE: 0, 4\n"
        "layers 1, 3: --dim 128 --max-position 8192 --rope rope_type=linear,factor=2\n"
        "layers 2: --dim 128 --max-position 8192 --base 500000 --rope rope_type=linear,factor=2");
    EXPECT_EQ(origin_of(model.groups[1].resolved, "rope_theta"), "config.json: layer_rope_theta");
    EXPECT_TRUE(model.ignored.empty()) << model.ignored.front();
    EXPECT_EQ(resolve(text, {{"--layers", "2"}}).spec.rope_theta, 5e5);
    EXPECT_EQ(refusal(R"({"head_dim": 64, "layer_rope_theta": [1e4, "0"]})"),
              "config.json: layer_rope_theta is [10000.0,\"0\"]; it must be a list of numbers");
    EXPECT_EQ(refusal(R"({"head_dim": 64, "layer_rope_theta": [0.5]})"),
              "config.json: layer_rope_theta is 0.5; it must be a number from 1 to 1e30");
    EXPECT_EQ(
        summary(resolve_all(R"({"model_type": "muse_glimmer_text", "num_hidden_layers": 6})")),
        "layers 0, 2–4: --dim 128 --max-position 131072\nNoPE: 1, 5");
}

// allenai/Molmo2 modeling_molmo2.py: rotary_embs["scaling"] in the layers of the list alone
TEST_F(Layers, OfMolmo2ScaleWhereTheListSays) {
    const ResolvedModel model = resolve_all(R"({"model_type": "molmo2_text", "head_dim": 128,
        "num_hidden_layers": 4, "rope_theta": 500000, "max_position_embeddings": 65536,
        "rope_scaling": {"rope_type": "linear", "factor": 8}, "rope_scaling_layers": [3, 1]})");
    EXPECT_EQ(summary(model),
              "layers 1, 3: --dim 128 --max-position 65536 --base 500000 --rope "
              "rope_type=linear,factor=8\n"
              "layers 0, 2: --dim 128 --max-position 65536 --base 500000");
    EXPECT_TRUE(model.ignored.empty()) << model.ignored.front();
}

// vLLM's models/plamo3.py: rope_local_theta in layers that slide, all but every eighth
TEST_F(Layers, OfPlamo3HaveABaseWhereTheySlide) {
    const ResolvedModel model = resolve_all(R"({"model_type": "plamo3", "head_dim": 128,
        "num_hidden_layers": 16, "rope_theta": 1000000, "rope_local_theta": 20000})");
    EXPECT_EQ(
        summary(model),
        "full_attention: --dim 128 --base 1000000\nsliding_attention: --dim 128 --base 20000");
    EXPECT_EQ(model.groups[0].numbers, (std::vector<std::uint32_t>{7, 15}));
    EXPECT_TRUE(model.ignored.empty()) << model.ignored.front();
}

// step3p7/configuration_step3p7.py: a base and a fraction for each layer, and here for one of
// multi-token prediction; rope_scaling is full_attention's
TEST_F(Layers, OfStep3p5HaveTheBaseAndTheFractionOfTheirType) {
    constexpr std::string_view text = R"({"model_type": "step3p5", "num_hidden_layers": 3,
        "rope_theta": [5e6, 1e4, 1e4, 7e4], "partial_rotary_factors": [0.5, 1.0, 1.0, 0.25],
        "layer_types": ["full_attention", "sliding_attention", "sliding_attention",
        "full_attention"], "rope_scaling": {"rope_type": "linear", "factor": 2}})";
    EXPECT_EQ(summary(resolve_all(text)),
              "full_attention: --dim 128 --rotary-dim 64 --max-position 128000 --base 5000000 "
              "--rope rope_type=linear,factor=2\n"
              "sliding_attention: --dim 128 --max-position 128000");
    EXPECT_EQ(flags_of(resolve(text, {{"--base", "7e4"}, {"--layers", "0"}}).spec),
              "--dim 128 --rotary-dim 64 --max-position 128000 --base 70000 --rope "
              "rope_type=linear,factor=2");
    EXPECT_EQ(flags_of(resolve(text, {{"--layers", "2"}}).spec), "--dim 128 --max-position 128000");
}

TEST_F(Layers, OfStep3p5AreRefusedWhereOneTypeHasSeveralValues) {
    EXPECT_EQ(refusal(R"({"model_type": "step3p5", "rope_theta": [5e6, 1e4]})"),
              "config.json: rope_theta has 5000000 and 10000 for layers of full_attention; it must "
              "have one value for each type of layer");
    EXPECT_EQ(refusal(R"({"model_type": "step3p5", "num_hidden_layers": 3,
                          "partial_rotary_factors": [0.5, 0.5]})"),
              "config.json: partial_rotary_factors has 2 values; each layer needs one");
    EXPECT_EQ(refusal(R"({"head_dim": 64, "rope_theta": [5e6, 1e4]})"),
              "config.json: rope_theta is a list, a base for each layer, which is not read; give "
              "the base of the layer to check with --base, and which it is with --layers");
}

// deepseek_v4/configuration_deepseek_v4.py, of a config with the keys of its release
TEST_F(Layers, OfDeepseekV4TurnByWhetherTheyAreCompressed) {
    const ResolvedModel model = resolve_all(R"({"model_type": "deepseek_v4", "head_dim": 512,
        "qk_rope_head_dim": 64, "rope_theta": 10000, "compress_rope_theta": 160000,
        "num_hidden_layers": 4, "compress_ratios": [0, 128, 4, 0, 0], "rope_scaling": {"factor": 16,
        "original_max_position_embeddings": 65536, "type": "yarn"}})");
    EXPECT_EQ(summary(model),
              "main: --dim 512 --rotary-dim 64 --layout interleaved "
              "--max-position 1048576 --rope rotary_offset=448\n"
              "compress: --dim 512 --rotary-dim 64 --layout interleaved "
              "--max-position 1048576 --base 160000 --rope "
              "rotary_offset=448,rope_type=yarn,factor=16,original_max_position_embeddings=65536,"
              "attention_factor=1");
    EXPECT_TRUE(model.ignored.empty()) << model.ignored.front();
    // the fifth is of multi-token prediction
    EXPECT_EQ(model.groups.at(0).numbers, (std::vector<std::uint32_t>{0, 3}));
    EXPECT_EQ(model.groups.at(1).numbers, (std::vector<std::uint32_t>{1, 2}));
}

// olmo_hybrid/modular_olmo_hybrid.py OlmoHybridConfig.__post_init__
TEST_F(Layers, OfOlmoHybridRotateEveryFourth) {
    EXPECT_EQ(summary(resolve_all(R"({"model_type": "olmo_hybrid", "num_hidden_layers": 8,
                                      "rope_parameters": {"rope_theta": 5e5}})")),
              "layers 3, 7: --dim 128 --max-position 65536 --base 500000\n"
              "linear_attention: 0–2, 4–6");
}

// LGAI-EXAONE/EXAONE-4.0-32B, without its layer_types
TEST_F(Layers, OfExaone4FollowThePatternOfLetters) {
    constexpr std::string_view text =
        R"({"model_type": "exaone4", "head_dim": 128, "sliding_window_pattern": "LLLG"})";
    EXPECT_EQ(flags_of(resolve(text, {{"--layers", "6"}}).spec), "--dim 128");
    EXPECT_NE(refusal(text, {{"--layers", "7"}}).find("layer 7 does not rotate"),
              std::string::npos);
    EXPECT_EQ(
        refusal(R"({"model_type": "exaone4", "head_dim": 128,
                          "sliding_window_pattern": "LLX"})",
                {{"--layers", "0"}}),
        "config.json: sliding_window_pattern is \"LLX\"; it must be a whole number, or of the "
        "letters L (sliding) and G (full)");
}

TEST_F(Layers, ArePickedByName) {
    const char* text = R"({"head_dim": 256, "rope_local_base_freq": 5000,
                           "rope_scaling": {"rope_type": "linear", "factor": 8}})";
    EXPECT_EQ(refusal(text),
              "config.json: rotates in 2 ways (full_attention; sliding_attention); --layers NAME "
              "picks one");
    EXPECT_EQ(flags_of(resolve(text, {{"--layers", "sliding_attention"}}).spec),
              "--dim 256 --base 5000");
    EXPECT_EQ(refusal(text, {{"--layers", "local"}}),
              "--layers: 'local' is not one of full_attention, sliding_attention");
}

TEST_F(Layers, TakeTheFlagsThatTheirTypeUses) {
    const char* text = R"({"head_dim": 256, "rope_local_base_freq": 5000,
                           "rope_scaling": {"rope_type": "linear", "factor": 8}})";
    EXPECT_EQ(summary(resolve_all(text, {{"--rope factor", "4"}, {"--max-position", "512"}})),
              "full_attention: --dim 256 --max-position 512 --rope rope_type=linear,factor=4\n"
              "sliding_attention: --dim 256 --max-position 512 --base 5000");
    EXPECT_EQ(refusal(text, {{"--rope mscale", "4"}}),
              "--rope mscale: rope_type linear, default does not use it; --rope rope_type=TYPE "
              "names one that "
              "does");
}

// A megabyte of either took minutes or gigabytes.
TEST_F(Layers, AndUnreadKeysAreLimitedInNumber) {
    const auto config = [](int layers, int keys) {
        std::string text = R"({"head_dim": 64, "rope_parameters": {)";
        for (int i = 0; i < layers; ++i)
            text += (i > 0 ? ", \"t" : "\"t") + std::to_string(i) + R"(": {"rope_theta": )" +
                    std::to_string(10000 + i) + "}";
        text += "}";
        for (int i = 0; i < keys; ++i) text += R"(, "rope_key)" + std::to_string(i) + R"(": 1)";
        return text + "}";
    };
    EXPECT_EQ(resolve_all(config(64, 1000)).groups.size(), 64u);
    EXPECT_EQ(refusal(config(65, 0)), "config.json: has 65 types of layers; the limit is 64");
    EXPECT_EQ(refusal(config(20000, 0)), "config.json: has 20000 types of layers; the limit is 64");
    EXPECT_EQ(refusal(config(64, 0), {{"--dim", "65536"}}),
              "config.json: has 2097152 pairs in its types of layers; the limit is 65536");
    EXPECT_EQ(refusal(config(1, 60000)),
              "config.json: has 60000 keys about rotary embeddings that nothing reads; the limit "
              "is 1000");
}

TEST_F(Layers, TellWhatWasReadIgnoredAndDefaulted) {
    const ResolvedModel model = resolve_all(
        R"({"head_dim": 64, "use_logn_attn": true, "rope_scaling": {"type": "yarn", "factor": 4,
            "finetuned": true}})");
    EXPECT_EQ(model.origin, "config.json");
    EXPECT_EQ(model.read,
              (std::vector<std::string>{"head_dim", "rope_scaling.factor", "rope_scaling.type"}));
    EXPECT_EQ(model.ignored, (std::vector<std::string>{"rope_scaling.finetuned", "use_logn_attn"}));
    std::string defaulted;
    for (const Origin& origin : model.defaulted)
        defaulted += origin.field + " " + origin.from + "; ";
    EXPECT_EQ(defaulted,
              "layout half_split; max_position_embeddings 2048; rope_theta 10000; beta_fast 32; "
              "beta_slow 1; ext_factor 1; truncate true; ");
}

}  // namespace config_layers_test
}  // namespace rope::io
