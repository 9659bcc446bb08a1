#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/lint/lint_rules.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

// The numbers under one key at the top level and in the section, where they differ.
struct Twice {
    Found<double> top, section;
};
std::optional<Twice> differing(const ConfigFile& file, const LayerSection& layer,
                               std::string_view key) {
    ConfigSection model = file.model, rope = layer.rope;  // reading marks keys
    if (layer.nested || layer.assumed || model.holds_list(key)) return std::nullopt;
    const auto top = model.real({key}), section = rope.real({key});
    if (!top || !section || top->value == section->value) return std::nullopt;
    return Twice{*top, *section};
}

std::optional<Lint> type_twice(const ConfigFile&, const LayerSection& layer) {
    ConfigSection rope = layer.rope;
    const auto type = rope.text({"type"}), rope_type = rope.text({"rope_type"});
    if (!type || !rope_type || type->value == rope_type->value) return std::nullopt;
    return Lint{"type-twice", Severity::error, rope_type->from,
                "is '" + printable(rope_type->value) + "' but type is '" + printable(type->value) +
                    "', which older readers use; keep only rope_type"};
}

std::optional<Lint> two_sections(const ConfigFile& file, const LayerSection& layer) {
    if (file.overruled.read().empty() && file.overruled.unread().empty()) return std::nullopt;
    std::string where = layer.rope.origin("");
    where.pop_back();  // the dot
    return Lint{"two-rope-sections", Severity::warning, std::move(where),
                "replaces rope_parameters, which is also present; keep one of them"};
}

std::optional<Lint> theta_twice(const ConfigFile& file, const LayerSection& layer) {
    const auto twice = differing(file, layer, "rope_theta");
    if (!twice) return std::nullopt;
    return Lint{"rope-theta-twice", Severity::error, twice->section.from,
                "is " + decimal(twice->section.value) + " but the top level's is " +
                    decimal(twice->top.value) + ", which older readers use; give one of them"};
}

std::optional<Lint> fraction_twice(const ConfigFile& file, const LayerSection& layer) {
    const auto twice = differing(file, layer, name_of(&Scaling::partial_rotary_factor));
    if (!twice) return std::nullopt;
    return Lint{"partial-rotary-factor-twice", Severity::error, twice->section.from,
                "is " + decimal(twice->section.value) + " but the top level's " +
                    decimal(twice->top.value) + " overrides it; give one of them"};
}

std::optional<Lint> original_length_twice(const ConfigFile& file, const LayerSection& layer) {
    const auto twice = differing(file, layer, name_of(&Scaling::original_max_position_embeddings));
    if (!twice) return std::nullopt;
    return Lint{"original-length-twice", Severity::error, twice->section.from,
                "is " + decimal(twice->section.value) + " but the top level's " +
                    decimal(twice->top.value) + " overrides it; give one of them"};
}

std::optional<Lint> factor_without_type(const ConfigFile&, const LayerSection& layer) {
    const ConfigSection& rope = layer.rope;
    const std::string_view factor = name_of(&Scaling::factor);
    if (!rope.has(factor) || rope.has("rope_type") || rope.has("type")) return std::nullopt;
    return Lint{"factor-without-type", Severity::error, rope.origin(factor),
                "has no effect without a rope_type; add one, such as linear"};
}

// transformers 5 looks for truncate beside the layer types instead of inside.
std::optional<Lint> nested_truncate(const ConfigFile&, const LayerSection& layer) {
    ConfigSection rope = layer.rope;
    const auto type = rope.text({"rope_type", "type"});
    if (!layer.nested || !type || !uses(canonical_rope_type(type->value), &Scaling::truncate))
        return std::nullopt;
    const auto truncate = rope.boolean(name_of(&Scaling::truncate));
    if (!truncate || truncate->value) return std::nullopt;
    return Lint{
        "nested-truncate", Severity::warning, truncate->from,
        "is false, but transformers 5 reads it together with the layer types and uses true; "
        "put it there too"};
}

std::optional<Lint> rope_theta_missing(const ConfigFile& file, const LayerSection& layer) {
    const bool is_given = layer.rope.has("rope_theta") || file.model.has("rope_theta") ||
                          file.model.has("rotary_emb_base") || file.model.has("rope_ratio") ||
                          file.defaults.has("rope_theta");
    if (is_given || layer.local || !layer.rotates) return std::nullopt;
    const bool is_scaled = layer.rope.has("rope_type") || layer.rope.has("type");
    const ModelClass* known = find_model_class(file.model_type);
    return Lint{"rope-theta-missing",
                is_scaled || known != nullptr ? Severity::warning : Severity::note,
                file.model.origin("rope_theta"),
                known == nullptr
                    ? "is missing, so the base defaults to 10000; add the value used in training"
                    : "is missing, and the base that the class assumes is not known here, so 10000 "
                      "is assumed; add the value used in training"};
}

