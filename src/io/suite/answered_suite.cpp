// The answers of a program to the conformance suite, and their verdicts.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/json/json_text.hpp"
#include "io/shape/shape.hpp"
#include "io/suite/suite_files.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/document.hpp"
#include "io/text/number.hpp"
#include "rope/number/format.hpp"
#include "rope/suite/suite.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* tensor_name = "answers.safetensors";
constexpr const char* json_name = "answers.json";

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::vector<double> decoded(const std::string& name, const std::string& hex, Format format,
                            std::size_t count) {
    const std::size_t size = bytes_of(element_of(format));
    if (hex.size() != 2 * size * count)
        throw InputError(name + ": has " + decimal(hex.size()) + " characters; " + decimal(count) +
                         " values of " + std::string(to_string(format)) + " are " +
                         decimal(2 * size * count) + " hexadecimal digits");
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const int high = digit(hex[i]), low = digit(hex[i + 1]);
        if (high < 0 || low < 0)
            throw InputError(name + ": '" + printable(hex.substr(i, 2)) +
                             "' is not two hexadecimal digits");
        bytes.push_back(static_cast<std::byte>(16 * high + low));
    }
    return Array{{count}, element_of(format), bytes, {}}.values();
}

std::vector<double> values_of(const NamedArray& named, const SuiteCase& asked, Format format) {
    const Array& array = named.array;
    const std::vector<std::uint64_t> shape{asked.rows(), asked.spec.head_dim};
    if (array.element != element_of(format) || array.shape != shape)
        throw InputError(named.name + ": holds " + std::string(to_string(array.element)) + " " +
                         shape_text(array.shape) + "; it must be " +
                         std::string(to_string(format)) + " " + shape_text(shape));
    return array.values();
}

std::map<std::string, std::string> hex_answers(const fs::path& path) {
    const nlohmann::json json = read_json(path);
    const std::string name = printable(path.native());
    if (!json.is_object())
        throw InputError(name + ": must be an object of hexadecimal digits by name");
    std::map<std::string, std::string> all;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            throw InputError(name + ": " + printable(key) +
                             " must be a string of hexadecimal digits");
        all[key] = value.get<std::string>();
    }
    return all;
}

// The values that a program answered, by name.
struct SuiteAnswers {
    std::string file;
    std::optional<TensorFile> tensors = {};
    std::map<std::string, std::string> hex = {};
    std::vector<std::string> left = {};  // names not yet taken

    // Returns rows × head_dim values; none if there is no answer. Throws InputError for another
    // dtype or shape.
    std::optional<std::vector<double>> take(const SuiteCase& asked, Format format,
                                            SuiteOutput output) {
        const std::string name = answer_name(asked, format, output);
        if (std::erase(left, name) == 0) return std::nullopt;
        if (tensors) return values_of(tensors->named_array(name), asked, format);
        return decoded(file + ": " + name, hex.at(name), format,
                       asked.rows() * asked.spec.head_dim);
    }
};

// Reads answers.safetensors or answers.json. Throws InputError or IoError.
SuiteAnswers answers_in(const fs::path& folder) {
    std::error_code unknown;
    const bool has_tensors = fs::exists(folder / tensor_name, unknown);
    const bool has_json = fs::exists(folder / json_name, unknown);
    const std::string where = printable(folder.native());
    if (has_tensors == has_json)
        throw InputError(where + ": holds " + (has_json ? "both " : "neither ") + tensor_name +
                         (has_json ? " and " : " nor ") + json_name +
                         "; the program must write one");
    const fs::path path = folder / (has_json ? json_name : tensor_name);
    SuiteAnswers answers{printable(path.native())};
    if (has_json) {
        answers.hex = hex_answers(path);
        for (const auto& [name, hex] : answers.hex) answers.left.push_back(name);
    } else {
        answers.tensors = open_tensor_file(path.native());
        answers.left = answers.tensors->names();
    }
    if (answers.left.empty()) throw InputError(answers.file + ": holds no answer");
    return answers;
}

// A case's answers in one format.
struct FormatAnswers {
    std::vector<SuiteTest> tests;
    std::vector<std::vector<double>> got;
};

