#include "io/config/spec_draft.hpp"

#include <array>

#include "base/decimal.hpp"
#include "io/config/config_facts.hpp"
#include "io/config/model_classes.hpp"
#include "rope/frequency/frequency.hpp"

namespace rope::io {
namespace {

// Puts a value into the draft, if there is one, and notes its origin.
template <typename Field, typename T>
bool set(SpecDraft& draft, Field& field, std::string_view name,
         const std::optional<Found<T>>& found) {
    if (!found) return false;
    field = static_cast<Field>(found->value);
    draft.from[name] = found->from;
    return true;
}

// The file's own value, else the one that the model's class assumes.
template <typename Read>
auto own_or_assumed(ConfigFile& file, Read read) {
    auto found = read(file.model);
    return found ? found : read(file.defaults);
}

// The lanes that rotate are a tensor of their own, but DeepSeek-V4's are the last of the head.
std::string_view part_of_head(const ConfigFile& file) {
    return file.model_type == "deepseek_v4" ? "head_dim" : "qk_rope_head_dim";
}

// MoonshineConfig's attribute_map: num_attention_heads is the encoder's.
std::string_view heads_key(const ConfigFile& file) {
    return file.model_type == "moonshine" ? "encoder_num_attention_heads" : "num_attention_heads";
}

// head_dim, else hidden_size // num_attention_heads. DeepSeek rotates a part of its own size;
// Gemma 4's full_attention layers have larger heads; Zamba2's are of twice the hidden size,
// whatever its kv_channels and attention_head_dim say (Zamba2Config computes them).
void read_head_dim(SpecDraft& draft, ConfigFile& file, const LayerSection& layer) {
    if (layer.layers == "full_attention" &&
        set(draft, draft.spec.head_dim, "head_dim", own_or_assumed(file, [](ConfigSection& s) {
                return s.whole({"global_head_dim"}, 2, max_head_dim);
            })))
        return;
    const auto multiple = file.defaults.whole({"hidden_multiple"}, 1, 16);
    if (!multiple &&
        set(draft, draft.spec.head_dim, "head_dim", own_or_assumed(file, [&](ConfigSection& s) {
                return s.whole({part_of_head(file), "head_dim", "kv_channels"}, 2, max_head_dim);
            })))
        return;
    static constexpr std::uint64_t largest = std::uint64_t{1} << 32;
    const auto hidden = own_or_assumed(file, [](ConfigSection& s) {
        return s.whole({"hidden_size", "n_embd", "d_model"}, 1, largest);
    });
    const auto heads = own_or_assumed(file, [&](ConfigSection& s) {
        return s.whole({"num_attention_heads", "n_head", "n_heads", heads_key(file)}, 1, largest);
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

// Zamba2's use_long_context, where it is true.
std::optional<Found<bool>> long_context(ConfigFile& file) {
    if (!file.defaults.has("long_context")) return std::nullopt;
    const auto is_long = file.model.boolean("use_long_context");
    return is_long && is_long->value ? is_long : std::nullopt;
}

// A class may spell the length in its own way (length_key).
void read_length(SpecDraft& draft, ConfigFile& file) {
    std::uint64_t& length = draft.spec.max_position_embeddings;
    constexpr std::string_view name = "max_position_embeddings";
    if (const auto is_long = long_context(file)) {
        set(draft, length, name, file.defaults.whole({"long_context"}, 1, max_context));
        draft.from[name] = is_long->from;
        return;
    }
    const auto own = file.defaults.text({"length_key"});
    const std::string_view key = own ? std::string_view(own->value) : name;
    set(draft, length, name, own_or_assumed(file, [&](ConfigSection& s) {
            return s.whole({name, "n_positions", "seq_length", "max_sequence_length", key}, 1,
                           max_context);
        }));
}

// bailing_moe_linear.py of vLLM, BailingMoeV25MLAAttention (vllm-project/vllm#41185)
bool is_fraction_of_linear_layers(const ConfigFile& file) {
    return file.model_type == "bailing_hybrid" && file.model.has("qk_rope_head_dim");
}

// The top level's fraction overrides the section's. ChatGLM rotates half of each head unsaid.
void read_rotary_dim(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    auto& fraction = draft.rotary_fraction;
    const std::string_view name = name_of(&Scaling::partial_rotary_factor);
    fraction = layer.fraction;
    if (!fraction)
        fraction = file.model.real({name, "rotary_pct", "rope_pct", "rotary_emb_fraction"});
    if (!fraction) fraction = layer.rope.real({name});
    const auto lanes = [&](ConfigSection& s) {
        const bool is_last = part_of_head(file) == "head_dim";
        return s.whole({"rotary_dim", is_last ? "qk_rope_head_dim" : "rotary_dim"}, 2,
                       max_head_dim);
    };
    if (is_fraction_of_linear_layers(file)) fraction.reset();
    // GPT-J's null is the whole head
    const bool is_given = set(draft, draft.spec.rotary_dim, "rotary_dim", lanes(file.model)) ||
                          fraction || file.model.holds_null("rotary_dim");
    if (!is_given) set(draft, draft.spec.rotary_dim, "rotary_dim", lanes(file.defaults));
    if (!is_given) fraction = file.defaults.real({name});
    if (!fraction && file.model_type == "chatglm" && !draft.is_two_dimensional)
        fraction = Found<double>{0.5, file.model.origin("model_type") + " chatglm, 0.5"};
}

// As Step-3.5 has, whose class reads it (config_layers.cpp).
bool is_list_of_bases(const ConfigFile& file, const GivenByFlags& given) {
    if (!file.model.holds_list("rope_theta")) return false;
    if (given.base) return true;
    throw InputError(file.model.origin("rope_theta") +
                     " is a list, a base for each layer, which is not read; give the base of the "
                     "layer to judge with --base, and which it is with --layers");
}

void read_rope_theta(SpecDraft& draft, ConfigFile& file, LayerSection& layer,
                     const GivenByFlags& given) {
    double& base = draft.spec.rope_theta;
    if (set(draft, base, "rope_theta", layer.base)) {
        layer.rope.mark_read({"rope_theta"});  // which the list overrules
        return;
    }
    if (set(draft, base, "rope_theta", layer.rope.real({"rope_theta"}))) return;
    const auto top = [&](ConfigSection& section) {
        return layer.local ? section.real({"rope_local_base_freq", "local_rope_theta"})
                           : section.real({"rope_theta", "rotary_emb_base", "rotary_embedding_base",
                                           "global_rope_theta", "rope_embedding_base"});
    };
    if (is_list_of_bases(file, given)) {
        file.model.mark_read({"rope_theta"});
        return;
    }
    if (const auto key = file.defaults.text({"base_key"});  // LFM2's theta
        key && set(draft, base, "rope_theta", file.model.real({key->value})))
        return;
    if (set(draft, base, "rope_theta", top(file.model))) return;
    if (set(draft, base, "rope_theta", file.attention.real({"rope_theta"}))) return;
    // ChatGLM: base = 10000 · rope_ratio
    if (set(draft, base, "rope_theta", file.model.real({"rope_ratio"}))) base *= 10000;
    if (draft.from.contains("rope_theta")) return;
    if (set(draft, base, "rope_theta", file.defaults.real({default_theta}))) return;
    set(draft, base, "rope_theta", top(file.defaults));
}

// transformers looks null up among its rope types, and stops.
void refuse_null_type(const ConfigSection& rope) {
    if (rope.has("rope_type") || rope.has("type")) return;
    for (const std::string_view key : {"rope_type", "type"})
        if (rope.holds_null(key))
            throw InputError(rope.origin(key), "null",
                             "a rope type such as linear; without the key it is default");
}

// phi3/configuration_phi3.py and phi4_multimodal/configuration_phi4_multimodal.py,
// convert_rope_params_to_dict: "su" and "yarn" of earlier files are longrope.
bool calls_longrope_yarn(std::string_view model_type) {
    return model_type == "phi3" || model_type == "phi4_multimodal";
}

// HunYuan's dynamic with alpha, and its xdrope, is the static NTK base, b·alpha^(d/(d−2));
// longchat's rope_condense_ratio is linear; Qwen-7B's use_dynamic_ntk steps with the length, and
// seq_length is the length that it was trained for; Zamba2's use_long_context is an NTK base.
void read_rope_type(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    if (layer.plain) return;
    std::string& type = draft.spec.scaling.rope_type;
    const auto own = layer.rope.text({"rope_type", "type"});
    if (own) draft.from["rope_type"] = own->from;
    if (own) type = canonical_rope_type(own->value);
    if (const auto older = layer.rope.text({"type"}); older && older->value != own->value)
        file.passed_over.push_back(layer.rope.path_to("type"));
    if (type == "yarn" && calls_longrope_yarn(file.model_type)) type = "longrope";
    if ((type == "dynamic" || type == "xdrope") && layer.rope.has("alpha")) {
        type = "ntk";
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor),
            layer.rope.real({"alpha"}));
    }
    if (own || layer.local) return;
    if (const auto is_long = long_context(file)) {
        type = "ntk";
        draft.from["rope_type"] = is_long->from;
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor),
            file.defaults.real({"long_context_factor"}));
        draft.from[name_of(&Scaling::factor)] = is_long->from;
        return;
    }
    if (file.model_type == "qwen") {
        const auto steps = file.model.boolean("use_dynamic_ntk");
        if (!steps || !steps->value) return;
        type = "qwen_ntk";
        draft.from["rope_type"] = steps->from;
        set(draft, draft.spec.max_position_embeddings, "max_position_embeddings",
            file.model.whole({"seq_length"}, 1, max_context));
        return;
    }
    const auto ratio = file.model.real({"rope_condense_ratio"});
    if (!ratio || ratio->value == 1) return;
    type = "linear";
    draft.from["rope_type"] = ratio->from;
    set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor), ratio);
}

