// The keys of a config that a Spec is drafted from.
#include <numeric>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "io/model/models.hpp"
#include "rope/spec/frequency.hpp"

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

// --rope partial_rotary_factor sets the key that only proportional keeps.
void resolve_fraction(SpecDraft& draft) {
    const ScalingField& field = field_of(&Scaling::partial_rotary_factor);
    Spec& spec = draft.spec;
    std::optional<double>& key = spec.scaling.partial_rotary_factor;
    const bool is_proportional = spec.scaling.rope_type == "proportional";
    if (key) draft.rotary_fraction = Found<double>{*key, draft.from[field.name]};
    draft.from.erase(field.name);
    key.reset();
    auto& fraction = draft.rotary_fraction;
    if (fraction && !field.range.accepts(fraction->value))
        throw InputError(fraction->from, decimal(fraction->value), std::string(field.range.wanted));
    if (!is_proportional || !fraction) return;
    key = fraction->value;
    draft.from[field.name] = fraction->from;
    fraction.reset();
}

void resolve_rotary_dim(SpecDraft& draft) {
    Spec& spec = draft.spec;
    const bool is_given = draft.from.contains("rotary_dim");
    if (!draft.rotary_fraction) {
        if (is_given) return;
        spec.rotary_dim = spec.head_dim;
        draft.from["rotary_dim"] = origin_of(draft, "head_dim");
        return;
    }
    const auto& [fraction, from] = *draft.rotary_fraction;
    const auto dimensions = static_cast<std::uint32_t>(spec.head_dim * fraction);
    if (is_given && dimensions != spec.rotary_dim)
        throw InputError(draft.from["rotary_dim"] + " is " + decimal(spec.rotary_dim) + " but " +
                         from + " · head_dim is " + decimal(dimensions) + "; keep one of them");
    if (is_given) return;
    spec.rotary_dim = dimensions;
    draft.from["rotary_dim"] = from + " · head_dim";
}

void resolve_rotary_offset(SpecDraft& draft) {
    Spec& spec = draft.spec;
    if (!draft.last_dimensions || draft.from.contains("rotary_offset") ||
        spec.rotary_dim > spec.head_dim)
        return;
    spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    draft.from["rotary_offset"] = *draft.last_dimensions;
}

void resolve_lengths(SpecDraft& draft) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    const std::string_view name = name_of(member);
    Scaling& scaling = draft.spec.scaling;
    auto& original = scaling.*member;
    if (uses(scaling.rope_type, member) && !original) {
        original = draft.spec.max_position_embeddings;
        if (!draft.facts || !draft.facts->has("one_list"))
            draft.from[name] = origin_of(draft, "max_position_embeddings");
    }
    if (scaling.rope_type != "yarn" || !draft.has_null_factor || scaling.factor) return;
    scaling.factor =
        static_cast<double>(draft.spec.max_position_embeddings) / static_cast<double>(*original);
    draft.from[name_of(&Scaling::factor)] =
        origin_of(draft, "max_position_embeddings") + " / " + std::string(name);
}

// qwen3_vl/modeling_qwen3_vl.py apply_interleaved_mrope: height and width take every third pair, as
// far as there are pairs, and time the others.
void fit_sections(std::vector<std::uint64_t>& sections, std::uint64_t pairs) {
    std::vector<std::uint64_t> fitting(sections.size(), 0);
    const std::uint64_t axes = sections.size();
    for (std::uint64_t i = 0; i < pairs; ++i)
        ++fitting[i < axes * sections[i % axes] ? i % axes : 0];
    sections = std::move(fitting);
}

// M-RoPE's sections, contiguous or interleaved, unless --rope axes is given.
void resolve_axes(SpecDraft& draft) {
    if (draft.mrope_section.empty()) return;
    if (draft.mrope_assumed && draft.mrope_interleaved)
        fit_sections(draft.mrope_section, draft.spec.rotary_dim / 2);
    AxisMap& axes = draft.spec.axes;
    if (!draft.from.contains("axes")) {
        axes.scheme = draft.mrope_interleaved ? AxisScheme::interleaved : AxisScheme::sectioned;
        draft.from["axes"] =
            origin_of(draft, draft.mrope_interleaved ? "mrope_interleaved" : "mrope_section");
    }
    if (axes.sections.empty())
        axes.sections.assign(draft.mrope_section.begin(), draft.mrope_section.end());
}

