#include "io/render/precision_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/render/report_json.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json error_json(float error) { return error < 0 ? Json(nullptr) : json_number(error); }

Json cells_json(const ErrorMap& errors) {
    Json positions = Json::array(), rows = Json::array();
    for (const double edge : errors.positions.edges) positions.push_back(json_position(edge));
    for (std::size_t row = 0; row < errors.rows(); ++row) {
        Json cells = Json::array();
        for (std::size_t column = 0; column < errors.columns(); ++column)
            cells.push_back(error_json(errors.at(row, column)));
        rows.push_back(std::move(cells));
    }
    return {{"positions", std::move(positions)},
            {"pairs_per_row", errors.pairs_per_row},
            {"worst_error", std::move(rows)}};
}

}  // namespace

std::string precision_json(std::span<const MappedReport> reports, std::string_view version) {
    Json subjects = Json::array();
    for (const MappedReport& mapped : reports)
        subjects.push_back(
            {{"label", mapped.label},
             {"report", report_object(mapped.report, version, exit_code(mapped.report, {}))},
             {"cells", cells_json(mapped.errors)}});
    return json_text(
               Json{{"schema", "rope-check-precision/1"}, {"subjects", std::move(subjects)}}) +
           "\n";
}

}  // namespace rope::io
