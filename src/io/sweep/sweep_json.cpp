#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "io/config/spec_json.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/sweep/sweep_table.hpp"
#include "rope/number/random.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json model_json(const SweepModel& model) {
    if (!model.refusal.empty()) return {{"model", model.name}, {"refused", model.refusal}};
    Json json{{"model", model.name}, {"layers", model.layers}, {"spec", spec_json(model.spec)}};
    json["context"] = model.own_context;
    return json;
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json figure_or_null(const std::optional<double>& x) { return x ? json_number(*x) : Json(nullptr); }

Json row_json(const SweepCell& cell, const SweepRow& row) {
    Json json{{"model", cell.model}};
    json["layers"] = cell.pipeline == nullptr ? Json(nullptr) : Json(cell.layers);
    json["pipeline"] = cell.pipeline == nullptr ? Json(nullptr) : Json(cell.pipeline->name);
    json["context"] = cell.pipeline == nullptr ? Json(nullptr) : Json(cell.context);
    json["K"] = figure_or_null(row.k);
    json["worst_error"] = figure_or_null(row.worst_error);
    json["worst_error_position"] = or_null(row.worst_position);
    json["worst_error_pair"] = or_null(row.worst_pair);
    json["first_beyond_1e_3"] = or_null(row.first_beyond);
    json["verdict"] = to_string(row.verdict);
    json["reason"] = row.reason;
    return json;
}

Json summary_json(const SweepSummary& sum) {
    return {{"holds", sum.holds},
            {"violated", sum.violated},
            {"not_applicable", sum.not_applicable},
            {"refused", sum.refused},
            {"unfinished", sum.unfinished}};
}

// One a line, so that a diff reads well.
std::string lines_of(const std::vector<Json>& list) {
    const auto line = [](const Json& one) { return "\n    " + json_text(one); };
    return list.empty() ? "[]" : "[" + join(list, line, ",") + "\n  ]";
}

}  // namespace

std::string sweep_json(const SweepTable& table) {
    std::vector<Json> models, rows;
    for (const SweepModel& model : table.plan.models) models.push_back(model_json(model));
    for (std::size_t k = 0; k < table.cells.size(); ++k)
        if (const auto& row = table.rows[k]) rows.push_back(row_json(table.cells[k], *row));
    Json pipelines = Json::array();
    for (const Pipeline* pipeline : table.plan.pipelines) pipelines.push_back(pipeline->name);
    const Json tool{{"name", "rope-check"}, {"version", table.version}, {"commit", table.commit}};
    std::string text = "{\n  \"schema\": " + json_text(Json(sweep_schema));
    text += ",\n  \"tool\": " + json_text(tool);
    text += ",\n  \"models\": " + lines_of(models);
    text += ",\n  \"pipelines\": " + json_text(pipelines);
    text += ",\n  \"contexts\": " + json_text(Json(table.plan.contexts));
    text += ",\n  \"rows\": " + lines_of(rows);
    text += ",\n  \"summary\": " + json_text(summary_json(summarize(table.rows)));
    return text + ",\n  \"digest\": \"" + byte_digest(text).text() + "\"\n}\n";
}

}  // namespace rope::io
