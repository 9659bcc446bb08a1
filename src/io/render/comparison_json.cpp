#include "io/render/comparison_json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/render/report_json.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) {
    return number ? json_number(*number) : Json(nullptr);
}

Json pair_json(const PairEvidence& pair) {
    return {{"asked", json_number(pair.asked)},
            {"fitted", number_or_null(pair.fitted)},
            {"standard_error", json_number(pair.fitted_error)},
            {"is_constant", pair.is_constant},
            {"error", json_number(pair.error)},
            {"residue", number_or_null(pair.residue)}};
}

Json place_json(const std::optional<RowPlace>& place) {
    if (!place) return nullptr;
    return {{"position", json_position(place->position)},
            {"group", place->group},
            {"error", json_number(place->error)}};
}

Json rows_json(const RowEvidence& rows) {
    if (rows.columns() == 0) return nullptr;
    Json positions = Json::array(), lines = Json::array();
    for (const double edge : rows.positions.edges) positions.push_back(json_position(edge));
    for (std::size_t line = 0; line < rows.groups.size(); ++line) {
        Json cells = Json::array();
        for (std::size_t column = 0; column < rows.columns(); ++column) {
            const float error = rows.worst[line * rows.columns() + column];
            cells.push_back(error < 0 ? Json(nullptr) : json_number(error));
        }
        lines.push_back(std::move(cells));
    }
    return {{"count", rows.rows},
            {"off", rows.off},
            {"first_off", place_json(rows.first_off)},
            {"worst", place_json(rows.worst_row)},
            {"positions", std::move(positions)},
            {"groups", rows.groups},
            {"worst_error", std::move(lines)}};
}

Json subject_json(const ComparedReport& one, std::string_view version) {
    Json pairs = Json::array();
    for (const PairEvidence& pair : one.evidence.pairs) pairs.push_back(pair_json(pair));
    return {{"label", one.label},
            {"report", report_object(one.report, version, exit_code(one.report, {}))},
            {"part", one.evidence.part},
            {"pairs", std::move(pairs)},
            {"rows", rows_json(one.evidence.rows)}};
}

}  // namespace

std::string comparison_json(std::span<const ComparedReport> compared, std::string_view version) {
    Json subjects = Json::array();
    for (const ComparedReport& one : compared) subjects.push_back(subject_json(one, version));
    return json_text(
               Json{{"schema", "rope-check-comparison/1"}, {"subjects", std::move(subjects)}}) +
           "\n";
}

}  // namespace rope::io
