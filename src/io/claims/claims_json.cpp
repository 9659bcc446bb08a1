#include <nlohmann/json.hpp>
#include <optional>

#include "io/claims/claims.hpp"
#include "io/json/json_text.hpp"

namespace rope::io {
namespace {

using namespace ledger;
using Json = nlohmann::ordered_json;

std::string_view to_string(Evidence evidence) {
    if (evidence == Evidence::none) return "none";
    return evidence == Evidence::in_favour ? "in favour" : "against";
}

// Numbers are strings: they have more digits than a float64.
Json number_json(const Number& number) {
    return {{"label", number.label},
            {"value", number.text()},
            {"unit", number.unit},
            {"recorded", number.recorded.text()},
            {"agrees", number.agrees()}};
}

Json step_json(const Step& step) {
    Json numbers = Json::array();
    for (const Number& number : step.numbers) numbers.push_back(number_json(number));
    return {{"sentence", step.sentence},
            {"evidence", to_string(step.evidence)},
            {"holds", step.holds},
            {"numbers", std::move(numbers)}};
}

Json claim_json(const Claim& claim) {
    const auto& [work, entry] = claim;
    return {{"id", entry->id},
            {"work", work->key},
            {"title", work->title},
            {"section", entry->section},
            {"statement", entry->statement},
            {"status", ledger::to_string(entry->status)},
            {"see", entry->see},
            {"steps", nullptr},
            {"supported", nullptr}};
}

Json claim_json(const DerivedClaim& claim) {
    Json json = claim_json(claim.claim);
    Json steps = Json::array();
    for (const Step& step : claim.derivation.steps()) steps.push_back(step_json(step));
    json["steps"] = std::move(steps);
    json["supported"] = claim.supported();
    return json;
}

template <class Claims>
std::string document(const Claims& claims, std::string_view version) {
    Json list = Json::array();
    for (const auto& claim : claims) list.push_back(claim_json(claim));
    const Json json{{"schema", claims_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"claims", std::move(list)}};
    return json_text(json, 2) + "\n";
}

}  // namespace

std::string claims_json(std::span<const Claim> claims, std::string_view version) {
    return document(claims, version);
}

std::string claims_json(std::span<const DerivedClaim> claims, std::string_view version) {
    return document(claims, version);
}

}  // namespace rope::io
