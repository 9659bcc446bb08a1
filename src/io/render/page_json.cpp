#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/base64.hpp"
#include "io/json/json_text.hpp"
#include "io/lint/lint.hpp"
#include "io/render/report_text.hpp"
#include "io/render/results.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

template <class Whole>
void append(std::string& bytes, Whole value) {
    for (unsigned shift = 0; shift < 8 * sizeof value; shift += 8)
        bytes += static_cast<char>(value >> shift & 0xff);
}

std::string packed(std::span<const ErrorPlace> places) {
    constexpr std::uint32_t sine = 0x80000000, nowhere = std::numeric_limits<std::uint32_t>::max();
    std::string bytes;
    for (const double ErrorPlace::* part :
         {&ErrorPlace::position, &ErrorPlace::got, &ErrorPlace::want})
        for (const ErrorPlace& place : places)
            append(bytes, std::bit_cast<std::uint64_t>(place.*part));
    for (const ErrorPlace& place : places)
        append(bytes, place.error < 0 ? nowhere : place.pair | (place.is_sine ? sine : 0));
    return bytes;
}

std::string_view to_string(PositionScale scale) {
    if (scale == PositionScale::listed) return "listed";
    return scale == PositionScale::log ? "log" : "linear";
}

Json cells_json(const ErrorMap& errors) {
    if (errors.columns() == 0) return nullptr;
    const PositionParts& positions = errors.positions;
    return {{"scale", to_string(positions.scale)},
            {"first", json_number(positions.first)},
            {"last", json_number(positions.last)},
            {"edges", positions.edges},
            {"pairs", errors.pairs},
            {"pairs_per_row", errors.pairs_per_row},
            {"rows", errors.rows()},
            {"columns", errors.columns()},
            {"places", base64_of(packed(errors.places))}};
}

Json failures_json(const Results& results) {
    Json all = Json::array();
    for (const Failure& failure : failures(results))
        all.push_back({{"name", failure.name},
                       {"subject", failure.subject},
                       {"reason", failure.reason},
                       {"cause", failure.cause},
                       {"reproduce", failure.again}});
    return all;
}

Json page_object(const Explorer& explorer, std::string_view version) {
    Json models = Json::array();
    for (const NamedModel& model : explorer.models)
        models.push_back({{"name", model.name}, {"spec", spec_json(model.spec)}});
    return {{"tool", {{"name", "rope-check"}, {"version", version}}},
            {"spec", spec_json(explorer.spec)},
            {"models", std::move(models)}};
}

}  // namespace

std::string page_json(const Explorer& explorer, std::string_view version) {
    return json_text(page_object(explorer, version));
}

std::string page_json(const Explorer& explorer, std::span<const MappedReport> subjects,
                      const Results& results, std::string_view version) {
    Json json = page_object(explorer, version);
    json["headline"] = headline(results);
    json["exit_code"] = exit_code(results);
    json["failures"] = failures_json(results);
    json["lint"] = lint_json(results.lint);
    Json& all = json["subjects"] = Json::array();
    for (const MappedReport& subject : subjects) {
        const Report& report = subject.report;
        all.push_back(
            {{"label", subject.label},
             {"parameters", parameters(report)},
             {"accuracy", accuracy_text(report, true)},
             {"report", report_object(report, version, exit_code(report, results.required))},
             {"cells", cells_json(subject.errors)}});
    }
    return json_text(std::move(json));
}

}  // namespace rope::io
