#include "io/config/no_rope.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/config/model_classes.hpp"

namespace rope::io {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw InputError(what + ": there is no RoPE to verify");
}

void refuse_other_class(const ConfigSection& model, const std::string& model_type) {
    const std::string head = model.file() + ": " + model_type;
    if (const ModelClass* tower = find_class(model_type, ModelClass::Is::tower))
        throw InputError(head + " rotates image patches or frames, not one sequence (" +
                         tower->form + "); " +
                         (tower->flags.empty() ? "that is not covered"
                                               : "judge it by --dim HEAD_DIM " + tower->flags));
    if (const ModelClass* other = find_class(model_type, ModelClass::Is::other))
        refuse(head + " uses " + other->instead);
}

// Keys by which a class rotates, or does not. Of another class that is known, they decide nothing:
// ModernBERT is published with position_embedding_type absolute.
struct Switch {
    std::string_view model_type;  // empty: of each that has no row in the table of classes
    std::string_view key;
    std::string_view rotary;         // the text, or true or false, with which it rotates
    bool rotates_by_default = true;  // where the key is absent
};
constexpr std::array switches{
    Switch{"falcon", "alibi", "false"},
    Switch{"zamba2", "use_mem_rope", "true", false},
    Switch{"CogVideoXTransformer3DModel", "use_rotary_positional_embeddings", "true", false},
    Switch{"esm", "position_embedding_type", "rotary", false},
    Switch{"granitemoehybrid", "position_embedding_type", "rope", false},
    Switch{"new", "position_embedding_type", "rope"},
    Switch{"gte", "position_embedding_type", "rope"},
    Switch{"codeshell", "position_embedding_type", "rope"},
    Switch{"wav2vec2-conformer", "position_embeddings_type", "rotary", false},
    Switch{"wav2vec2-bert", "position_embeddings_type", "rotary", false},
    Switch{"seamless_m4t", "position_embeddings_type", "rotary", false},
    Switch{"", "alibi", "false"},
    Switch{"", "use_mem_rope", "true"},
    Switch{"", "position_embedding_type", "rope rotary ROPE"},
};

// A key's value as it is spelled in JSON, without quotes.
std::optional<Found<std::string>> value_of(ConfigSection& model, const Switch& one) {
    if (one.rotary != "true" && one.rotary != "false") return model.text({one.key});
    const auto found = model.boolean(one.key);
    if (!found) return std::nullopt;
    return Found<std::string>{found->value ? "true" : "false", found->from};
}

bool is_one_of(std::string_view words, const std::string& value) {
    return (" " + std::string(words) + " ").find(" " + value + " ") != std::string::npos;
}

void refuse_switched_off(ConfigSection& model, const std::string& model_type, const Switch& one) {
    const auto value = value_of(model, one);
    const std::string_view first = one.rotary.substr(0, one.rotary.find(' '));
    if (value && !is_one_of(one.rotary, value->value))
        refuse(value->from + " is " + printable(value->value) + ", not " + std::string(first));
    if (!value && !one.rotates_by_default)
        refuse(model.file() + ": " + model_type + " rotates only where " + std::string(one.key) +
               " is " + std::string(first));
}

constexpr std::string_view xpos =
    ": xPos multiplies q by ζ^(m/s) and k by ζ^(−m/s) beside turning them; judge its rotation by "
    "--dim HEAD_DIM, and vectors by compare --q Q --q-rot Q_ROT --xpos";

// EVA-CLIP's vision (eva_clip/eva_vit_model.py, VisionRotaryEmbeddingFast): p patches of a side are
// at k·pt_hw_seq_len/p where intp_freq is true, else at k.
void refuse_eva(ConfigSection& model) {
    ConfigSection vision = model.section("vision_cfg");
    const auto rotates = vision.boolean("rope");
    if (!rotates || !rotates->value) return;
    const auto trained = vision.whole({"pt_hw_seq_len"}, 1, max_head_dim);
    const auto stretched = vision.boolean("intp_freq");
    throw InputError(
        rotates->from +
        " is true: EVA rotates image patches, not one sequence; judge it by --dim "
        "HEAD_DIM --axis-map axial --layout interleaved, with positions of row and column" +
        (stretched && stretched->value
             ? " times " + decimal(trained ? trained->value : 16) + " over the patches of a side"
             : ""));
}

