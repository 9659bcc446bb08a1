#include "io/diff/diff.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/lint/lint_output.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json contrast_json(const Contrast& both) {
    return {{"a", json_number(both.a)},
            {"b", json_number(both.b)},
            {"relative", json_number(both.relative)}};
}

Json angles_json(const std::vector<AngleDifference>& angles) {
    Json all = Json::array();
    for (const AngleDifference& angle : angles)
        all.push_back({{"position", angle.position},
                       {"worst_radians", json_number(angle.worst)},
                       {"pair", angle.pair},
                       {"pairs_lost", angle.pairs_lost}});
    return all;
}

Json plan_json(const DiffedPlan& plan) {
    const Difference& difference = plan.difference;
    const Spec &a = difference.a, &b = difference.b;
    Json relative = Json::array();
    for (const Contrast& pair : difference.inv_freq) relative.push_back(json_number(pair.relative));
    Json worst = contrast_json(difference.worst());
    worst["pair"] = difference.worst_pair;
    return {{"layers", plan.layers},
            {"differing", plan.differing},
            {"rope_type", {{"a", a.scaling.rope_type}, {"b", b.scaling.rope_type}}},
            {"head_dim", {{"a", a.head_dim}, {"b", b.head_dim}}},
            {"rotary_dim", {{"a", a.rotary_dim}, {"b", b.rotary_dim}}},
            {"layout", {{"a", to_string(a.layout)}, {"b", to_string(b.layout)}}},
            {"permuted", plan.permuted},
            {"attention_factor", contrast_json(difference.attention_factor)},
            {"softmax_scale_factor", contrast_json(difference.softmax_scale_factor)},
            {"worst_inv_freq", std::move(worst)},
            {"inv_freq_relative", std::move(relative)},
            {"angles", angles_json(difference.angles)}};
}

}  // namespace

std::string diff_json(const Diff& diff, std::string_view version) {
    Json plans = Json::array();
    for (const DiffedPlan& plan : diff.plans) plans.push_back(plan_json(plan));
    const Json json{{"schema", diff_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"a", diff.a},
                    {"b", diff.b},
                    {"same", diff.same()},
                    {"only_a", diff.only_a},
                    {"only_b", diff.only_b},
                    {"plans", std::move(plans)},
                    {"lint", lint_json(diff.lint)}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
