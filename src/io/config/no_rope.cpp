#include "io/config/no_rope.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

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
                                               : "check it with --dim HEAD_DIM " + tower->flags));
    if (const ModelClass* other = find_class(model_type, ModelClass::Is::other))
        refuse(head + " uses " + other->instead);
}

using Switch = ModelClass::Switch;

// Of classes that have no row in the table of classes. Of others that are known these keys decide
// nothing: ModernBERT is published with position_embedding_type absolute.
std::vector<Switch> usual_switches() {
    return {{"alibi", {"false"}},
            {"use_mem_rope", {"true"}},
            {"position_embedding_type", {"rope", "rotary", "ROPE"}}};
}

// A key's value as it is spelled in JSON, without quotes.
std::optional<Found<std::string>> value_of(ConfigSection& model, const Switch& one) {
    if (one.rotary.front() != "true" && one.rotary.front() != "false") return model.text({one.key});
    const auto found = model.boolean(one.key);
    if (!found) return std::nullopt;
    return Found<std::string>{found->value ? "true" : "false", found->from};
}

void refuse_switched_off(ConfigSection& model, const std::string& model_type, const Switch& one) {
    const auto value = value_of(model, one);
    const std::string& first = one.rotary.front();
    if (value && std::ranges::count(one.rotary, value->value) == 0)
        refuse(value->from + " is " + printable(value->value) + ", not " + first);
    if (!value && !one.rotates_by_default)
        refuse(model.file() + ": " + model_type + " rotates only where " + one.key + " is " +
               first);
}

constexpr std::string_view xpos =
    ": xPos multiplies q by ζ^(m/s) and k by ζ^(−m/s) in addition to the rotation; check its "
    "rotation with "
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
        " is true: EVA rotates image patches, not one sequence; check it with --dim "
        "HEAD_DIM --rope axes=axial --layout interleaved, with positions of row and column" +
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
    if (alibi && !alibi->value) refuse(alibi->from + " is false, and rope is not true");
    refuse(model.file() + ": mpt uses ALiBi");
}

// olmo_hybrid/modular_olmo_hybrid.py OlmoHybridModel rotates where rope_parameters has a
// rope_theta; the published config has null, later {"rope_theta": null} or {"rope_type": null}.
void refuse_unrotated_olmo(ConfigSection& model, const std::string& model_type) {
    ConfigSection rope = model.section("rope_parameters");
    if (rope.has("rope_theta") || model.has("rope_theta") || model.has("rope_scaling")) return;
    if (model.holds_null("rope_parameters"))
        refuse(model.origin("rope_parameters") + " is null, by which " + model_type +
               " does not rotate");
    for (const char* key : {"rope_theta", "rope_type"})
        if (rope.holds_null(key))
            refuse(rope.origin(key) + " is null, by which " + model_type + " does not rotate");
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
                         " and encoder_num_attention_heads " + decimal(encoder->value) +
                         ": heads of two widths; check each with --dim, without the config");
}

}  // namespace

void refuse_without_rope(ConfigSection& model, ConfigSection& attention,
                         const std::string& model_type) {
    refuse_other_class(model, model_type);
    if (model_type == "mpt") refuse_unrotated_mpt(model, attention);
    const ModelClass* known = find_model_class(model_type);
    const auto has_trait = [&](std::string_view trait) {
        return known != nullptr && std::ranges::count(known->traits, trait) > 0;
    };
    if (has_trait("null_theta_is_nope")) refuse_unrotated_olmo(model, model_type);
    if (has_trait("encoder_and_decoder_heads")) refuse_two_widths(model);
    if (const auto part = model.real({"rotary_emb_fraction"}); part && part->value == 0)
        refuse(part->from + " is 0");
    if (known == nullptr) {
        refuse_xpos(model);
        refuse_eva(model);
        for (const Switch& one : usual_switches()) refuse_switched_off(model, model_type, one);
    } else if (known->rotates) {
        refuse_switched_off(model, model_type, *known->rotates);
    }
    // Baichuan's 7B rotates and its 13B does not, under one model_type
    constexpr std::uint64_t baichuan_13b = 5120;
    if (model_type == "baichuan")
        if (const auto hidden = model.whole({"hidden_size"}, 1, std::uint64_t{1} << 32);
            hidden && hidden->value == baichuan_13b)
            refuse(hidden->from + " is 5120: Baichuan-13B uses ALiBi");
}

}  // namespace rope::io
