#include "io/json/json_text.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
namespace {

template <typename Json>
void make_utf8(Json& json) {
    if (json.is_string()) {
        auto& text = json.template get_ref<std::string&>();
        if (!is_utf8(text)) text = printable(text, text.size());
    }
    if (json.is_structured())
        for (Json& item : json) make_utf8(item);
}

template <typename Json>
std::string text_of(Json json, int indent) {
    make_utf8(json);
    // a key that is not UTF-8 gets U+FFFD: nothing here throws
    return printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string json_text(nlohmann::json json, int indent) { return text_of(std::move(json), indent); }
std::string json_text(nlohmann::ordered_json json, int indent) {
    return text_of(std::move(json), indent);
}

nlohmann::ordered_json json_head(std::string_view schema) {
    return {{"schema", schema},
            {"tool", {{"name", "rope-check"}, {"version", ROPE_CHECK_VERSION}}}};
}

std::string json_document(std::string_view schema, const nlohmann::ordered_json& members) {
    nlohmann::ordered_json json = json_head(schema);
    json.update(members);
    return json_text(std::move(json), 2) + "\n";
}

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json json_of(const std::optional<T>& value) {
    return *value;
}
Json json_of(const std::vector<double>& list) { return list; }

Json rope_parameters_json(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    Json json{{"rope_type", scaling.rope_type}, {"rope_theta", json_number(spec.rope_theta)}};
    for (const ScalingField& field : scaling_fields())
        std::visit(
            [&](auto member) {
                if (is_set(scaling.*member)) json[field.name] = json_of(scaling.*member);
            },
            field.member);
    return json;
}

}  // namespace

Json spec_json(const Spec& spec) {
    Json json{{"head_dim", spec.head_dim},
              {"rotary_dim", spec.rotary_dim},
              {"layout", to_string(spec.layout)},
              {"max_position_embeddings", spec.max_position_embeddings}};
    if (spec.rotary_offset != 0) json["rotary_offset"] = spec.rotary_offset;
    if (spec.direction != Direction::forward) json["direction"] = to_string(spec.direction);
    if (spec.seq_len) json["seq_len"] = *spec.seq_len;
    if (spec.axes.scheme != AxisScheme::single) json["axes"] = to_string(spec.axes.scheme);
    if (!spec.axes.sections.empty()) json["mrope_section"] = spec.axes.sections;
    if (!spec.reading.empty()) json["reading"] = spec.reading;
    json["rope_parameters"] = rope_parameters_json(spec);
    return json;
}

}  // namespace rope::io
