#include "io/explain/explanation.hpp"

#include "io/config/model_classes.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

SettingValue value_of(const std::vector<double>& list) { return list; }
template <typename T>
SettingValue value_of(const std::optional<T>& value) {
    return value ? SettingValue(*value) : SettingValue();
}

SettingValue scaling_value(const Scaling& scaling, const ScalingField& field) {
    return std::visit([&](auto member) { return value_of(scaling.*member); }, field.member);
}

ExplainedPlan explain_plan(const LayerGroup& group, std::optional<std::uint64_t> context) {
    const Spec& spec = group.resolved.spec;
    const FrequencyPlan planned = plan_frequencies(spec, exact_precision);
    ExplainedPlan plan;
    plan.layers = group.layers;
    plan.spec = spec;
    for (const auto& [field, from] : group.resolved.origins)
        plan.settings.push_back({field, setting_value(spec, field), from});
    plan.attention_factor = planned.attention_factor;
    plan.softmax_scale_factor = planned.softmax_scale_factor;
    plan.pairs = spectrum(spec);
    if (has_trained_length(spec)) plan.critical = critical_dimension(spec, plan.pairs);
    plan.context = context.value_or(group.context());
    return plan;
}

ComparedReadings readings_of(const ResolvedSpec& resolved) {
    ComparedReadings readings = compare_readings(resolved.spec, resolved.facts);
    readings.unread = resolved.ignored;
    const std::string& type = resolved.facts.model_type;
    if (!type.empty() && find_model_class(type) == nullptr) readings.unknown_class = type;
    return readings;
}

}  // namespace

SettingValue setting_value(const Spec& spec, std::string_view field) {
    if (field == "head_dim") return std::uint64_t{spec.head_dim};
    if (field == "rotary_dim") return std::uint64_t{spec.rotary_dim};
    if (field == "rotary_offset") return std::uint64_t{spec.rotary_offset};
    if (field == "layout") return std::string(to_string(spec.layout));
    if (field == "direction") return std::string(to_string(spec.direction));
    if (field == "max_position_embeddings") return spec.max_position_embeddings;
    if (field == "rope_theta") return spec.rope_theta;
    if (field == "rope_type") return spec.scaling.rope_type;
    if (field == "seq_len") return value_of(spec.seq_len);
    if (field == "axes") return std::string(to_string(spec.axes.scheme));
    if (field == "mrope_section")
        return std::vector<double>(spec.axes.sections.begin(), spec.axes.sections.end());
    if (field == "mrope_interleaved")
        return spec.axes.scheme == AxisScheme::interleaved ? std::string("true")
                                                           : std::string("false");
    const ScalingField* key = find_field(field);
    return key == nullptr ? SettingValue() : scaling_value(spec.scaling, *key);
}

ExplainedModel explain(ResolvedModel model, std::optional<std::uint64_t> context) {
    ExplainedModel explanation;
    for (const LayerGroup& group : model.groups)
        if (group.rotates)
            explanation.plans.push_back(explain_plan(group, context));
        else
            explanation.not_rotated.push_back(group.layers);
    explanation.model = std::move(model);
    return explanation;
}

void add_readings(ExplainedModel& explanation) {
    auto plan = explanation.plans.begin();
    for (const LayerGroup& group : explanation.model.groups)
        if (group.rotates) plan++->readings = readings_of(group.resolved);
}

}  // namespace rope::io
