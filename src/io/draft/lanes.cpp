#include "base/decimal.hpp"
#include "io/config/model_classes.hpp"
#include "io/draft/spec_draft.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

bool has_last_lanes(const ConfigFile& file) { return file.has_trait("rotates_last_lanes"); }

// Most classes with qk_rope_head_dim have a tensor of the dimensions that rotate. Gemma 4's
// full_attention layers have larger heads; Zamba2's are of twice the hidden size, whatever its
// kv_channels and attention_head_dim say (Zamba2Config computes them).
void read_head_dim(SpecDraft& draft, ConfigFile& file, const LayerSection& layer) {
    std::uint32_t& head_dim = draft.spec.head_dim;
    const auto width = [&](const Keys& keys) {
        return set(draft, head_dim, "head_dim", own_or_assumed(file, [&](ConfigSection& s) {
                       return s.whole(keys, 2, max_head_dim);
                   }));
    };
    if (set(draft, head_dim, "head_dim", layer.head_dim)) return;
    if (layer.layers == "full_attention" && width(keys_for("full_head_dim"))) return;
    if (layer.layers == "sliding_attention" && width(keys_for("sliding_head_dim"))) return;
    const auto multiple = file.defaults.whole({"hidden_multiple"}, 1, 16);
    Keys keys = keys_for(file, "head_dim");
    if (!file.has_trait("whole_head")) keys.insert(keys.begin(), "qk_rope_head_dim");
    if (!multiple && width(keys)) return;
    static constexpr std::uint64_t largest = std::uint64_t{1} << 32;
    const auto size = [&](std::string_view means) {
        return own_or_assumed(
            file, [&](ConfigSection& s) { return s.whole(keys_for(file, means), 1, largest); });
    };
    const auto hidden = size("hidden"), heads = size("heads");
    if (!hidden || !heads) return;
    // an own key by its name alone, beside the file's
    const bool is_own = heads->from.starts_with(file.model.file());
    const std::string divisor = heads->from.substr(is_own ? heads->from.rfind(' ') + 1 : 0);
    const std::uint64_t quotient = (multiple ? multiple->value : 1) * hidden->value / heads->value;
    const std::string from =
        (multiple ? decimal(multiple->value) + " · " : "") + hidden->from + " / " + divisor;
    if (quotient > max_head_dim || quotient < 2)
        throw InputError(from, decimal(quotient),
                         "a whole number from 2 to " + decimal(max_head_dim));
    set(draft, head_dim, "head_dim", std::optional(Found<std::uint64_t>{quotient, from}));
}

// bailing_moe_linear.py of vLLM, BailingMoeV25MLAAttention (vllm-project/vllm#41185)
bool is_fraction_of_linear_layers(const ConfigFile& file) {
    return file.has_trait("fraction_of_linear_layers") && file.model.has("qk_rope_head_dim");
}

// mistral4/configuration_mistral4.py Mistral4Config: cos and sin are of int(head_dim · fraction)
// lanes, where head_dim has both parts of a head, and turn all of the rotary part.
void check_fraction_of_both_parts(SpecDraft& draft, ConfigFile& file) {
    auto& fraction = draft.rotary_fraction;
    if (!fraction || !file.has_trait("fraction_of_both_parts")) return;
    const auto other = own_or_assumed(
        file, [](ConfigSection& s) { return s.whole({"qk_nope_head_dim"}, 0, max_head_dim); });
    const std::uint64_t part = draft.spec.head_dim, all = part + (other ? other->value : 0);
    const auto lanes = static_cast<std::uint64_t>(static_cast<double>(all) * fraction->value);
    if (lanes != part)
        throw InputError(fraction->from + " of " + decimal(all) + " dimensions is " +
                         decimal(lanes) + ", but qk_rope_head_dim is " + decimal(part) +
                         "; keep one of them");
    fraction.reset();
}

// The top level's fraction overrides the section's.
void read_rotary_dim(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    auto& fraction = draft.rotary_fraction;
    const std::string_view name = name_of(&Scaling::partial_rotary_factor);
    fraction = layer.fraction;
    if (!fraction && file.has_trait("section_fraction_first")) fraction = layer.rope.real({name});
    if (!fraction) fraction = file.model.real(keys_for("fraction"));
    if (!fraction && !layer.plain) fraction = layer.rope.real({name});
    const auto lanes = [&](ConfigSection& s) {
        return s.whole({"rotary_dim", has_last_lanes(file) ? "qk_rope_head_dim" : "rotary_dim"}, 2,
                       max_head_dim);
    };
    if (is_fraction_of_linear_layers(file)) fraction.reset();
    // GPT-J's null is the whole head
    const auto own = lanes(file.model);
    const bool is_given = set(draft, draft.spec.rotary_dim, "rotary_dim",
                              layer.rotary_dim ? layer.rotary_dim : own) ||
                          fraction || file.model.holds_null("rotary_dim");
    if (!is_given) set(draft, draft.spec.rotary_dim, "rotary_dim", lanes(file.defaults));
    if (!is_given) fraction = file.defaults.real({name});
    check_fraction_of_both_parts(draft, file);
}

// ChatGLM-6B: two halves of a head, each with its own positions; its successors have one axis.
void read_position_encoding(SpecDraft& draft, ConfigFile& file) {
    const auto encoding = file.model.boolean("position_encoding_2d");
    if (!encoding || !encoding->value) return;
    draft.is_two_dimensional = true;
    draft.spec.axes.scheme = AxisScheme::halves;
    draft.from["axes"] = encoding->from;
}

// A GGUF's architecture, a key of the config if the class reads it, the class.
void read_layout(SpecDraft& draft, ConfigFile& file) {
    PairLayout& layout = draft.spec.layout;
    if (set(draft, layout, "layout", file.layout) || draft.is_two_dimensional) return;
    for (const ConfigKey& key : config_keys()) {
        const auto found = key.means == "layout" ? file.model.boolean(key.name) : std::nullopt;
        if (!found) continue;
        layout = found->value ? parse_pair_layout(key.value) : PairLayout::half_split;
        draft.from["layout"] = found->from;
        return;
    }
    if (file.known == nullptr) return;
    layout = file.known->layout;
    const bool is_diffusers = file.model.has("_class_name") && !file.model.has("model_type");
    draft.from["layout"] =
        file.model.origin(is_diffusers ? "_class_name" : "model_type") + " " + file.model_type;
}

// The lanes that form pairs. Configs have no key for where they begin or for the direction.
void read_pairs(SpecDraft& draft, ConfigFile& file) {
    read_layout(draft, file);
    set(draft, draft.spec.rotary_offset, "rotary_offset",
        file.defaults.whole({"rotary_offset"}, 0, max_head_dim));
    if (has_last_lanes(file))
        draft.last_lanes = file.model.origin("model_type") + " " + file.model_type;
    if (const auto direction = file.defaults.text({"direction"})) {
        draft.spec.direction = parse_direction(direction->value);
        draft.from["direction"] = direction->from;
    }
}

}  // namespace

void read_lanes(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    read_head_dim(draft, file, layer);
    read_position_encoding(draft, file);
    read_rotary_dim(draft, file, layer);
    read_pairs(draft, file);
}

}  // namespace rope::io
