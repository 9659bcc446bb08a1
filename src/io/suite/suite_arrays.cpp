#include "io/suite/suite_arrays.hpp"

#include <map>
#include <string_view>
#include <utility>

namespace rope::io {
namespace {

std::vector<double> flat_positions(const SuiteCase& suite_case) {
    std::vector<double> flat;
    for (const std::vector<double>& axis : suite_case.positions)
        flat.insert(flat.end(), axis.begin(), axis.end());
    return flat;
}

// Lanes as read, lanes as written, axis.
std::vector<double> flat_pairs(const Spec& spec) {
    std::vector<double> flat;
    for (const SuitePair& pair : suite_pairs(spec))
        for (const std::size_t number :
             {pair.reads[0], pair.reads[1], pair.writes[0], pair.writes[1], std::size_t{pair.axis}})
            flat.push_back(static_cast<double>(number));
    return flat;
}

std::vector<double> rounding_allowances(double amplitude) {
    std::vector<double> all;
    for (const Format format : suite_formats) all.push_back(rounding_allowance(format, amplitude));
    return all;
}

}  // namespace

std::string answer_name(const SuiteCase& suite_case, Format format, SuiteOutput output) {
    return suite_case.id + "/" + std::string(to_string(format)) + "/" +
           std::string(to_string(output));
}

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
        rounding_allowances(values.plan().attention_factor));
    add("positions", Element::int32, {axes, rows}, flat_positions(suite_case));
    add("pairs", Element::int32, {pairs, 5}, flat_pairs(suite_case.spec));
    add("inv_freq", Element::float64, {pairs},
        GoldenRows(suite_case.spec, Format::float64).inv_freq());
    for (const Arithmetic arithmetic : arithmetics)
        add("angle/" + std::string(to_string(arithmetic)), Element::float32, {rows, pairs},
            angle_allowances(suite_case, values.plan(), arithmetic));
    for (const SuiteOutput output : suite_outputs)
        add(input_of(output), Element::float32, {rows, width}, values.input(output));
    for (const Format format : suite_formats)
        for (const SuiteOutput output : suite_outputs)
            arrays.push_back(
                {answer_name(suite_case, format, output),
                 encoded(element_of(format), {rows, width}, values.answer(output, format))});
    return arrays;
}

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

}  // namespace rope::io
