#include "io/audit/request_json.hpp"

#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "io/config/spec_json.hpp"
#include "io/json/json_input.hpp"
#include "io/json/json_number.hpp"
#include "io/json/json_text.hpp"
#include "io/render/command_line.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* reading_key = "reading";  // of spec_json

[[noreturn]] void refuse_request(const std::string& name) {
    throw InputError(name + ": is not what `rope-check audit new` writes; write the request again");
}

std::uint64_t whole_of(const nlohmann::json& json, const std::string& name) {
    if (!json.is_number_unsigned()) refuse_request(name);
    return json.get<std::uint64_t>();
}

Spec spec_of(const nlohmann::json& words, const std::string& name) {
    std::vector<Flag> flags;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        if (!words[i].is_string() || !words[i + 1].is_string()) refuse_request(name);
        const Flag flag{words[i].get<std::string>(), words[i + 1].get<std::string>()};
        if (flag.name != rope_option) {
            flags.push_back(flag);
            continue;
        }
        for (const Flag& pair : pairs_of_rope(flag.value))
            flags.push_back({std::string(rope_option) + " " + pair.name, pair.value});
    }
    return resolve_spec(std::nullopt, flags).spec;
}

// Its rules are in the Spec already.
std::string reading_of(const nlohmann::json& json, const std::string& name) {
    if (!json.is_string()) refuse_request(name);
    return std::string(find_reading(json.get_ref<const std::string&>()).name);
}

RequestForm form_of(const nlohmann::json& own, const std::string& name) {
    const auto is_set = [&](const char* key) { return own.contains(key) && own[key] == true; };
    RequestForm form{.is_raw = is_set("raw"), .is_backward = is_set("backward")};
    if (own.contains("contiguous")) form.contiguous = whole_of(own["contiguous"], name);
    if (own.contains("offset")) form.offset = whole_of(own["offset"], name);
    return form;
}

AuditGroups groups_of(const nlohmann::json& own, const std::string& name) {
    AuditGroups groups;
    if (own.contains("batch")) groups.batch = whole_of(own["batch"], name);
    if (own.contains("heads")) groups.heads = whole_of(own["heads"], name);
    if (own.contains("position_axes") && own["position_axes"] == "s")
        groups.order = SequenceOrder::shared;
    if (own.contains("contiguous")) groups.order = SequenceOrder::as_they_are;
    return groups;
}

}  // namespace

std::string request_json(const Request& request) {
    const Audit& audit = request.audit;
    nlohmann::ordered_json json = spec_json(audit.spec),
                           positions = nlohmann::ordered_json::array();
    for (const double position : audit.positions[0]) positions.push_back(json_position(position));
    json["rope_check"] = {{"spec", spec_words(audit.spec)},
                          {"positions", std::move(positions)},
                          {"seed", audit.seed}};
    nlohmann::ordered_json& own = json["rope_check"];
    if (audit.groups.batch > 1) own["batch"] = audit.groups.batch;
    if (audit.groups.heads > 1) own["heads"] = audit.groups.heads;
    if (audit.groups.order == SequenceOrder::shared) own["position_axes"] = "s";
    if (request.form.contiguous > 0) own["contiguous"] = request.form.contiguous;
    if (request.form.offset > 0) own["offset"] = request.form.offset;
    if (request.form.is_backward) own["backward"] = true;
    if (request.form.is_raw) own["raw"] = true;
    return json_text(json, 2) + "\n";
}

Request read_request(const fs::path& folder) {
    const std::string name = printable((folder / "spec.json").native());
    const nlohmann::json json = read_json(folder / "spec.json");
    if (!json.is_object() || !json.contains("rope_check")) refuse_request(name);
    const nlohmann::json& own = json["rope_check"];
    for (const char* key : {"spec", "positions", "seed"})
        if (!own.is_object() || !own.contains(key)) refuse_request(name);
    if (!own["spec"].is_array() || !own["positions"].is_array()) refuse_request(name);
    std::vector<double> positions;
    for (const nlohmann::json& position : own["positions"]) {
        if (!position.is_number()) refuse_request(name);
        positions.push_back(position.get<double>());
    }
    Spec spec = spec_of(own["spec"], name);
    if (json.contains(reading_key)) spec.reading = reading_of(json[reading_key], name);
    Request request{
        plan_audit(spec, std::move(positions), whole_of(own["seed"], name), groups_of(own, name)),
        form_of(own, name)};
    require_form(request);
    return request;
}

}  // namespace rope::io
