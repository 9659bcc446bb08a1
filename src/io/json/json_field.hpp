// A check's own field as JSON.
#pragma once

#include <variant>

#include "io/json/json_number.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

inline nlohmann::ordered_json field_json(const FieldValue& value) {
    using Json = nlohmann::ordered_json;
    struct Visitor {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(std::uint64_t n) const { return n; }
        Json operator()(double x) const { return json_number(x); }
        Json operator()(const std::string& text) const { return text; }
    };
    return std::visit(Visitor{}, value);
}

}  // namespace rope::io