std::optional<Lint> unknown_model_type(const ConfigFile& file, const LayerSection&) {
    if (file.layout || find_model_class(file.model_type) != nullptr) return std::nullopt;
    if (file.model_type.empty())
        return Lint{"model-type-missing", Severity::warning, file.model.origin("model_type"),
                    "is missing, so keys that the file lacks took generic defaults; add it, or "
                    "give every key"};
    return Lint{"unknown-model-type", Severity::warning, file.model.origin("model_type"),
                "is '" + printable(file.model_type) +
                    "', a class that is not known here, so keys that the file lacks took generic "
                    "defaults; check base, rotary width and layout against the model's code"};
}

// llama.cpp has one list of factors for any length, rope_freqs.weight, and no key for the length.
bool has_one_list(const ConfigFile& file, ConfigSection rope) {
    const auto few = rope.reals(name_of(&Scaling::short_factor)),
               many = rope.reals(name_of(&Scaling::long_factor));
    return file.is_gguf && few && many && few->value == many->value;
}

std::optional<Lint> original_length_missing(const ConfigFile& file, const LayerSection& layer) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    const std::string_view key = name_of(member);
    ConfigSection rope = layer.rope;
    const auto type = rope.text({"rope_type", "type"});
    const bool is_given = rope.has(key) || (file.model.has(key) && !layer.nested);
    if (!type || !uses(canonical_rope_type(type->value), member) || is_given) return std::nullopt;
    if (has_one_list(file, layer.rope)) return std::nullopt;
    return Lint{"original-length-missing", Severity::warning, rope.origin(key),
                "is missing, so max_position_embeddings is used as the original length, as by "
                "transformers 5; add it"};
}

std::optional<Lint> ntk_is_two_things(const ConfigFile& file, const LayerSection& layer) {
    if (file.has_trait("ntk_is_mixed")) return std::nullopt;
    ConfigSection rope = layer.rope;
    const auto type = rope.text({"rope_type", "type"});
    if (!type || type->value != "ntk") return std::nullopt;
    return Lint{"ntk-is-two-things", Severity::note, type->from,
                "is the NTK-aware base here; vLLM's ntk is another formula, which slows even the "
                "first pair"};
}

// A vision_config beside the language model, or beside the section that holds it.
std::optional<Lint> vision_tower(const ConfigFile& file, const LayerSection&) {
    if (!file.tower) return std::nullopt;
    const std::string where = file.name + ": " + file.tower->path;
    if (find_class(file.tower->model_type, ModelClass::Is::other) != nullptr) return std::nullopt;
    const ModelClass* known = find_class(file.tower->model_type, ModelClass::Is::tower);
    return Lint{"vision-tower", Severity::note, where,
                known == nullptr ? "is not covered; whether and how it rotates is not known here"
                                 : "rotates image patches by its own plan, which is not covered: " +
                                       std::string(known->form) +
                                       (known->flags.empty() ? ""
                                                             : "; check it with --dim HEAD_DIM " +
                                                                   std::string(known->flags))};
}

// Of CSM's decoder of codebooks, Qwen2.5-Omni's talker, …
std::optional<Lint> other_models(const ConfigFile& file, const LayerSection&) {
    if (file.other_models.empty()) return std::nullopt;
    return Lint{"other-models", Severity::note, file.name + ": " + join(file.other_models),
                "a separate model that rotates, which is not checked here; give the section as a "
                "separate config"};
}

// Qwen-7B's base steps with multiples of seq_length.
std::optional<Lint> length_of_steps(const ConfigFile& file, const LayerSection&) {
    ConfigSection model = file.model;
    const auto steps = model.boolean("use_dynamic_ntk");
    if (!file.has_trait("base_steps_with_length") || !steps || !steps->value ||
        !model.has("seq_length") || !model.has("max_position_embeddings"))
        return std::nullopt;
    return Lint{"length-of-steps", Severity::note, model.origin("max_position_embeddings"),
                "does not set the steps of the base; seq_length does"};
}

// A key that is read, and asks for nothing.
Lint idle(std::string id, std::string from) {
    return {std::move(id), Severity::note, std::move(from),
            "is off, as without it; q keeps its length"};
}