// Most classes with qk_rope_head_dim have a tensor of only the dimensions that rotate. Gemma 4's
// full_attention layers have larger heads; Zamba2's are of twice the hidden size, whatever its
// kv_channels and attention_head_dim say (Zamba2Config computes them).
void read_head_dim(SpecDraft& draft, ConfigFile& file, const LayerSection& layer) {
    std::uint32_t& head_dim = draft.spec.head_dim;
    const auto width = [&](const Keys& keys) {
        return set(draft, head_dim, "head_dim", own_or_assumed(file, keys, 2, max_head_dim));
    };
    if (set(draft, head_dim, "head_dim", layer.head_dim)) return;
    if (layer.layers == "full_attention" && width(keys_for("full_head_dim"))) return;
    if (layer.layers == "sliding_attention" && width(keys_for("sliding_head_dim"))) return;
    const auto multiple = file.defaults.whole({"hidden_multiple"}, 1, 16);
    if (!multiple && !file.has_trait("whole_head") && width({"qk_rope_head_dim"})) return;
    if (!multiple && width(keys_for(file, "head_dim"))) return;
    static constexpr std::uint64_t largest = std::uint64_t{1} << 32;
    const auto size = [&](std::string_view means) {
        return own_or_assumed(file, keys_for(file, means), 1, largest);
    };
    const auto hidden = size("hidden"), heads = size("heads");
    if (!hidden || !heads) return;
    // a key of the file only by its name, after another of the file
    const bool is_own = heads->from.starts_with(file.model.file());
    const std::string divisor = heads->from.substr(is_own ? heads->from.rfind(": ") + 2 : 0);
    const std::uint64_t quotient = (multiple ? multiple->value : 1) * hidden->value / heads->value;
    const std::string from =
        (multiple ? decimal(multiple->value) + " · " : "") + hidden->from + " / " + divisor;
    if (quotient > max_head_dim || quotient < 2)
        throw InputError(from, decimal(quotient),
                         "a whole number from 2 to " + decimal(max_head_dim));
    set(draft, head_dim, "head_dim", std::optional(Found<std::uint64_t>{quotient, from}));
}

// mistral4/configuration_mistral4.py Mistral4Config: cos and sin have int(head_dim · fraction)
// dimensions, where head_dim has both parts of a head, and rotate all of the rotary part.
void check_fraction_of_both_parts(SpecDraft& draft, ConfigFile& file) {
    auto& fraction = draft.rotary_fraction;
    if (!fraction || !file.has_trait("fraction_of_both_parts")) return;
    const auto other = own_or_assumed(file, {"qk_nope_head_dim"}, 0, max_head_dim);
    const std::uint64_t part = draft.spec.head_dim, all = part + (other ? other->value : 0);
    const auto dimensions = static_cast<std::uint64_t>(static_cast<double>(all) * fraction->value);
    if (dimensions != part)
        throw InputError(fraction->from + " of " + decimal(all) + " dimensions is " +
                         decimal(dimensions) + ", but qk_rope_head_dim is " + decimal(part) +
                         "; keep one of them");
    fraction.reset();
}

// Whether the class's fraction counts before the section's: the functions that scale standardize
// the parameters a second time, when the class has its attribute (modeling_rope_utils.py
// standardize_rope_params).
bool class_fraction_counts(const ConfigFile& file, LayerSection layer) {
    if (layer.plain || !file.has_trait("class_fraction_first")) return false;
    const auto type = layer.rope.text({"rope_type", "type"});
    return type && file.rope_type(type->value) != "default";
}