// torchscale's DecoderConfig and lucidrains' RotaryEmbedding (Sun et al., arXiv 2212.10554)
void refuse_xpos(ConfigSection& model) {
    for (const char* key : {"xpos_rel_pos", "use_xpos"})
        if (const auto found = model.boolean(key); found && found->value)
            throw InputError(found->from + " is true" + std::string(xpos));
}

// llm-foundry's MPT rotates where attn_config.rope is true, by flash-attention unless rope_impl is
// hf (models/mpt/modeling_mpt.py gen_rotary_embedding, models/utils/config_defaults.py);
// transformers' has ALiBi unless attn_config.alibi is false (MptAttentionConfig), and never RoPE.
void refuse_unrotated_mpt(const ConfigSection& model, ConfigSection& attention) {
    const auto rope = attention.boolean("rope"), alibi = attention.boolean("alibi");
    if (rope && rope->value) {
        const auto by = attention.text({"rope_impl"});
        const auto type = attention.section("rope_dail_config").text({"type"});
        if ((!by || by->value == "dail") && type && type->value == "xpos")
            throw InputError(type->from + " is xpos" + std::string(xpos));
        return;
    }
    if (alibi && !alibi->value) refuse(alibi->from + " is false, and rope beside it is not true");
    refuse(model.file() + ": mpt uses ALiBi");
}

// olmo_hybrid/modular_olmo_hybrid.py OlmoHybridModel rotates where rope_parameters has a
// rope_theta; the published config has null, later {"rope_theta": null} or {"rope_type": null}.
void refuse_unrotated_olmo(ConfigSection& model) {
    ConfigSection rope = model.section("rope_parameters");
    if (rope.has("rope_theta") || model.has("rope_theta") || model.has("rope_scaling")) return;
    if (model.holds_null("rope_parameters"))
        refuse(model.origin("rope_parameters") + " is null, by which olmo_hybrid does not rotate");
    for (const char* key : {"rope_theta", "rope_type"})
        if (rope.holds_null(key))
            refuse(rope.origin(key) + " is null, by which olmo_hybrid does not rotate");
}

// moonshine/modeling_moonshine.py has one table, of the encoder's heads.
void refuse_two_widths(ConfigSection& model) {
    const auto heads = [&](const char* key) {
        return model.whole({key}, 1, std::uint64_t{1} << 32);
    };
    const auto encoder = heads("encoder_num_attention_heads"),
               decoder = heads("decoder_num_attention_heads");
    if (encoder && decoder && encoder->value != decoder->value)
        throw InputError(decoder->from + " is " + decimal(decoder->value) +
                         " beside encoder_num_attention_heads " + decimal(encoder->value) +
                         ": heads of two widths; judge each by --dim, without the config");
}

}  // namespace

void refuse_without_rope(ConfigSection& model, ConfigSection& attention,
                         const std::string& model_type) {
    refuse_other_class(model, model_type);
    if (model_type == "mpt") refuse_unrotated_mpt(model, attention);
    if (model_type == "olmo_hybrid") refuse_unrotated_olmo(model);
    if (model_type == "moonshine") refuse_two_widths(model);
    if (const auto part = model.real({"rotary_emb_fraction"}); part && part->value == 0)
        refuse(part->from + " is 0");
    const bool is_known = find_model_class(model_type) != nullptr;
    if (!is_known) refuse_xpos(model);
    if (!is_known) refuse_eva(model);
    for (const Switch& one : switches)
        if (one.model_type.empty() ? !is_known : one.model_type == model_type)
            refuse_switched_off(model, model_type, one);
    // Baichuan's 7B rotates and its 13B does not, under one model_type
    constexpr std::uint64_t baichuan_13b = 5120;
    if (model_type == "baichuan")
        if (const auto hidden = model.whole({"hidden_size"}, 1, std::uint64_t{1} << 32);
            hidden && hidden->value == baichuan_13b)
            refuse(hidden->from + " is 5120: Baichuan-13B uses ALiBi");
}

}  // namespace rope::io
