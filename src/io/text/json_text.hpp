// Untrusted JSON, parsed within limits, and JSON output: numbers, fields, Specs and its text.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/text.hpp"
#include "rope/checks/report.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

using Json = nlohmann::ordered_json;  // keeps the order of its keys

inline constexpr std::uint64_t max_json_bytes = std::uint64_t{16} << 20;
inline constexpr std::size_t max_json_depth = 64;
inline constexpr std::size_t max_json_keys = 100'000;
inline constexpr std::size_t max_json_values = 1'000'000;

// Throws InputError, prefixed with `name`, for a syntax error, a NUL byte, invalid UTF-8 or text
// after the value, with line and column; for a repeated key; for a number outside float64.
nlohmann::json parse_json(std::string_view text, const std::string& name);

// Throws IoError as well, as read_file does.
nlohmann::json read_json(const std::filesystem::path& path);

// Returns NaN and infinities as strings, for which the library would write null.
inline Json json_number(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    return x;
}

// Returns null for nothing.
template <class T>
Json or_null(const std::optional<T>& value) {
    if (!value) return nullptr;
    if constexpr (std::is_same_v<T, double>)
        return json_number(*value);
    else
        return *value;
}

// Returns 4097, not 4097.0. Requires |position| < 2^63.
inline Json json_position(double position) {
    if (position != std::trunc(position)) return position;
    return static_cast<std::int64_t>(position);
}

inline nlohmann::json whole_if_it_is(double x) {
    if (x >= 0 && x < 0x1p53 && x == std::trunc(x)) return static_cast<std::uint64_t>(x);
    return x;
}

// Whether a list holds only such values.
template <bool (nlohmann::json::*is)() const noexcept>
bool is_list_of(const nlohmann::json& value) {
    return value.is_array() && std::ranges::all_of(value, is);
}

// Returns a field of a check as JSON.
inline Json field_json(const FieldValue& value) {
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return *n;
    if (const auto* x = std::get_if<double>(&value)) return json_number(*x);
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? Json(*text) : Json();
}

// Returns JSON on one line, or indented by `indent` spaces. Strings are escaped as by
// printable_json; bytes that are not UTF-8 are written as \xff. All JSON output uses this function.
std::string json_text(nlohmann::json json, int indent = -1);
std::string json_text(Json json, int indent = -1);

// {"schema": …, "tool": {"name", "version"}}
Json json_head(std::string_view schema);
// Returns the head and then these members as text.
std::string json_document(std::string_view schema, const Json& members);

// Returns an array with json_of(item) for each item.
template <class List, class JsonOf>
Json json_array(const List& list, const JsonOf& json_of) {
    Json all = Json::array();
    for (const auto& one : list) all.push_back(std::invoke(json_of, one));
    return all;
}

// Returns an array with one item per line, for readable diffs, in an object at this indentation.
template <class List, class JsonOf = std::identity>
std::string json_lines(const List& list, const std::string& indent, const JsonOf& json_of = {}) {
    const auto line = [&](const auto& one) {
        return "\n" + indent + indent + json_text(Json(std::invoke(json_of, one)));
    };
    return list.empty() ? "[]" : "[" + join(list, line, ",") + "\n" + indent + "]";
}

// Returns the value of a field by its name in a config; null if there is no such field or no value.
Json setting_value(const Spec& spec, std::string_view field);
// Returns the value as options take it: 500000, true, "16,24,24"; empty for null.
std::string setting_text(const Json& value);
// The same, but "64 numbers" for a list that is too long for a line.
std::string short_text(const Json& value);

// {"head_dim": …, "rotary_dim": …, "layout": …, …, "rope_parameters": {"rope_type": …, …}}
Json spec_json(const Spec& spec);

}  // namespace rope::io