// The top level's fraction overrides the section's.
void read_rotary_dim(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    auto& fraction = draft.rotary_fraction;
    const std::string_view name = name_of(&Scaling::partial_rotary_factor);
    fraction = layer.fraction;
    if (!fraction && file.has_trait("section_fraction_first")) fraction = layer.rope.real({name});
    if (!fraction) fraction = file.model.real(keys_for(file, "fraction"));
    if (!fraction && class_fraction_counts(file, layer)) fraction = file.defaults.real({name});
    if (!fraction && !layer.plain) fraction = layer.rope.real({name});
    // bailing_moe_linear.py of vLLM, BailingMoeV25MLAAttention (vllm-project/vllm#41185)
    if (file.has_trait("fraction_of_linear_layers")) fraction.reset();
    Keys keys{"rotary_dim"};
    if (file.has_trait("rotates_last_dimensions")) keys.push_back("qk_rope_head_dim");
    const auto dimensions = [&](ConfigSection& s) { return s.whole(keys, 2, max_head_dim); };
    const auto own = dimensions(file.model);
    const bool is_given = set(draft, draft.spec.rotary_dim, "rotary_dim",
                              layer.rotary_dim ? layer.rotary_dim : own) ||
                          fraction;
    if (!is_given) set(draft, draft.spec.rotary_dim, "rotary_dim", dimensions(file.defaults));
    if (!is_given) fraction = file.defaults.real({name});
    check_fraction_of_both_parts(draft, file);
}

// ChatGLM-6B: two halves of a head with separate positions; its successors have one axis.
void read_position_encoding(SpecDraft& draft, ConfigFile& file) {
    const auto encoding = file.model.boolean("position_encoding_2d");
    if (!encoding || !encoding->value) return;
    draft.spec.axes.scheme = AxisScheme::halves;
    draft.from["axes"] = encoding->from;
}

// The layout follows from a GGUF's architecture, from a key that the class reads, or from the
// class.
void read_layout(SpecDraft& draft, ConfigFile& file) {
    PairLayout& layout = draft.spec.layout;
    const bool has_halves = draft.spec.axes.scheme == AxisScheme::halves;
    if (set(draft, layout, "layout", file.layout) || has_halves) return;
    for (const ConfigKey& key : config_keys()) {
        if (key.means != "layout") continue;
        auto found = file.model.boolean(key.name);
        if (file.has_trait("null_interleave_is_false") && file.model.holds_null(key.name))
            found = {false, file.model.origin(key.name)};
        if (!found) continue;
        layout = found->value ? parse_pair_layout(key.value) : PairLayout::half_split;
        draft.from["layout"] = found->from;
        return;
    }
    if (file.known == nullptr) return;
    layout = file.known->layout;
    draft.from["layout"] = file.origin_of_class();
}

// Configs have no key for the first dimension that rotates, or for the direction.
void read_pairs(SpecDraft& draft, ConfigFile& file) {
    read_layout(draft, file);
    set(draft, draft.spec.rotary_offset, "rotary_offset",
        file.defaults.whole({"rotary_offset"}, 0, max_head_dim));
    if (file.has_trait("rotates_last_dimensions")) draft.last_dimensions = file.origin_of_class();
    if (const auto direction = file.defaults.text({"direction"})) {
        draft.spec.direction = parse_direction(direction->value);
        draft.from["direction"] = direction->from;
    }
}

// Returns Zamba2's use_long_context if it is true.
std::optional<Found<bool>> long_context(ConfigFile& file) {
    if (!file.defaults.has("long_context")) return std::nullopt;
    const auto is_long = file.model.boolean("use_long_context");
    return is_long && is_long->value ? is_long : std::nullopt;
}

void read_length(SpecDraft& draft, ConfigFile& file) {
    std::uint64_t& length = draft.spec.max_position_embeddings;
    constexpr std::string_view name = "max_position_embeddings";
    if (const auto is_long = long_context(file)) {
        set(draft, length, name, file.defaults.whole({"long_context"}, 1, max_context));
        draft.from[name] = is_long->from;
        return;
    }
    set(draft, length, name, own_or_assumed(file, keys_for(file, "length"), 1, max_context));
}

