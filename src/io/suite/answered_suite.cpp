// The answers of a program to the conformance suite, and their verdicts.
#include "io/suite/answered_suite.hpp"

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
#include "io/json/json_input.hpp"
#include "io/shape/position_ids.hpp"
#include "io/suite/suite_files.hpp"
#include "io/tensor/tensor_file.hpp"
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
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(number_at(element_of(format), &bytes[i * size]));
    return values;
}

std::vector<double> values_of(const NamedArray& named, const SuiteCase& asked, Format format) {
    const Array& array = named.array;
    const std::vector<std::uint64_t> shape{asked.rows(), asked.spec.head_dim};
    if (array.element != element_of(format) || array.shape != shape)
        throw InputError(named.name + ": holds " + std::string(to_string(array.element)) + " " +
                         shape_text(array.shape) + "; it must be " +
                         std::string(to_string(format)) + " " + shape_text(shape));
    std::vector<double> values;
    for (std::uint64_t i = 0; i < array.size(); ++i) values.push_back(array.at(i));
    return values;
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

}  // namespace rope::io