// PhiMoE's class alone looks at the attention factors of longrope's lists, and who names no class
// means what the keys say.
bool is_read_by_class(const ConfigFile& file, const ScalingField& field) {
    const bool is_of_a_list = field.member == ScalingMember(&Scaling::short_mscale) ||
                              field.member == ScalingMember(&Scaling::long_mscale);
    return !is_of_a_list || file.model_type == "phimoe" || file.model_type.empty();
}

// The keys that the rope_type uses; the others stay unread.
void read_scaling(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    struct Reader {
        SpecDraft& draft;
        ConfigFile& file;
        LayerSection& layer;
        const ScalingField& field;
        std::string_view name = field.name;

        void operator()(std::optional<double> Scaling::* member) const {
            set(draft, draft.spec.scaling.*member, name, layer.rope.real({name}));
        }
        void operator()(std::optional<bool> Scaling::* member) const {
            set(draft, draft.spec.scaling.*member, name, layer.rope.boolean(name));
        }
        void operator()(std::vector<double> Scaling::* member) const {
            set(draft, draft.spec.scaling.*member, name, layer.rope.reals(name));
        }
        // the top level's overrides the section's, except where there is one per layer type
        void operator()(std::optional<std::uint64_t> Scaling::* member) const {
            ConfigSection& section =
                file.model.has(name) && !layer.nested ? file.model : layer.rope;
            set(draft, draft.spec.scaling.*member, name,
                section.whole({name}, static_cast<std::uint64_t>(field.range.least),
                              static_cast<std::uint64_t>(field.range.most)));
        }
    };
    for (const ScalingField& field : scaling_fields())
        if (uses(draft.spec.scaling.rope_type, field.member) && is_read_by_class(file, field) &&
            !draft.from.contains(field.name) &&
            field.member != ScalingMember(&Scaling::partial_rotary_factor))
            std::visit(Reader{draft, file, layer, field}, field.member);
    draft.has_null_factor = layer.rope.holds_null(name_of(&Scaling::factor));
}