using Dimensions = std::optional<Found<std::vector<std::uint64_t>>>;

// Height and width have so many parts of the head each, time has the rest: Wan's 2/6, CogVideoX's
// 3/8.
Dimensions dimensions_of_parts(const SpecDraft& draft, const std::vector<std::uint64_t>& parts) {
    const std::uint64_t head = draft.spec.head_dim, side = head / parts.at(1) * parts.at(0);
    const std::string from = origin_of(draft, "head_dim");
    if (head % 2 != 0) throw InputError(from, decimal(head), "an even number of dimensions");
    return Found<std::vector<std::uint64_t>>{{head - 2 * side, side, side}, from};
}

// diffusers' dimensions of each axis, two a pair.
void read_axes_dims(SpecDraft& draft, ConfigFile& file) {
    Dimensions dims = file.defaults.wholes("axes_dims");
    if (const auto own = file.model.wholes(file.named_key("axes_dims_key"))) dims = own;
    const auto pairs = file.model.whole({file.named_key("axis_pairs_key")}, 1, max_head_dim);
    if (pairs && dims) dims = Found{std::vector(dims->value.size(), 2 * pairs->value), pairs->from};
    if (const auto parts = file.defaults.wholes("axes_dims_parts"))
        dims = dimensions_of_parts(draft, parts->value);
    if (!dims) return;
    const std::uint64_t sum = std::accumulate(dims->value.begin(), dims->value.end(), 0ULL);
    if (file.defaults.has("head_is_sum_of_axes"))
        set(draft, draft.spec.head_dim, "head_dim", std::optional(Found{sum, dims->from}));
    if (file.defaults.has("axes_may_be_fewer") && sum < draft.spec.head_dim)
        set(draft, draft.spec.rotary_dim, "rotary_dim", std::optional(Found{sum, dims->from}));
    for (std::uint64_t& dimensions : dims->value) {
        if (dimensions % 2 != 0)
            throw InputError(dims->from, decimal(dimensions),
                             "an even number of dimensions for each axis");
        dimensions /= 2;
    }
    set(draft, draft.mrope_section, "mrope_section", dims);
}

// ERNIE-4.5-VL: freq_allocation pairs follow time, height and width share the rest; vLLM
// models/ernie45_vl_moe.py Ernie4_5_VLMoeAttention, and PaddlePaddle's RopeEmbedding.
bool read_time_pairs(SpecDraft& draft, ConfigFile& file) {
    const std::string key = file.named_key("time_pairs_key");
    if (key.empty()) return false;
    ConfigSection model = file.model;  // a copy: rope_3d false has another meaning here
    if (const auto is_3d = model.boolean("rope_3d"); is_3d && is_3d->value)
        file.model.mark_read({"rope_3d"});
    const std::uint64_t pairs = draft.spec.head_dim / 2;
    const auto time = file.model.whole({key}, 0, pairs);
    if (!time) return false;
    const std::uint64_t each = (pairs - time->value) / 2;
    draft.mrope_section = {each, each, time->value};
    draft.from["mrope_section"] = time->from;
    return true;
}

// Qwen3-VL's and Qwen3.5's classes always interleave (modeling_qwen3_vl.py,
// apply_interleaved_mrope); for other classes a key decides, which Qwen3-TTS calls interleaved.
void read_interleaving(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    constexpr std::string_view name = "mrope_interleaved";
    auto own = layer.rope.boolean(name);
    const bool has_sections = layer.rope.has("mrope_section");
    const auto older = has_sections ? layer.rope.boolean("interleaved") : std::nullopt;
    if (!own) own = older;
    const bool is_given = own && own->value;
    const auto of_class = file.defaults.boolean(name);
    set(draft, draft.mrope_interleaved, name,
        of_class && !draft.mrope_section.empty() && !is_given ? of_class : own);
}

