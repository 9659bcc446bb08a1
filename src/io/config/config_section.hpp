// One object of a config, read key by key, each by its type.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace rope::io {

// A value and the origin to report for it: "config.json: rope_scaling.factor".
template <typename T>
struct Found {
    T value;
    std::string from;
};

class ConfigSection {
  public:
    // `path` leads to the object inside the file: "" or "rope_scaling." or "text_config.".
    // A null object is an empty section. The object must outlive the section.
    ConfigSection(std::string file, std::string path, const nlohmann::json* object);

    // From now on origins and paths call a key what the file itself calls it: by its path here.
    using Names = std::map<std::string, std::string>;
    void call_by(std::shared_ptr<const Names> names) { names_ = std::move(names); }

    // The first of the keys that is present and not null; a null counts as absent, as in
    // transformers. Throws InputError when the value has another type or is out of range:
    // config.json: head_dim is "128"; it must be a whole number from 2 to 65536
    std::optional<Found<std::uint64_t>> whole(std::initializer_list<std::string_view> keys,
                                              std::uint64_t least, std::uint64_t most);
    std::optional<Found<double>> real(std::initializer_list<std::string_view> keys);
    std::optional<Found<std::string>> text(std::initializer_list<std::string_view> keys);
    std::optional<Found<bool>> boolean(std::string_view key);
    std::optional<Found<std::vector<double>>> reals(std::string_view key);
    std::optional<Found<std::vector<std::uint64_t>>> wholes(std::string_view key);
    std::optional<Found<std::vector<std::string>>> texts(std::string_view key);

    bool has(std::string_view key) const;         // there and not null
    bool holds_null(std::string_view key) const;  // there, and null
    bool holds_list(std::string_view key) const;
    bool holds_text(std::string_view key) const;
    ConfigSection section(std::string_view key) const;  // empty where it is absent or null
    void mark_read(std::initializer_list<std::string_view> keys);
    // From now on the key is absent, and neither read nor unread.
    void hide(std::string_view key) { hidden_.emplace(key); }
    const std::string& file() const { return file_; }
    std::string origin(std::string_view key) const;   // "config.json: rope_scaling.factor"
    std::string path_to(std::string_view key) const;  // "rope_scaling.factor"

    // Keys that were and were not read, with their path, sorted; null values left out.
    std::vector<std::string> read() const;
    std::vector<std::string> unread() const;

  private:
    const nlohmann::json* find(std::initializer_list<std::string_view> keys, std::string& from);
    std::vector<std::string> keys_by(bool were_read) const;

    std::string file_;
    std::string path_;
    const nlohmann::json* object_;
    std::set<std::string, std::less<>> read_, hidden_;
    std::shared_ptr<const Names> names_;
};

// Of a key that may be nobody's: another kind of value is none.
template <class Read>
auto read_value(Read read) -> std::optional<decltype(read()->value)> {
    try {
        const auto found = read();
        return found ? std::optional(found->value) : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace rope::io
