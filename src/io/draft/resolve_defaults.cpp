#include "io/draft/resolve_defaults.hpp"

#include "base/decimal.hpp"
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
    return draft.facts && draft.facts->is_gguf && !scaling.short_factor.empty() &&
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

}  // namespace rope::io
