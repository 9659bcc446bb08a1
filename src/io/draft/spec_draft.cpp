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

// A GGUF's factors for any length look at no original one.
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

namespace {

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

// Of height and width so many parts of the head each, of time what is left: Wan's 2/6, CogVideoX's
// 3/8.
Lanes lanes_of_parts(const SpecDraft& draft, const std::vector<std::uint64_t>& parts) {
    const std::uint64_t head = draft.spec.head_dim, side = head / parts.at(1) * parts.at(0);
    const std::string from = origin_of(draft, "head_dim");
    if (head % 2 != 0) throw InputError(from, decimal(head), "an even number of dimensions");
    return Found<std::vector<std::uint64_t>>{{head - 2 * side, side, side}, from};
}

// diffusers' lanes of each axis, two a pair.
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
    read_lanes(draft, file, layer);
    read_length(draft, file);
    read_rope_theta(draft, file, layer, given.base);
    read_scaling(draft, file, layer, given.rope_type);
    read_axes(draft, file, layer);
    draft.facts = config_facts(file, layer);
    if (!given.rope_type) add_older_type(*draft.facts, file, layer);
    return draft;
}

}  // namespace rope::io
