#include "io/explain/explain_json.hpp"

#include <type_traits>

#include "io/explain/readings_output.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/lint/lint_output.hpp"

namespace rope::io {
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