// DeepseekV4Config: its own code multiplies cos and sin by nothing.
void assume_no_attention_factor(SpecDraft& draft, const ConfigFile& file,
                                const LayerSection& layer) {
    auto& attention_factor = draft.spec.scaling.attention_factor;
    if (file.model_type != "deepseek_v4" || draft.spec.scaling.rope_type != "yarn" ||
        layer.nested || attention_factor)
        return;
    attention_factor = 1;
    draft.from[name_of(&Scaling::attention_factor)] =
        file.model.origin("model_type") + " deepseek_v4";
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
    const ModelClass* known = find_model_class(file.model_type);
    for (const LayoutKey& key : layout_keys) {
        if (known != nullptr && !file.defaults.has(key.name)) continue;
        const auto found = file.model.boolean(key.name);
        if (!found) continue;
        layout = found->value ? key.layout : PairLayout::half_split;
        draft.from["layout"] = found->from;
        return;
    }
    if (known == nullptr || known->layout == layout) return;
    layout = known->layout;
    draft.from["layout"] = file.model.origin("model_type") + " " + file.model_type;
}

// The lanes that form pairs. Configs have no key for where they begin or for the direction.
void read_lanes(SpecDraft& draft, ConfigFile& file) {
    read_layout(draft, file);
    set(draft, draft.spec.rotary_offset, "rotary_offset",
        file.defaults.whole({"rotary_offset"}, 0, max_head_dim));
    if (const auto direction = file.defaults.text({"direction"})) {
        draft.spec.direction = parse_direction(direction->value);
        draft.from["direction"] = direction->from;
    }
}

