#include "io/draft/spec_draft.hpp"

#include <numeric>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "io/config/config_file.hpp"
#include "io/config/model_classes.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

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
    const auto lanes = static_cast<std::uint32_t>(spec.head_dim * fraction);
    if (is_given && lanes != spec.rotary_dim)
        throw InputError(draft.from["rotary_dim"] + " is " + decimal(spec.rotary_dim) + " but " +
                         from + " · head_dim is " + decimal(lanes) + "; keep one of them");
    if (is_given) return;
    spec.rotary_dim = lanes;
    draft.from["rotary_dim"] = from + " · head_dim";
}

void resolve_rotary_offset(SpecDraft& draft) {
    Spec& spec = draft.spec;
    if (!draft.last_lanes || draft.from.contains("rotary_offset") ||
        spec.rotary_dim > spec.head_dim)
        return;
    spec.rotary_offset = spec.head_dim - spec.rotary_dim;
    draft.from["rotary_offset"] = *draft.last_lanes;
}

// Whether a GGUF has factors for any length, which look at no original length.
bool has_one_list(const SpecDraft& draft) {
    const Scaling& scaling = draft.spec.scaling;
    return draft.facts && draft.facts->has("gguf") && !scaling.short_factor.empty() &&
           scaling.short_factor == scaling.long_factor;
}