// HunYuan's xdrope_section has positions, widths, heights and images; ERNIE-4.5-VL's class has
// another order of the axes.
void read_axes(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    if (const auto scheme = file.defaults.text({"axes"})) {
        draft.spec.axes.scheme = parse_axis_scheme(scheme->value);
        draft.from["axes"] = scheme->from;
    }
    if (read_time_pairs(draft, file)) return;
    const char* key = layer.rope.has("xdrope_section") ? "xdrope_section" : "mrope_section";
    auto sections = layer.rope.wholes(key);
    if (const auto own = file.model.wholes(file.named_key("sections_key"))) sections = own;
    const auto assumed = file.defaults.wholes("mrope_section");
    draft.mrope_assumed = assumed && (!sections || sections->value == assumed->value);
    set(draft, draft.mrope_section, "mrope_section", sections ? sections : assumed);
    read_axes_dims(draft, file);
    read_interleaving(draft, file, layer);
}

// Step-3.5 has a list of bases, and its class reads it (config_layers.cpp).
bool is_list_of_bases(const ConfigFile& file, bool is_given) {
    if (!file.model.holds_list("rope_theta")) return false;
    if (is_given) return true;
    throw InputError(file.model.origin("rope_theta") +
                     " is a list, a base for each layer, which is not read; give the base of the "
                     "layer to check with --base, and which it is with --layers");
}

void read_rope_theta(SpecDraft& draft, ConfigFile& file, LayerSection& layer, bool is_given) {
    double& base = draft.spec.rope_theta;
    if (set(draft, base, "rope_theta", layer.base)) {
        layer.rope.mark_read({"rope_theta"});  // which the list overrules
        return;
    }
    if (set(draft, base, "rope_theta", layer.rope.real({"rope_theta"}))) return;
    const Keys keys = keys_for(file, layer.local ? "sliding_base" : "base");
    if (is_list_of_bases(file, is_given)) {
        file.model.mark_read({"rope_theta"});
        return;
    }
    if (set(draft, base, "rope_theta", file.model.real(keys))) return;
    if (set(draft, base, "rope_theta", file.attention.real({"rope_theta"}))) return;
    // ChatGLM: base = 10000 · rope_ratio
    if (set(draft, base, "rope_theta", file.model.real({"rope_ratio"}))) base *= 10000;
    if (draft.from.contains("rope_theta")) return;
    if (set(draft, base, "rope_theta", file.defaults.real({default_theta}))) return;
    set(draft, base, "rope_theta", file.defaults.real(keys));
}

// transformers looks null up among its rope types, and stops.
void refuse_null_type(const ConfigSection& rope) {
    if (rope.has("rope_type") || rope.has("type")) return;
    for (const std::string_view key : {"rope_type", "type"})
        if (rope.holds_null(key))
            throw InputError(rope.origin(key), "null",
                             "a rope type such as linear; without the key it is default");
}

// Returns what positions are divided by, unless a key of the class switches that off: Vortex's
// use_interpolated_rotary_pos_emb (Zymrael/vortex vortex/model/attention.py).
std::optional<Found<double>> linear_factor(ConfigFile& file) {
    if (const std::string key = file.named_key("linear_factor_switch"); !key.empty()) {
        const auto is_on = file.model.boolean(key);
        file.model.mark_read(keys_for("linear_factor"));
        if (!is_on || !is_on->value) return std::nullopt;
    }
    return file.model.real(keys_for("linear_factor"));
}

