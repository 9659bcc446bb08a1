#include <nlohmann/json.hpp>

#include "io/base_bound/base_bound.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json position_json(const std::optional<std::uint64_t>& position) {
    return position ? Json(*position) : Json(nullptr);
}

Json infimum_json(const BaseBound& found) {
    if (!found.infimum && found.proved) return nullptr;
    Json json{{"base", nullptr}, {"binding_position", nullptr}, {"certified", found.proved}};
    if (found.infimum) {
        json["base"] = json_number(found.infimum->base);
        json["binding_position"] = position_json(found.infimum->position);
    }
    if (!found.proved) json["ratio"] = json_number(found.ratio);
    return json;
}

Json on_grid_json(const BaseBound& found, int digits) {
    if (!found.on_grid) return nullptr;
    return {{"digits", digits}, {"base", json_number(*found.on_grid)}, {"certified", true}};
}

Json islands_json(const BaseBound& found) {
    Json islands = Json::array();
    for (const auto& [from, to] : found.islands)
        islands.push_back({{"from", json_number(from.base)},
                           {"from_position", position_json(from.position)},
                           {"to", json_number(to.base)},
                           {"to_position", position_json(to.position)},
                           {"certified", false}});
    return islands;
}

Json largest_failing_json(const BaseBound& found) {
    if (found.largest_failing == std::nullopt) return nullptr;
    return {{"base", json_number(*found.largest_failing)},
            {"searched_to", json_number(found.searched_to)},
            {"ratio", json_number(found.ratio)},
            {"certified", found.largest_failing_proved()}};
}

Json judged_json(const BaseBoundReport& report) {
    if (!report.judged) return nullptr;
    const BaseScan& scan = *report.judged;
    return {{"base", json_number(report.spec.rope_theta)},
            {"holds", scan.holds()},
            {"first_negative", position_json(scan.first_negative)},
            {"searched_to", position_json(scan.searched_to)},
            {"minimum", {{"value", json_number(scan.least)}, {"position", scan.least_position}}}};
}

}  // namespace

std::string base_bound_json(const BaseBoundReport& report, std::string_view version) {
    const PairCounts pairs = report.asked.pairs;
    Json json{{"schema", base_bound_schema},
              {"tool", {{"name", "rope-check"}, {"version", version}}},
              {"dim", 2 * (pairs.rotating + pairs.passing)},
              {"rotary_dim", 2 * pairs.rotating},
              {"rope_type", report.spec.scaling.rope_type},
              {"context", report.asked.context}};
    if (report.found) {
        json["infimum"] = infimum_json(*report.found);
        json["on_grid"] = on_grid_json(*report.found, report.asked.digits);
        json["islands"] = islands_json(*report.found);
        json["largest_failing"] = largest_failing_json(*report.found);
    }
    json["base"] = judged_json(report);
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
