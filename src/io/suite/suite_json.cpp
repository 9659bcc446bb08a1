#include <nlohmann/json.hpp>

#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/suite/answered_suite.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json worst_json(const SuiteCase& asked, const AnsweredTest& test) {
    const SuiteWorst& worst = test.worst;
    Json positions = Json::array();
    for (const auto& axis : asked.positions) positions.push_back(json_position(axis[worst.row]));
    return {{"ratio", json_number(worst.ratio)}, {"row", worst.row},
            {"positions", std::move(positions)}, {"lane", worst.lane},
            {"got", json_number(worst.got)},     {"want", json_number(worst.want)},
            {"allowed", worst.allowed}};
}

Json test_json(const SuiteCase& asked, const AnsweredTest& test) {
    Json json{{"dtype", to_string(test.format)}, {"output", to_string(test.output)}};
    json["verdict"] = !test.is_answered ? "not_answered" : test.holds() ? "holds" : "violated";
    if (!test.is_answered) return json;
    json["arithmetic"] = to_string(test.like);
    if (test.worst.ratio > 0) json["worst"] = worst_json(asked, test);
    return json;
}

}  // namespace

std::string suite_json(const AnsweredSuite& suite, std::string_view version) {
    Json cases = Json::array();
    for (const AnsweredCase& one : suite.cases) {
        Json answers = Json::array();
        for (const AnsweredTest& test : one.tests) answers.push_back(test_json(one.asked, test));
        cases.push_back({{"id", one.asked.id}, {"answers", std::move(answers)}});
    }
    const Json json{{"schema", "rope-check-suite-results/1"},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"program", suite.program},
                    {"arithmetic", suite.arithmetic ? Json(to_string(*suite.arithmetic)) : Json()},
                    {"cases", std::move(cases)},
                    {"summary",
                     {{"answers", suite.tests},
                      {"holds", suite.answered - suite.violated},
                      {"violated", suite.violated},
                      {"not_answered", suite.tests - suite.answered}}}};
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
