#include <array>

#include "base/decimal.hpp"
#include "io/config/model_classes.hpp"
#include "io/draft/spec_draft.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

bool has_last_lanes(const ConfigFile& file) { return file.has_trait("rotates_last_lanes"); }

// The lanes that rotate are a tensor of their own, but DeepSeek-V4's are the last of the head, and
// those of a DeepSeek without latent attention the whole head.
std::string_view part_of_head(const ConfigFile& file) {
    return file.has_trait("whole_head") ? "head_dim" : "qk_rope_head_dim";
}

// head_dim, else hidden_size // num_attention_heads. DeepSeek rotates a part of its own size;
// Gemma 4's full_attention layers have larger heads; Zamba2's are of twice the hidden size,
// whatever its kv_channels and attention_head_dim say (Zamba2Config computes them).
void read_head_dim(SpecDraft& draft, ConfigFile& file, const LayerSection& layer) {
    if (set(draft, draft.spec.head_dim, "head_dim", layer.head_dim)) return;
    if (layer.layers == "full_attention" &&
        set(draft, draft.spec.head_dim, "head_dim", own_or_assumed(file, [](ConfigSection& s) {
                return s.whole({"global_head_dim"}, 2, max_head_dim);
            })))
        return;
    const auto own_key = file.defaults.text({"head_dim_key"});
    const std::string_view key = own_key ? std::string_view(own_key->value) : "head_dim";
    const auto multiple = file.defaults.whole({"hidden_multiple"}, 1, 16);
    const auto own_heads = file.defaults.text({"heads_key"});
    const std::string_view heads_key =
        own_heads ? std::string_view(own_heads->value) : "num_attention_heads";
    if (!multiple &&
        set(draft, draft.spec.head_dim, "head_dim", own_or_assumed(file, [&](ConfigSection& s) {
                return s.whole({part_of_head(file), "head_dim", key, "kv_channels"}, 2,
                               max_head_dim);
            })))
        return;
    static constexpr std::uint64_t largest = std::uint64_t{1} << 32;
    const auto own_hidden = file.defaults.text({"hidden_key"});
    const std::string_view hidden_key =
        own_hidden ? std::string_view(own_hidden->value) : "hidden_size";
    const auto hidden = own_or_assumed(file, [&](ConfigSection& s) {
        return s.whole({"hidden_size", "n_embd", "d_model", hidden_key}, 1, largest);
    });
    const auto heads = own_or_assumed(file, [&](ConfigSection& s) {
        return s.whole({"num_attention_heads", "n_head", "n_heads", heads_key}, 1, largest);
    });
    if (!hidden || !heads) return;
    // an own key by its name alone, beside the file's
    const bool is_own = heads->from.starts_with(file.model.file());
    const std::string divisor = heads->from.substr(is_own ? heads->from.rfind(' ') + 1 : 0);
    const std::uint64_t head_dim = (multiple ? multiple->value : 1) * hidden->value / heads->value;
    const std::string from =
        (multiple ? decimal(multiple->value) + " · " : "") + hidden->from + " / " + divisor;
    if (head_dim > max_head_dim || head_dim < 2)
        throw InputError(from, decimal(head_dim),
                         "a whole number from 2 to " + decimal(max_head_dim));
    set(draft, draft.spec.head_dim, "head_dim",
        std::optional(Found<std::uint64_t>{head_dim, from}));
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
    if (!fraction)
        fraction = file.model.real({name, "rotary_pct", "rope_pct", "rotary_emb_fraction"});
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

// A boolean that chooses the layout.
struct LayoutKey {
    std::string_view name;
    PairLayout layout;  // where it is true; half_split where it is false
};
constexpr std::array layout_keys{
    LayoutKey{"rope_interleave", PairLayout::interleaved_to_half_split},
    LayoutKey{"rotary_emb_interleaved", PairLayout::interleaved},
    LayoutKey{"rope_interleaved", PairLayout::interleaved},
    LayoutKey{"interleaved", PairLayout::interleaved},
};

// A GGUF's architecture, a key of the config if the class reads it, the class.
void read_layout(SpecDraft& draft, ConfigFile& file) {
    PairLayout& layout = draft.spec.layout;
    if (set(draft, layout, "layout", file.layout) || draft.is_two_dimensional) return;
    for (const LayoutKey& key : layout_keys) {
        const auto found = file.model.boolean(key.name);
        if (!found) continue;
        layout = found->value ? key.layout : PairLayout::half_split;
        draft.from["layout"] = found->from;
        return;
    }
    const ModelClass* known = find_model_class(file.model_type);
    if (known == nullptr) return;
    layout = known->layout;
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
