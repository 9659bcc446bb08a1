#include "io/config/spec_json.hpp"

#include <optional>
#include <vector>

#include "io/json/json_number.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {
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