// Reads a type that a key of the top level chooses: Zamba2's use_long_context is an NTK base;
// Qwen-7B's use_dynamic_ntk steps with the length, and seq_length is the trained length;
// nomic-embed's rotary_scaling_factor is dynamic's beyond max_trained_positions
// (modeling_hf_nomic_bert.py NomicBertDynamicNTKRotaryEmbedding); longchat's rope_condense_ratio
// and Evo 2's rotary_emb_scaling_factor are linear.
void read_type_of_top_level(SpecDraft& draft, ConfigFile& file) {
    const auto choose = [&](const char* type, const std::string& from) {
        draft.spec.scaling.rope_type = type;
        draft.from["rope_type"] = from;
    };
    const auto scale = [&](const std::optional<Found<double>>& factor) {
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor), factor);
    };
    const auto trained_for = [&](const char* key) {
        set(draft, draft.spec.max_position_embeddings, "max_position_embeddings",
            file.model.whole({key}, 1, max_context));
    };
    if (const auto is_long = long_context(file)) {
        choose("ntk", is_long->from);
        scale(file.defaults.real({"long_context_factor"}));
        draft.from[name_of(&Scaling::factor)] = is_long->from;
    } else if (file.has_trait("base_steps_with_length")) {
        auto steps = file.model.boolean("use_dynamic_ntk");
        if (!steps) steps = file.defaults.boolean("use_dynamic_ntk");
        if (!steps || !steps->value) return;
        choose("qwen_ntk", steps->from);
        trained_for("seq_length");
    } else if (const auto dynamic = file.model.real({"rotary_scaling_factor"});
               dynamic && dynamic->value != 0) {
        choose("dynamic", dynamic->from);
        scale(dynamic);
        trained_for("max_trained_positions");
    } else if (const auto ratio = linear_factor(file); ratio && ratio->value != 1) {
        choose("linear", ratio->from);
        scale(ratio);
    }
}

// HunYuan's dynamic with alpha, and its xdrope, is the static NTK base, b·alpha^(d/(d−2)).
void read_rope_type(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    if (layer.plain) return;
    std::string& type = draft.spec.scaling.rope_type;
    const bool reads_older = layer.nested || !file.has_trait("type_unread");
    const auto own = layer.rope.text(reads_older ? Keys{"rope_type", "type"} : Keys{"rope_type"});
    if (own) draft.from["rope_type"] = own->from;
    if (own) type = file.rope_type(own->value);
    if (const auto older = layer.rope.text({"type"}); own && older && older->value != own->value)
        file.passed_over.push_back(layer.rope.path_to("type"));
    if ((type == "dynamic" || type == "xdrope") && layer.rope.has("alpha")) {
        type = "ntk";
        set(draft, draft.spec.scaling.factor, name_of(&Scaling::factor),
            layer.rope.real({"alpha"}));
    }
    if (!own && !layer.local) read_type_of_top_level(draft, file);
}

// Only PhiMoE's class reads the attention factors of longrope's lists; without a class all keys
// count.
bool is_read_by_class(const ConfigFile& file, const ScalingField& field) {
    const bool is_of_a_list = field.member == ScalingMember(&Scaling::short_mscale) ||
                              field.member == ScalingMember(&Scaling::long_mscale);
    return !is_of_a_list || file.has_trait("reads_mscale_lists") || file.model_type.empty();
}

// Each reads a key by the type of its member. A length of the top level, or of the class, overrides
// the section's, except if there is a section per layer type.
struct KeyReader {
    ConfigFile& file;
    LayerSection& layer;
    const ScalingField& field;

    auto value(std::optional<double> Scaling::*) const { return layer.rope.real({field.name}); }
    auto value(std::optional<bool> Scaling::*) const { return layer.rope.boolean(field.name); }
    auto value(std::vector<double> Scaling::*) const { return layer.rope.reals(field.name); }
    auto value(std::optional<std::uint64_t> Scaling::*) const {
        const auto read = [&](ConfigSection& section) {
            return section.whole({field.name}, static_cast<std::uint64_t>(field.range.least),
                                 static_cast<std::uint64_t>(field.range.most));
        };
        if (layer.nested) return read(layer.rope);
        if (file.model.has(field.name)) return read(file.model);
        if (!file.defaults.has(field.name)) return read(layer.rope);
        const auto assumed = read(file.defaults);
        ConfigSection section = layer.rope;  // a copy: a value that the class replaces stays unread
        if (const auto own = read(section); own && own->value == assumed->value)
            layer.rope.mark_read({field.name});
        return assumed;
    }
};

