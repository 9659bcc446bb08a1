// The files of the conformance suite, the answers of a program to it, and their verdicts.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ranges>

#include "base/text.hpp"
#include "io/audit/suite_files.hpp"
#include "io/dump/shape.hpp"
#include "io/tensor/tensor_file.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* tensor_name = "answers.safetensors";
constexpr const char* json_name = "answers.json";

// "yarn-interleaved/bfloat16/q_rot"
std::string answer_name(const SuiteCase& suite_case, Format format, SuiteOutput output) {
    return suite_case.id + "/" + std::string(to_string(format)) + "/" +
           std::string(to_string(output));
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
        std::uint8_t byte = 0;
        const char* const end = hex.data() + i + 2;
        if (std::from_chars(hex.data() + i, end, byte, 16).ptr != end)
            throw InputError(name + ": '" + printable(hex.substr(i, 2)) +
                             "' is not two hexadecimal digits");
        bytes.push_back(std::byte{byte});
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
        FileBytes bytes = read_file(path, MemoryLimit{}.bytes);
        const std::uint64_t size = bytes.size();
        answers.tensors = tensor_file_of(path.native(), {std::move(bytes), size});
        answers.left = answers.tensors->names();
    }
    if (answers.left.empty()) throw InputError(answers.file + ": holds no answer");
    return answers;
}

// One answer and its test.
struct Given {
    SuiteTest test;
    std::vector<double> got;

    SuiteWorst worst(Arithmetic arithmetic) const { return test.worst(got, arithmetic); }
};

Arithmetic most_exact(const std::vector<Given>& all) {
    for (const Arithmetic each : arithmetics)
        if (std::ranges::all_of(all, [&](const Given& one) { return one.worst(each).holds(); }))
            return each;
    return least_exact;
}

