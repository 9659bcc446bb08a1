#include "io/text/json_text.hpp"

#include "base/utf8.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// The 1-based line and column of a byte: "line 3, column 14".
std::string place(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 = 0
    return "line " + decimal(line + 1) + ", column " + decimal(before.size() - line_start + 1);
}

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …" → the text
// after the place
std::string_view reason(std::string_view what) {
    constexpr std::string_view end_of_place = ": ";
    if (what.find("at line") != what.npos) what.remove_prefix(what.find("at line"));
    const std::size_t colon = what.find(end_of_place);
    if (colon != what.npos) what.remove_prefix(colon + end_of_place.size());
    if (what.starts_with("[json.exception.")) what.remove_prefix(what.find(']') + 2);
    return what;
}

// Builds the value while watching the limits; every callback may throw InputError.
class Builder {
  public:
    Builder(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    json take() { return std::move(root_); }

    bool null() { return put(nullptr); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(json::number_integer_t value) { return put(value); }
    bool number_unsigned(json::number_unsigned_t value) { return put(value); }
    bool number_float(json::number_float_t value, const std::string&) { return put(value); }
    bool string(std::string& value) { return put(std::move(value)); }
    bool binary(json::binary_t&) { return false; }  // does not occur in JSON text

    bool start_object(std::size_t) { return open(json::object()); }
    bool start_array(std::size_t) { return open(json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& key) {
        if (++keys_ > max_json_keys) refuse("has more than " + decimal(max_json_keys) + " keys");
        if (open_.back()->contains(key)) refuse("key '" + printable(key) + "' is given twice");
        key_ = std::move(key);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const json::exception& error) {
        const std::string_view why = reason(error.what());
        // `position` counts the bytes read, including the wrong one
        const std::size_t at = position == 0 ? 0 : position - 1;
        const auto is_at = [&](std::string_view word) {
            const std::size_t first = text_.find(word, at - std::min(at, word.size()));
            return first <= at;
        };
        refuse((why.starts_with("syntax error") ? "is not JSON: " : "") + place(text_, at) + ": " +
               (at < text_.size() && text_[at] == '/' ? "JSON has no comments"
                : is_at("NaN") || is_at("Infinity")   ? "JSON has no NaN and no Infinity"
                                                      : printable(why)));
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw InputError(name_ + ": " + what);
    }

    json* insert(json&& value) {
        if (++values_ > max_json_values)
            refuse("has more than " + decimal(max_json_values) + " values");
        if (open_.empty()) return &(root_ = std::move(value));
        json& parent = *open_.back();
        if (parent.is_object()) return &(parent[key_] = std::move(value));
        parent.push_back(std::move(value));
        return &parent.back();
    }

    bool put(json value) { return insert(std::move(value)) != nullptr; }

    bool open(json&& container) {
        if (open_.size() == max_json_depth)
            refuse("is nested deeper than " + decimal(max_json_depth) + " levels");
        open_.push_back(insert(std::move(container)));
        return true;
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    const std::string& name_;
    json root_;
    std::vector<json*> open_;  // the containers around the next value, outermost first
    std::string key_;
    std::size_t keys_ = 0;
    std::size_t values_ = 0;
};

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

template <typename T>
Json json_of(const std::optional<T>& value) {
    return or_null(value);
}
Json json_of(const std::vector<double>& list) { return list; }

Json rope_parameters_json(const Spec& spec) {
    Json json;
    for (const char* field : {"rope_type", "rope_theta"}) json[field] = setting_value(spec, field);
    for (const ScalingField& field : scaling_fields())
        if (is_set(spec.scaling, field)) json[field.name] = setting_value(spec, field.name);
    return json;
}

}  // namespace

json parse_json(std::string_view text, const std::string& name) {
    if (text.find_first_not_of(" \t\r\n") == text.npos) throw InputError(name + ": is empty");
    // the library takes a NUL byte as the end of the text
    if (const std::size_t nul = text.find('\0'); nul != text.npos)
        throw InputError(name + ": is not JSON: " + place(text, nul) + ": a NUL byte");
    Builder builder(text, name);
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

json read_json(const std::filesystem::path& path) {
    return parse_json(as_text(read_file(path, max_json_bytes)), printable(path.native()));
}

std::string json_text(nlohmann::json json, int indent) { return text_of(std::move(json), indent); }
std::string json_text(Json json, int indent) { return text_of(std::move(json), indent); }

Json json_head(std::string_view schema) {
    return {{"schema", schema},
            {"tool", {{"name", "rope-check"}, {"version", ROPE_CHECK_VERSION}}}};
}

std::string json_document(std::string_view schema, const Json& members) {
    Json json = json_head(schema);
    json.update(members);
    return json_text(std::move(json), 2) + "\n";
}

Json setting_value(const Spec& spec, std::string_view field) {
    if (field == "head_dim") return spec.head_dim;
    if (field == "rotary_dim") return spec.rotary_dim;
    if (field == "rotary_offset") return spec.rotary_offset;
    if (field == "layout") return to_string(spec.layout);
    if (field == "direction") return to_string(spec.direction);
    if (field == "max_position_embeddings") return spec.max_position_embeddings;
    if (field == "rope_theta") return json_number(spec.rope_theta);
    if (field == "rope_type") return spec.scaling.rope_type;
    if (field == "seq_len") return or_null(spec.seq_len);
    if (field == "axes") return to_string(spec.axes.scheme);
    if (field == "mrope_section")
        return std::vector<double>(spec.axes.sections.begin(), spec.axes.sections.end());
    if (field == "mrope_interleaved")
        return spec.axes.scheme == AxisScheme::interleaved ? "true" : "false";
    const ScalingField* key = find_field(field);
    if (key == nullptr) return nullptr;
    return std::visit([&](auto member) { return json_of(spec.scaling.*member); }, key->member);
}

std::string setting_text(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return value;
    if (value.is_array()) return join(value, setting_text, ",");
    if (value.is_boolean()) return value ? "true" : "false";
    return value.is_number_float() ? plain(value) : decimal(value.get<std::uint64_t>());
}

std::string short_text(const Json& value) {
    constexpr std::size_t most = 8;
    return value.is_array() && value.size() > most ? decimal(value.size()) + " numbers"
                                                   : setting_text(value);
}

Json spec_json(const Spec& spec) {
    Json json;
    for (const char* field : {"head_dim", "rotary_dim", "layout", "max_position_embeddings"})
        json[field] = setting_value(spec, field);
    for (const char* field : {"rotary_offset", "direction", "seq_len", "axes"})
        if (Json value = setting_value(spec, field); value != setting_value({}, field))
            json[field] = std::move(value);
    if (!spec.axes.sections.empty()) json["mrope_section"] = spec.axes.sections;
    if (!spec.reading.empty()) json["reading"] = spec.reading;
    json["rope_parameters"] = rope_parameters_json(spec);
    return json;
}

}  // namespace rope::io