// HunYuan's xdrope_section has positions, widths, heights and images; ERNIE-4.5-VL's class knows
// its own order of the axes.
void read_axes(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    if (const auto scheme = file.defaults.text({"axes"})) {
        draft.spec.axes.scheme = parse_axis_scheme(scheme->value);
        draft.from["axes"] = scheme->from;
    }
    const char* key = layer.rope.has("xdrope_section") ? "xdrope_section" : "mrope_section";
    if (!set(draft, draft.mrope_section, "mrope_section", layer.rope.wholes(key)))
        set(draft, draft.mrope_section, "mrope_section", file.defaults.wholes("mrope_section"));
    set(draft, draft.mrope_interleaved, "mrope_interleaved",
        layer.rope.boolean("mrope_interleaved"));
}

}  // namespace

std::string canonical_rope_type(std::string_view rope_type) {
    if (rope_type == "su") return "longrope";
    if (rope_type == "deepseek_yarn") return "yarn";
    if (rope_type == "mrope" || rope_type == "no_scaling") return "default";
    return std::string(rope_type);
}

SpecDraft draft_from_config(ConfigFile& file, LayerSection& layer, const GivenByFlags& given) {
    SpecDraft draft{.layers = layer.layers,
                    .rotates = layer.rotates,
                    .numbers = layer.numbers,
                    .rope_path = layer.rope.origin("")};
    if (!layer.rotates) return draft;
    read_head_dim(draft, file, layer);
    read_position_encoding(draft, file);
    read_rotary_dim(draft, file, layer);
    read_lanes(draft, file);
    read_length(draft, file);
    read_rope_theta(draft, file, layer, given);
    if (!given.rope_type && !layer.plain) refuse_null_type(layer.rope);
    read_rope_type(draft, file, layer);
    if (given.rope_type) {
        draft.spec.scaling = {};
        draft.spec.scaling.rope_type = *given.rope_type;
        draft.from.erase(name_of(&Scaling::factor));
    }
    read_scaling(draft, file, layer);
    assume_no_attention_factor(draft, file, layer);
    read_axes(draft, file, layer);
    draft.facts = config_facts(file, layer);
    return draft;
}

}  // namespace rope::io