bool explains(const FormatAnswers& answers, Arithmetic arithmetic) {
    for (std::size_t i = 0; i < answers.got.size(); ++i)
        if (!answers.tests[i].worst(answers.got[i], arithmetic).holds()) return false;
    return true;
}

Arithmetic most_exact(const FormatAnswers& answers) {
    for (const Arithmetic each : arithmetics)
        if (explains(answers, each)) return each;
    return least_exact;
}

void judge_format(const SuiteValues& values, Format format, SuiteAnswers& answers,
                  std::optional<Arithmetic> arithmetic, AnsweredCase& to) {
    FormatAnswers given;
    const std::size_t first = to.tests.size();
    for (const SuiteOutput output : suite_outputs) {
        auto got = answers.take(to.asked, format, output);
        to.tests.push_back({format, output, got.has_value()});
        if (!got) continue;
        given.tests.emplace_back(to.asked, values, output, format);
        given.got.push_back(std::move(*got));
    }
    const Arithmetic like = arithmetic.value_or(most_exact(given));
    std::size_t i = 0;
    for (AnsweredTest& test : std::span(to.tests).subspan(first)) {
        test.like = like;
        if (!test.is_answered) continue;
        test.worst = given.tests[i].worst(given.got[i], like);
        ++i;
    }
}

Json worst_json(const SuiteCase& asked, const AnsweredTest& test) {
    const SuiteWorst& worst = test.worst;
    return {
        {"ratio", json_number(worst.ratio)},
        {"row", worst.row},
        {"positions", json_array(asked.positions,
                                 [&](const auto& axis) { return json_position(axis[worst.row]); })},
        {"dimension", worst.dimension},
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
    return (asked.positions.size() > 1 ? "positions " : "position ") +
           join(asked.positions, [&](const auto& axis) { return axis[row]; });
}

std::string failure(const AnsweredCase& one, const AnsweredTest& test) {
    const SuiteWorst& worst = test.worst;
    return fmt::format(
        "FAIL {} {} {}\n     worst at row {}, {}, dimension {}: {}\n     got {}, want {}, allowed "
        "{}\n",
        one.asked.id, to_string(test.format), to_string(test.output), worst.row,
        positions_of(one.asked, worst.row), worst.dimension,
        worst.ratio < 1e300 ? brief(worst.ratio) + "x the tolerance" : "no error is allowed",
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

AnsweredSuite judge_suite(const std::filesystem::path& folder, std::string program,
                          std::optional<Arithmetic> arithmetic, TaskCount* cases) {
    SuiteAnswers answers = answers_in(folder);
    AnsweredSuite suite{std::move(program), arithmetic, {}};
    std::vector<SuiteCase> all = suite_cases();
    if (cases != nullptr) cases->all += all.size();
    for (SuiteCase& asked : all) {
        AnsweredCase& one = suite.cases.emplace_back(AnsweredCase{std::move(asked), {}});
        const SuiteValues values(one.asked, suite.cases.size() - 1);
        for (const Format format : suite_formats)
            judge_format(values, format, answers, arithmetic, one);
        for (const AnsweredTest& test : one.tests) {
            ++suite.tests;
            suite.answered += test.is_answered;
            suite.violated += test.is_answered && !test.worst.holds();
        }
        if (cases != nullptr) ++cases->ended;
    }
    if (!answers.left.empty())
        throw InputError(answers.file + ": '" + printable(answers.left.front(), 60) +
                         "' is no answer's name; they are CASE/DTYPE/OUTPUT, such as "
                         "default-half/float32/q_rot");
    return suite;
}

Document suite_document(const AnsweredSuite& suite, bool verbose, bool quiet) {
    constexpr std::size_t few = 5;
    const std::string wrong = failures(suite, verbose ? suite.tests : few);
    Document document;
    document.text = document.markdown = legend(suite);
    document.gap().table(cells_of(suite), 0);
    document.text =
        (quiet ? "" : document.text + "\n") + wrong + (wrong.empty() ? "" : "\n") + outcome(suite);
    document.markdown += "\n" + outcome(suite);
    document.json = json_of(suite);
    return document;
}

}  // namespace rope::io