void judge_format(const SuiteValues& values, Format format, SuiteAnswers& answers,
                  std::optional<Arithmetic> arithmetic, AnsweredCase& to) {
    std::vector<Given> given;
    for (const SuiteOutput output : suite_outputs) {
        auto got = answers.take(to.asked, format, output);
        to.tests.push_back({format, output, got.has_value()});
        if (got) given.push_back({{to.asked, values, output, format}, std::move(*got)});
    }
    const Arithmetic like = arithmetic.value_or(most_exact(given));
    auto next = given.begin();
    for (AnsweredTest& test : std::span(to.tests).last(suite_outputs.size())) {
        test.like = like;
        if (test.is_answered) test.worst = next++->worst(like);
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

// Dimensions read, dimensions written, axis.
std::vector<double> flat_pairs(const Spec& spec) {
    std::vector<double> flat;
    for (const SuitePair& pair : suite_pairs(spec))
        for (const std::size_t number :
             {pair.reads[0], pair.reads[1], pair.writes[0], pair.writes[1], std::size_t{pair.axis}})
            flat.push_back(static_cast<double>(number));
    return flat;
}

constexpr std::string_view suite_schema = "rope-check-suite/1";
constexpr std::string_view suite_vectors_schema = "rope-check-suite-vectors/1";
constexpr std::string_view tolerance_rule =
    "|got - want| <= norm * (angle + rounding) in both dimensions that a pair writes: norm is "
    "sqrt(x1^2 + x2^2) of the dimensions that it reads, angle the array ID/angle/ARITHMETIC at "
    "this row and pair, rounding the case's for the dtype; a dimension that no pair writes is "
    "equal to the input";

// Returns the arrays of case ID: ID/shape (rows, head_dim, pairs), ID/attention_factor, ID/rounding
// per dtype, ID/positions [axes, rows], ID/pairs [pairs, 5], ID/inv_freq, ID/q, ID/k and ID/dy
// [rows, head_dim], ID/angle/ARITHMETIC [rows, pairs], and ID/DTYPE/q_rot, k_rot and dx.
std::vector<WrittenArray> case_arrays(const SuiteCase& suite_case, const SuiteValues& values) {
    const std::uint64_t rows = suite_case.rows(), width = suite_case.spec.head_dim;
    const std::uint64_t pairs = suite_case.spec.pairs(), axes = suite_case.positions.size();
    const auto positions = std::views::join(suite_case.positions);
    std::vector<WrittenArray> arrays;
    const auto add = [&](std::string_view name, Element element, std::vector<std::uint64_t> shape,
                         const std::vector<double>& numbers) {
        arrays.push_back(
            {suite_case.id + "/" + std::string(name), encoded(element, std::move(shape), numbers)});
    };
    add("shape", Element::int32, {3},
        {static_cast<double>(rows), static_cast<double>(width), static_cast<double>(pairs)});
    add("attention_factor", Element::float64, {1}, {values.plan().attention_factor});
    add("rounding", Element::float64, {suite_formats.size()},
        mapped<double>(suite_formats, [&](Format format) {
            return rounding_tolerance(format, values.plan().attention_factor);
        }));
    add("positions", Element::int32, {axes, rows}, {positions.begin(), positions.end()});
    add("pairs", Element::int32, {pairs, 5}, flat_pairs(suite_case.spec));
    add("inv_freq", Element::float64, {pairs},
        GoldenRows(suite_case.spec, Format::float64).inv_freq());
    for (const Arithmetic arithmetic : arithmetics)
        add("angle/" + std::string(to_string(arithmetic)), Element::float32, {rows, pairs},
            angle_tolerances(suite_case, values.plan(), arithmetic));
    for (const SuiteOutput output : suite_outputs)
        add(input_of(output), Element::float32, {rows, width}, values.input(output));
    for (const Format format : suite_formats)
        for (const SuiteOutput output : suite_outputs)
            arrays.push_back(
                {answer_name(suite_case, format, output),
                 encoded(element_of(format), {rows, width}, values.answer(output, format))});
    return arrays;
}

// Returns the right answer's name with "/wrong/base", or "/wrong/direction-2" for a mistake's
// second answer.
std::vector<std::string> wrong_names(std::span<const WrongAnswer> wrong) {
    std::vector<std::string> names;
    std::map<std::string_view, int> count;
    for (const WrongAnswer& one : wrong) {
        const int nth = ++count[one.mistake];
        names.push_back(std::string(one.of_case) + "/float32/" +
                        std::string(to_string(one.output)) + "/wrong/" + std::string(one.mistake) +
                        (nth == 1 ? "" : "-" + std::to_string(nth)));
    }
    return names;
}

Json case_json(const SuiteCase& one, const FrequencyPlan& plan) {
    Json rounding = Json::object();
    for (const Format format : suite_formats)
        rounding[std::string(to_string(format))] =
            rounding_tolerance(format, plan.attention_factor);
    return {{"id", one.id},
            {"spec", spec_json(one.spec)},
            {"rows", one.rows()},
            {"head_dim", one.spec.head_dim},
            {"attention_factor", plan.attention_factor},
            {"rounding", std::move(rounding)}};
}

Json wrong_json(const WrongAnswer& one, const std::string& name) {
    return {{"name", name},        {"mistake", one.mistake}, {"what", one.what},
            {"case", one.of_case}, {"dtype", "float32"},     {"output", to_string(one.output)}};
}

std::string manifest(const std::vector<Json>& cases, const std::vector<Json>& wrong) {
    Json head{{"schema", suite_schema},
              {"files",
               {{"schema", "manifest.schema.json"},
                {"safetensors", "vectors.safetensors"},
                {"hex", "vectors.json"}}},
              {"tolerance", tolerance_rule},
              {"arithmetics", json_array(arithmetics,
                                         [](Arithmetic one) {
                                             return Json{{"name", to_string(one)},
                                                         {"what", in_words(one)}};
                                         })},
              {"dtypes", json_array(suite_formats, [](Format one) { return to_string(one); })},
              {"outputs", json_array(suite_outputs, [](SuiteOutput one) {
                   return Json{{"name", to_string(one)},
                               {"input", input_of(one)},
                               {"transposed", one == SuiteOutput::dx}};
               })}};
    std::string text = json_text(std::move(head));
    text.pop_back();
    return text + ",\n\"cases\":" + json_lines(cases, "") +
           ",\n\"wrong\":" + json_lines(wrong, "") + "\n}\n";
}

std::string hex_json(const std::vector<WrittenArray>& arrays) {
    std::string text = "{\"schema\":\"" + std::string(suite_vectors_schema) + "\",\"arrays\":{";
    for (const WrittenArray& one : arrays) {
        std::string hex;
        write_bytes(one, [&](std::string_view part) {
            for (const char c : part) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
        });
        text += (&one == arrays.data() ? "\n" : ",\n") + json_text(Json(one.name)) + ":" +
                json_text(Json{{"dtype", to_string(one.array.element)},
                               {"shape", one.array.shape},
                               {"hex", std::move(hex)}});
    }
    return text + "\n}}\n";
}

std::string safetensors(const std::vector<WrittenArray>& arrays) {
    std::string bytes;
    write_safetensors(arrays, {{"schema", std::string(suite_schema)}},
                      [&](std::string_view part) { bytes += part; });
    return bytes;
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
    document.verdict = wrong + (wrong.empty() ? "" : "\n") + outcome(suite);
    document.text = (quiet ? "" : document.text + "\n") + document.verdict;
    document.markdown += "\n" + outcome(suite);
    document.json = json_of(suite);
    return document;
}

std::vector<SuiteFile> suite_files() {
    const std::vector<SuiteCase> all = suite_cases();
    std::vector<Json> cases, faults;
    std::vector<WrittenArray> arrays;
    for (std::size_t place = 0; place < all.size(); ++place) {
        const SuiteValues values(all[place], place);
        cases.push_back(case_json(all[place], values.plan()));
        for (WrittenArray& array : case_arrays(all[place], values))
            arrays.push_back(std::move(array));
    }
    const std::vector<WrongAnswer> wrong = wrong_answers(all);
    const std::vector<std::string> names = wrong_names(wrong);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        faults.push_back(wrong_json(wrong[i], names[i]));
        const auto& right = *std::ranges::find(all, wrong[i].of_case, &SuiteCase::id);
        arrays.push_back(
            {names[i], encoded(Element::float32, {right.rows(), right.spec.head_dim}, wrong[i].y)});
    }
    return {{"manifest.json", manifest(cases, faults)},
            {"manifest.schema.json", std::string(suite_schema_text)},
            {"vectors.safetensors", safetensors(arrays)},
            {"vectors.json", hex_json(arrays)}};
}

void write_files(std::span<const SuiteFile> files, const std::filesystem::path& folder) {
    for (const SuiteFile& file : files) write_file_atomically(folder / file.name, file.bytes);
}

void require_files(std::span<const SuiteFile> files, const std::filesystem::path& folder) {
    constexpr std::uint64_t most = std::uint64_t{1} << 26;
    for (const SuiteFile& file : files)
        if (as_text(read_file(folder / file.name, most)) != file.bytes)
            throw InputError(printable((folder / file.name).native()) + ": is not this version's " +
                             std::string(suite_schema) +
                             "; write it again: rope-check export --suite NEW_DIR");
}

}  // namespace rope::io
