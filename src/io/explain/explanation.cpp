#include "io/explain/explanation.hpp"

#include <type_traits>

#include "io/config/model_classes.hpp"
#include "io/json/json_text.hpp"
#include "io/lint/lint.hpp"
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

namespace {

using Json = nlohmann::ordered_json;

Json value_json(const SettingValue& value) {
    return std::visit(
        [](const auto& held) -> Json {
            using T = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<T, std::monostate>)
                return nullptr;
            else if constexpr (std::is_same_v<T, double>)
                return json_number(held);
            else
                return held;
        },
        value);
}

// One array of a plan: what `of` says of each pair.
template <typename Of>
Json per_pair(const ExplainedPlan& plan, Of of) {
    Json values = Json::array();
    for (const SpectralPair& pair : plan.pairs) values.push_back(of(pair));
    return values;
}

Json critical_json(const std::optional<CriticalDimension>& critical) {
    if (!critical) return nullptr;
    Json json{{"trained_length", critical->trained_length}, {"counted", critical->counted}};
    json["formula"] = critical->formula ? Json(*critical->formula) : Json(nullptr);
    json["never_turn"] = critical->never_turn;
    return json;
}

Json plan_json(const ExplainedPlan& plan) {
    const Spec& spec = plan.spec;
    Json json{{"layers", plan.layers},
              {"rope_type", spec.scaling.rope_type},
              {"rope_theta", json_number(spec.rope_theta)},
              {"head_dim", spec.head_dim},
              {"rotary_dim", spec.rotary_dim},
              {"layout", to_string(spec.layout)},
              {"max_position_embeddings", spec.max_position_embeddings},
              {"attention_factor", json_number(plan.attention_factor)},
              {"softmax_scale_factor", json_number(plan.softmax_scale_factor)},
              {"context", plan.context},
              {"critical_dimension", critical_json(plan.critical)}};
    if (!spec.reading.empty()) json["reading"] = spec.reading;
    const auto context = static_cast<double>(plan.context);
    Json& resolved = json["resolved"] = Json::object();
    for (const auto& [field, value, from] : plan.settings)
        resolved[field] = {{"value", value_json(value)}, {"from", from}};
    json["inv_freq"] = per_pair(plan, [](auto& p) { return json_number(p.inv_freq); });
    json["unscaled_inv_freq"] = per_pair(plan, [](auto& p) { return json_number(p.unscaled); });
    json["wavelength"] = per_pair(plan, [](auto& p) { return json_number(p.wavelength); });
    json["turns"] = per_pair(plan, [&](auto& p) { return json_number(p.turns(context)); });
    json["band"] = per_pair(plan, [](auto& p) { return to_string(p.band); });
    if (plan.readings) json["readings"] = readings_json(*plan.readings);
    return json;
}

Json defaulted_json(const std::vector<Origin>& defaulted) {
    Json all = Json::array();
    for (const auto& [field, value] : defaulted)
        all.push_back({{"field", field}, {"value", value}});
    return all;
}

}  // namespace

std::string explain_json(const ExplainedModel& explanation, std::string_view version) {
    const ResolvedModel& model = explanation.model;
    Json plans = Json::array();
    for (const ExplainedPlan& plan : explanation.plans) plans.push_back(plan_json(plan));
    const Json json{{"schema", explain_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"plans", std::move(plans)},
                    {"not_rotated", explanation.not_rotated},
                    {"read", model.read},
                    {"ignored", model.ignored},
                    {"defaulted", defaulted_json(model.defaulted)},
                    {"lint", lint_json(model.lint)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