// Reads the keys that the rope_type uses; the others stay unread.
void read_scaling_keys(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    for (const ScalingField& field : scaling_fields()) {
        if (!uses(draft.spec.scaling.rope_type, field.member) || !is_read_by_class(file, field) ||
            draft.from.contains(field.name) ||
            field.member == ScalingMember(&Scaling::partial_rotary_factor))
            continue;
        const KeyReader reader{file, layer, field};
        std::visit(
            [&](auto member) {
                set(draft, draft.spec.scaling.*member, field.name, reader.value(member));
            },
            field.member);
    }
    draft.has_null_factor = layer.rope.holds_null(name_of(&Scaling::factor));
}

// DeepSeek-V4's own code multiplies cos and sin by nothing, TeleChat3's by 0.07·ln(factor) + 1
// (vllm/model_executor/layers/rotary_embedding/telechat3_scaling_rope.py).
void assume_attention_factor(SpecDraft& draft, const ConfigFile& file, const LayerSection& layer) {
    Scaling& scaling = draft.spec.scaling;
    if (scaling.rope_type != "yarn" || scaling.attention_factor) return;
    const std::string_view name = name_of(&Scaling::attention_factor);
    if (is_telechat3_yarn(layer.rope) && scaling.factor) {
        scaling.attention_factor = yarn_magnitude(*scaling.factor, 0.7).to_double();
        draft.from[name] = draft.from["rope_type"] + " " + std::string(telechat3_yarn);
    } else if (file.has_trait("yarn_amplitude_is_1") && !layer.nested) {
        scaling.attention_factor = 1;
        draft.from[name] = file.origin_of_class();
    }
}

void read_scaling(SpecDraft& draft, ConfigFile& file, LayerSection& layer,
                  const std::optional<std::string>& given_type) {
    if (!given_type && !layer.plain) refuse_null_type(layer.rope);
    read_rope_type(draft, file, layer);
    if (given_type) {
        draft.spec.scaling = {};
        draft.spec.scaling.rope_type = *given_type;
        draft.from.erase(name_of(&Scaling::factor));
    }
    read_scaling_keys(draft, file, layer);
    assume_attention_factor(draft, file, layer);
    if (draft.spec.scaling.mscale_all_dim.value_or(0) != 0)
        draft.spec.mscale_of_scores = file.mscale_of_scores;
}

// Reads another type of the section; only its name if one of its keys cannot be read, since the
// type that counts does not read it.
Scaling scaling_of(ConfigFile file, LayerSection layer, const std::string& type) try {
    SpecDraft draft;
    read_scaling(draft, file, layer, type);
    return draft.spec.scaling;
} catch (const InputError&) {
    return {.rope_type = type};
}

void add_older_type(ConfigFacts& facts, const ConfigFile& file, const LayerSection& layer) {
    ConfigSection section = layer.rope;  // a copy, because it records the keys that are read
    const auto own = section.text({"rope_type"}), older = section.text({"type"});
    if (layer.plain || !older || (!own && !file.has_trait("type_unread"))) return;
    const std::string own_type = own ? own->value : "default",
                      type = canonical_rope_type(older->value);
    facts.texts["own_type"] = printable(own_type);
    facts.texts["older_type"] = printable(older->value);
    if (type != canonical_rope_type(own_type)) facts.by_older_type = scaling_of(file, layer, type);
}

}  // namespace

std::string origin_of(const SpecDraft& draft, std::string_view field) {
    const auto found = draft.from.find(field);
    return found == draft.from.end() ? std::string(default_origin) : found->second;
}

void resolve_defaults(SpecDraft& draft, bool has_file) {
    resolve_fraction(draft);
    resolve_rotary_dim(draft);
    resolve_rotary_offset(draft);
    resolve_axes(draft);
    if (has_file) resolve_lengths(draft);
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
    read_pairs(draft, file);
    read_length(draft, file);
    read_rope_theta(draft, file, layer, given.base);
    read_scaling(draft, file, layer, given.rope_type);
    read_axes(draft, file, layer);
    draft.facts = config_facts(file, layer);
    if (origin_of(draft, "rope_theta").starts_with(file.defaults.file() + ":"))
        draft.facts->traits.emplace_back("base_of_class");
    if (!given.rope_type) add_older_type(*draft.facts, file, layer);
    return draft;
}

}  // namespace rope::io
