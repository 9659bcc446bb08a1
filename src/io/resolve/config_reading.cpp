#include "io/resolve/config_reading.hpp"

#include "io/config/config_facts.hpp"
#include "io/draft/resolve_defaults.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

// Notes the origin of a field that the reading set or took away.
class ChangedOrigins {
  public:
    ChangedOrigins(SpecDraft& draft, const Reading& reading)
        : draft_(draft), origin_("--reading " + std::string(reading.name)) {}

    void note(std::string_view field, bool differs, bool is_set) {
        if (!differs) return;
        if (is_set)
            draft_.from[field] = origin_;
        else
            draft_.from.erase(field);
    }

  private:
    SpecDraft& draft_;
    std::string origin_;
};

Spec spec_as_read(const SpecDraft& draft, const Reading& reading) {
    try {
        return read_as(reading, draft.spec, facts_of(draft)).spec;
    } catch (const InputError& error) {
        throw InputError("--reading", std::string(reading.name) + ": " + error.what());
    }
}

// Flags count for whichever type is read.
void add_flags(std::optional<Scaling>& scaling, const SpecDraft& draft) {
    if (!scaling) return;
    for (const ScalingField& field : scaling_fields())
        if (is_rope_flag(origin_of(draft, field.name)))
            std::visit([&](auto member) { (*scaling).*member = draft.spec.scaling.*member; },
                       field.member);
}

}  // namespace

ConfigFacts facts_of(const SpecDraft& draft) {
    constexpr auto member = &Scaling::original_max_position_embeddings;
    ConfigFacts facts = draft.facts.value_or(rope::facts_of(draft.spec));
    if (draft.facts && is_rope_flag(origin_of(draft, name_of(member))))
        facts.top_original = facts.section_original = draft.spec.scaling.*member;
    if (!origin_of(draft, "rope_theta").ends_with(default_theta)) facts.older_theta.reset();
    add_flags(facts.by_older_type, draft);
    if (origin_of(draft, "rope_theta") == "--base" ||
        origin_of(draft, "rope_theta") == "--rope-theta")
        facts.outer_theta = facts.top_theta = facts.swa_theta = draft.spec.rope_theta;
    return facts;
}

void apply_reading(SpecDraft& draft, const Reading& reading) {
    const Spec before = draft.spec;
    draft.spec = spec_as_read(draft, reading);
    const Spec& spec = draft.spec;
    ChangedOrigins origins(draft, reading);
    for (const ScalingField& field : scaling_fields())
        std::visit(
            [&](auto member) {
                origins.note(field.name, before.scaling.*member != spec.scaling.*member,
                             is_set(spec.scaling.*member));
            },
            field.member);
    origins.note("rope_type", before.scaling.rope_type != spec.scaling.rope_type, true);
    origins.note("rope_theta", before.rope_theta != spec.rope_theta, true);
    origins.note("rotary_dim", before.rotary_dim != spec.rotary_dim, true);
    origins.note("seq_len", before.seq_len != spec.seq_len, spec.seq_len.has_value());
    origins.note("axes", before.axes.scheme != spec.axes.scheme, true);
    origins.note("mrope_section", before.axes.sections != spec.axes.sections, true);
}

}  // namespace rope::io
