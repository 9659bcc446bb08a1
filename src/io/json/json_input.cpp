#include "io/json/json_input.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/read_file.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// The 1-based line and column of a byte: "line 3, column 14".
std::string place(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
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
    Builder(std::string_view text, const std::string& name, std::size_t most_keys)
        : text_(text), name_(name), most_keys_(most_keys) {}

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
        if (++keys_ > most_keys_) refuse("has more than " + decimal(most_keys_) + " keys");
        if (open_.back()->contains(key)) refuse("key '" + printable(key) + "' is given twice");
        key_ = std::move(key);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const json::exception& error) {
        const std::string_view why = reason(error.what());
        // `position` counts the bytes read, including the wrong one
        refuse((why.starts_with("syntax error") ? "is not JSON: " : "") +
               place(text_, position == 0 ? 0 : position - 1) + ": " + printable(why));
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
    std::size_t most_keys_;
    json root_;
    std::vector<json*> open_;  // the containers around the next value, outermost first
    std::string key_;
    std::size_t keys_ = 0;
    std::size_t values_ = 0;
};

}  // namespace

json parse_json(std::string_view text, const std::string& name, std::size_t most_keys) {
    // the library takes a NUL byte as the end of the text
    if (const std::size_t nul = text.find('\0'); nul != text.npos)
        throw InputError(name + ": " + place(text, nul) + ": a NUL byte");
    Builder builder(text, name, most_keys);
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

json read_json(const std::filesystem::path& path) {
    const FileBytes bytes = read_file(path, max_json_bytes);
    return parse_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                      printable(path.native()));
}

}  // namespace rope::io