void resolve_lengths(SpecDraft& draft) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    const std::string_view name = name_of(member);
    Scaling& scaling = draft.spec.scaling;
    auto& original = scaling.*member;
    if (uses(scaling.rope_type, member) && !original) {
        original = draft.spec.max_position_embeddings;
        if (!has_one_list(draft)) draft.from[name] = origin_of(draft, "max_position_embeddings");
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

// M-RoPE's sections, contiguous or interleaved, unless --rope axes says otherwise.
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

bool has_last_lanes(const ConfigFile& file) { return file.has_trait("rotates_last_lanes"); }

// Most classes with qk_rope_head_dim have a tensor of only the dimensions that rotate. Gemma 4's
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
    // a key of the file only by its name, after another of the file
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

// mistral4/configuration_mistral4.py Mistral4Config: cos and sin have int(head_dim · fraction)
// dimensions, where head_dim has both parts of a head, and rotate all of the rotary part.
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

// The layout is that of a GGUF's architecture, of a key that the class reads, or of the class.
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

// Configs have no key for the first dimension that rotates, or for the direction.
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

void read_length(SpecDraft& draft, ConfigFile& file) {
    std::uint64_t& length = draft.spec.max_position_embeddings;
    constexpr std::string_view name = "max_position_embeddings";
    if (const auto is_long = long_context(file)) {
        set(draft, length, name, file.defaults.whole({"long_context"}, 1, max_context));
        draft.from[name] = is_long->from;
        return;
    }
    set(draft, length, name, own_or_assumed(file, [&](ConfigSection& s) {
            return s.whole(keys_for(file, "length"), 1, max_context);
        }));
}

using Lanes = std::optional<Found<std::vector<std::uint64_t>>>;

// Height and width have so many parts of the head each, time has the rest: Wan's 2/6, CogVideoX's
// 3/8.
Lanes lanes_of_parts(const SpecDraft& draft, const std::vector<std::uint64_t>& parts) {
    const std::uint64_t head = draft.spec.head_dim, side = head / parts.at(1) * parts.at(0);
    const std::string from = origin_of(draft, "head_dim");
    if (head % 2 != 0) throw InputError(from, decimal(head), "an even number of dimensions");
    return Found<std::vector<std::uint64_t>>{{head - 2 * side, side, side}, from};
}

// diffusers' dimensions of each axis, two a pair.
void read_axes_dims(SpecDraft& draft, ConfigFile& file) {
    Lanes dims = file.defaults.wholes("axes_dims");
    if (const auto key = file.defaults.text({"axes_dims_key"}))
        if (const auto own = file.model.wholes(key->value)) dims = own;
    if (const auto key = file.defaults.text({"axis_pairs_key"}); key && dims)
        if (const auto pairs = file.model.whole({key->value}, 1, max_head_dim))
            dims = Found{std::vector(dims->value.size(), 2 * pairs->value), pairs->from};
    if (const auto parts = file.defaults.wholes("axes_dims_parts"))
        dims = lanes_of_parts(draft, parts->value);
    if (!dims) return;
    const std::uint64_t sum = std::accumulate(dims->value.begin(), dims->value.end(), 0ULL);
    if (file.defaults.has("head_is_sum_of_axes"))
        set(draft, draft.spec.head_dim, "head_dim", std::optional(Found{sum, dims->from}));
    if (file.defaults.has("axes_may_be_fewer") && sum < draft.spec.head_dim)
        set(draft, draft.spec.rotary_dim, "rotary_dim", std::optional(Found{sum, dims->from}));
    for (std::uint64_t& lanes : dims->value) {
        if (lanes % 2 != 0)
            throw InputError(dims->from, decimal(lanes),
                             "an even number of dimensions for each axis");
        lanes /= 2;
    }
    set(draft, draft.mrope_section, "mrope_section", dims);
}

// ERNIE-4.5-VL: freq_allocation pairs follow time, height and width share the rest; vLLM
// models/ernie45_vl_moe.py Ernie4_5_VLMoeAttention, and PaddlePaddle's RopeEmbedding.
bool read_time_pairs(SpecDraft& draft, ConfigFile& file) {
    const auto key = file.defaults.text({"time_pairs_key"});
    if (!key) return false;
    ConfigSection model = file.model;  // a copy: rope_3d false is not what is done here
    if (const auto is_3d = model.boolean("rope_3d"); is_3d && is_3d->value)
        file.model.mark_read({"rope_3d"});
    const std::uint64_t pairs = draft.spec.head_dim / 2;
    const auto time = file.model.whole({key->value}, 0, pairs);
    if (!time) return false;
    const std::uint64_t each = (pairs - time->value) / 2;
    draft.mrope_section = {each, each, time->value};
    draft.from["mrope_section"] = time->from;
    return true;
}

// Qwen3-VL's and Qwen3.5's classes interleave, whatever the file says (modeling_qwen3_vl.py,
// apply_interleaved_mrope); elsewhere a key says so, which Qwen3-TTS calls interleaved.
void read_interleaving(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    constexpr std::string_view name = "mrope_interleaved";
    auto own = layer.rope.boolean(name);
    const bool has_sections = layer.rope.has("mrope_section");
    const auto older = has_sections ? layer.rope.boolean("interleaved") : std::nullopt;
    if (!own) own = older;
    const bool is_said = own && own->value;
    const auto of_class = file.defaults.boolean(name);
    set(draft, draft.mrope_interleaved, name,
        of_class && !draft.mrope_section.empty() && !is_said ? of_class : own);
}

// HunYuan's xdrope_section has positions, widths, heights and images; ERNIE-4.5-VL's class knows
// its own order of the axes.
void read_axes(SpecDraft& draft, ConfigFile& file, LayerSection& layer) {
    if (const auto scheme = file.defaults.text({"axes"})) {
        draft.spec.axes.scheme = parse_axis_scheme(scheme->value);
        draft.from["axes"] = scheme->from;
    }
    if (read_time_pairs(draft, file)) return;
    const char* key = layer.rope.has("xdrope_section") ? "xdrope_section" : "mrope_section";
    auto sections = layer.rope.wholes(key);
    if (const auto own = file.defaults.text({"sections_key"}))  // of the top level
        if (const auto found = file.model.wholes(own->value)) sections = found;
    if (!set(draft, draft.mrope_section, "mrope_section", sections))
        draft.mrope_assumed =
            set(draft, draft.mrope_section, "mrope_section", file.defaults.wholes("mrope_section"));
    read_axes_dims(draft, file);
    read_interleaving(draft, file, layer);
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

std::optional<Found<bool>> long_context(ConfigFile& file) {
    if (!file.defaults.has("long_context")) return std::nullopt;
    const auto is_long = file.model.boolean("use_long_context");
    return is_long && is_long->value ? is_long : std::nullopt;
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
    if (!given.rope_type) add_older_type(*draft.facts, file, layer);
    return draft;
}

}  // namespace rope::io
