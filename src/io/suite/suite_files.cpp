#include "io/suite/suite_files.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/read_file.hpp"
#include "io/file/write_file.hpp"
#include "io/json/json_text.hpp"
#include "io/tensor/written_array.hpp"

namespace rope::io {
namespace {

std::vector<double> flat_positions(const SuiteCase& suite_case) {
    std::vector<double> flat;
    for (const std::vector<double>& axis : suite_case.positions)
        flat.insert(flat.end(), axis.begin(), axis.end());
    return flat;
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

std::vector<double> rounding_tolerances(double amplitude) {
    std::vector<double> all;
    for (const Format format : suite_formats) all.push_back(rounding_tolerance(format, amplitude));
    return all;
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
        rounding_tolerances(values.plan().attention_factor));
    add("positions", Element::int32, {axes, rows}, flat_positions(suite_case));
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

// A member of an object, with one item per line.
std::string lines_of(std::string_view key, const std::vector<Json>& items) {
    std::string text = ",\n\"" + std::string(key) + "\":[";
    for (const Json& item : items) text += (&item == items.data() ? "\n" : ",\n") + json_text(item);
    return text + "\n]";
}

std::string manifest(const std::vector<Json>& cases, const std::vector<Json>& wrong) {
    Json head{{"schema", suite_schema},
              {"files",
               {{"schema", "manifest.schema.json"},
                {"safetensors", "vectors.safetensors"},
                {"hex", "vectors.json"}}},
              {"tolerance", tolerance_rule},
              {"arithmetics", Json::array()},
              {"dtypes", Json::array()},
              {"outputs", Json::array()}};
    for (const Arithmetic arithmetic : arithmetics)
        head["arithmetics"].push_back(
            {{"name", to_string(arithmetic)}, {"what", in_words(arithmetic)}});
    for (const Format format : suite_formats) head["dtypes"].push_back(to_string(format));
    for (const SuiteOutput output : suite_outputs)
        head["outputs"].push_back({{"name", to_string(output)},
                                   {"input", input_of(output)},
                                   {"transposed", output == SuiteOutput::dx}});
    std::string text = json_text(std::move(head));
    text.pop_back();
    return text + lines_of("cases", cases) + lines_of("wrong", wrong) + "\n}\n";
}

std::string hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string hex_json(const std::vector<WrittenArray>& arrays) {
    std::string text = "{\"schema\":\"" + std::string(suite_vectors_schema) + "\",\"arrays\":{";
    for (const WrittenArray& one : arrays) {
        std::string bytes;
        write_bytes(one, [&](std::string_view part) { bytes += part; });
        text += (&one == arrays.data() ? "\n" : ",\n") + json_text(Json(one.name)) + ":" +
                json_text(Json{{"dtype", to_string(one.array.element)},
                               {"shape", one.array.shape},
                               {"hex", hex(bytes)}});
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

std::string answer_name(const SuiteCase& suite_case, Format format, SuiteOutput output) {
    return suite_case.id + "/" + std::string(to_string(format)) + "/" +
           std::string(to_string(output));
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