std::optional<Lint> log_n_scaling(const ConfigFile& file, const LayerSection&) {
    ConfigSection model = file.model;
    const auto scales = model.boolean("use_logn_attn");
    if (!file.has_trait("base_steps_with_length") || !scales) return std::nullopt;
    if (!scales->value) return idle("log-n-scaling", scales->from);
    return Lint{
        "log-n-scaling", Severity::note, scales->from,
        "multiplies q, not cos and sin, at position m by the logarithm of m + 1 to the "
        "base seq_length where that exceeds 1; at longer positions check k, or q before that"};
}

// modeling_ministral3.py, get_llama_4_attn_scale
std::optional<Lint> attention_temperature(const ConfigFile&, const LayerSection& layer) {
    ConfigSection rope = layer.rope;
    const auto beta = rope.real({"llama_4_scaling_beta"});
    if (!beta) return std::nullopt;
    if (beta->value == 0) return idle("attention-temperature", beta->from);
    return Lint{"attention-temperature", Severity::note, beta->from,
                "multiplies q, not cos and sin, by 1 + " + decimal(beta->value) +
                    "·ln(1 + ⌊m/original_max_position_embeddings⌋); beyond that length check k, "
                    "or q before that"};
}

// exaone4/configuration_exaone4.py Exaone4Config takes i + 1 modulo it.
std::optional<Lint> pattern_of_letters(const ConfigFile& file, const LayerSection&) {
    constexpr std::string_view key = "sliding_window_pattern";
    if (!file.model.holds_text(key) || file.model.has("layer_types")) return std::nullopt;
    return Lint{
        "pattern-of-letters", Severity::warning, file.model.origin(key),
        "is a string of letters, which transformers refuses without layer_types; add layer_types"};
}

// moonshine/modeling_moonshine.py MoonshineAttention
std::optional<Lint> padded_heads(const ConfigFile& file, const LayerSection&) {
    ConfigSection model = file.model;
    const auto multiple = model.whole({"pad_head_dim_to_multiple_of"}, 1, max_head_dim);
    if (!multiple || !file.has_trait("encoder_and_decoder_heads")) return std::nullopt;
    return Lint{"padded-heads", Severity::note, multiple->from,
                "pads heads with zeros after the rotation, to a multiple of " +
                    decimal(multiple->value) + "; head_dim does not count them"};
}

// vllm-project/vllm#41185
std::optional<Lint> fraction_of_linear_layers(const ConfigFile& file, const LayerSection&) {
    const std::string_view name = name_of(&Scaling::partial_rotary_factor);
    if (!file.has_trait("fraction_of_linear_layers") || !file.model.has("qk_rope_head_dim") ||
        !file.model.has(name))
        return std::nullopt;
    return Lint{
        "fraction-of-linear-layers", Severity::note, file.model.origin(name),
        "is for linear-attention layers, of head_dim dimensions; the others, which are checked, "
        "rotate all of qk_rope_head_dim"};
}

// huggingface/transformers#48241
std::optional<Lint> unread_rotary_dim(const ConfigFile& file, const LayerSection&) {
    if (!file.has_trait("rotary_dim_unread") || !file.model.has("rotary_dim") ||
        file.model.has(name_of(&Scaling::partial_rotary_factor)))
        return std::nullopt;
    return Lint{"rotary-dim-unread", Severity::warning, file.model.origin("rotary_dim"),
                "is not read by transformers 5.0 to 5.16, which rotate the whole head; add "
                "partial_rotary_factor, rotary_dim/head_dim"};
}

}  // namespace

std::span<const KeyRule> key_rules() {
    static constexpr KeyRule rules[] = {two_sections,
                                        type_twice,
                                        factor_without_type,
                                        theta_twice,
                                        rope_theta_missing,
                                        fraction_twice,
                                        original_length_twice,
                                        original_length_missing,
                                        nested_truncate,
                                        ntk_is_two_things,
                                        unknown_model_type,
                                        vision_tower,
                                        other_models,
                                        length_of_steps,
                                        log_n_scaling,
                                        attention_temperature,
                                        pattern_of_letters,
                                        padded_heads,
                                        fraction_of_linear_layers,
                                        unread_rotary_dim,
                                        unread_length,
                                        unread_base,
                                        long_context_base,
                                        top_base_of_mimo,
                                        fraction_of_mimo,
                                        pattern_of_mimo,
                                        unread_time_pairs,
                                        layer_list_length,
                                        uneven_heads};
    return rules;
}

}  // namespace rope::io
