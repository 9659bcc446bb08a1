#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "io/json/json_text.hpp"
#include "io/suite/answered_suite.hpp"
#include "io/text/cells.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json worst_json(const SuiteCase& asked, const AnsweredTest& test) {
    const SuiteWorst& worst = test.worst;
    return {
        {"ratio", json_number(worst.ratio)},
        {"row", worst.row},
        {"positions", json_array(asked.positions,
                                 [&](const auto& axis) { return json_position(axis[worst.row]); })},
        {"lane", worst.lane},
        {"got", json_number(worst.got)},
        {"want", json_number(worst.want)},
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

Json answered_json(const AnsweredCase& one) {
    return {{"id", one.asked.id}, {"answers", json_array(one.tests, [&](const AnsweredTest& test) {
                                       return test_json(one.asked, test);
                                   })}};
}

std::string json_of(const AnsweredSuite& suite) {
    return json_document(
        "rope-check-suite-results/1",
        {{"program", suite.program},
         {"arithmetic", suite.arithmetic ? Json(to_string(*suite.arithmetic)) : Json()},
         {"cases", json_array(suite.cases, answered_json)},
         {"summary",
          {{"answers", suite.tests},
           {"holds", suite.answered - suite.violated},
           {"violated", suite.violated},
           {"not_answered", suite.tests - suite.answered}}}});
}

// The arithmetic whose tolerance explains a case's answers in one format: "double", "FAIL", or "-"
// without answers.
std::string verdict_of(const AnsweredCase& one, Format format) {
    std::string verdict = "-";
    for (const AnsweredTest& test : one.tests) {
        if (test.format != format || !test.is_answered) continue;
        if (!test.holds()) return "FAIL";
        verdict = to_string(test.like);
    }
    return verdict;
}

Cells cells_of(const AnsweredSuite& suite) {
    Cells cells{{"case"}, "lllll"};
    for (const Format format : suite_formats) cells.head.emplace_back(to_string(format));
    for (const AnsweredCase& one : suite.cases) {
        std::vector<std::string> row{one.asked.id};
        for (const Format format : suite_formats) row.push_back(verdict_of(one, format));
        cells.rows.push_back(std::move(row));
    }
    return cells;
}

std::string positions_of(const SuiteCase& asked, std::size_t row) {
    std::string text;
    for (const auto& axis : asked.positions)
        text += (text.empty() ? "" : ", ") + decimal(axis[row]);
    return (asked.positions.size() > 1 ? "positions " : "position ") + text;
}

std::string over(double ratio) {
    return ratio < 1e300 ? brief(ratio) + "x the tolerance" : "no error is allowed";
}

std::string failure(const AnsweredCase& one, const AnsweredTest& test) {
    const SuiteWorst& worst = test.worst;
    return fmt::format(
        "FAIL {} {} {}\n     worst at row {}, {}, dimension {}: {}\n     got {}, want {}, allowed "
        "{}\n",
        one.asked.id, to_string(test.format), to_string(test.output), worst.row,
        positions_of(one.asked, worst.row), worst.lane, over(worst.ratio),
        significant(worst.got, 9), significant(worst.want, 9), brief(worst.allowed));
}

std::string failures(const AnsweredSuite& suite, std::size_t most) {
    std::string text;
    std::size_t shown = 0;
    for (const AnsweredCase& one : suite.cases)
        for (const AnsweredTest& test : one.tests)
            if (test.is_answered && !test.holds() && shown++ < most) text += failure(one, test);
    if (shown > most) text += fmt::format("     and {} more; -v shows them\n", shown - most);
    return text;
}

std::string outcome(const AnsweredSuite& suite) {
    const std::uint64_t left = suite.tests - suite.answered;
    std::string text = suite.violated == 0
                           ? fmt::format("{} answers passed", suite.answered)
                           : fmt::format("{} of {} answers failed", suite.violated, suite.answered);
    if (left > 0) text += fmt::format(" · {} not answered", left);
    return text + "\n";
}

std::string legend(const AnsweredSuite& suite) {
    if (suite.arithmetic)
        return "Angles may be off as those " + std::string(in_words(*suite.arithmetic)) + ".\n";
    return "A cell names the most exact arithmetic whose angles explain the answers.\n";
}

}  // namespace

Document suite_document(const AnsweredSuite& suite, bool verbose) {
    constexpr std::size_t few = 5;
    const std::string wrong = failures(suite, verbose ? suite.tests : few);
    Document document;
    document.text = document.markdown = legend(suite);
    document.gap().table(cells_of(suite), 0);
    document.text += "\n" + wrong + (wrong.empty() ? "" : "\n") + outcome(suite);
    document.markdown += "\n" + outcome(suite);
    document.json = json_of(suite);
    return document;
}

}  // namespace rope::io
