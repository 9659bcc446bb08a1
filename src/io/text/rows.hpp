// The tables data/*.jsonl and rows of a user: one JSON object per line, whose first key is its
// name.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace rope::io {

// Embedded by CMake; a line feed precedes each line.
extern const std::string_view class_rows, model_rows, architecture_rows, trait_rows, key_rows,
    lint_rows, refused_rows, param_rows, field_rows, layer_rows, gguf_rows, tensor_rows, term_rows,
    request_rows;

// An object of a table. Its functions throw InputError with its place if a key is missing or wrong.
class Row {
  public:
    Row(nlohmann::json row, std::string where);

    // Throws InputError if the row has another key; spaces separate the keys.
    void has_only(std::string_view keys) const;
    bool has(const char* key) const { return row_.contains(key); }
    const nlohmann::json& at(const char* key) const;
    std::string where(std::string_view key) const { return where_ + ": " + std::string(key); }

    const nlohmann::json& object() const { return row_; }
    std::vector<std::string> keys() const;
    // The object at a key, which has no keys if the row lacks it.
    Row inside(const char* key) const;
    // The texts of that object, by its keys.
    std::map<std::string, std::string> map(const char* key) const;
    std::string text(const char* key) const;
    std::string text(const char* key, const char* otherwise) const {
        return has(key) ? text(key) : otherwise;
    }
    std::vector<std::string> texts(const char* key) const;
    std::uint32_t number(const char* key) const;  // 0 if missing
    // The traits of data/traits.jsonl that it has, for a "class" or an "architecture".
    std::vector<std::string> traits(std::string_view of) const;
    // One of the words, which spaces separate; throws InputError for another.
    std::string choice(std::string_view words, const char* key) const;
    std::string choice(std::string_view words, const char* key, const char* otherwise) const {
        return has(key) ? choice(words, key) : otherwise;
    }

  private:
    nlohmann::json row_;
    std::string where_;
};

// A line of a table; parsing it takes longer than reading the texts that decide whether it counts.
struct RowText {
    std::string_view line;
    std::string_view file;
    std::size_t number;

    // A text without escapes; empty if the row lacks the key.
    std::string_view text(std::string_view key) const;
    // Throws InputError with the line.
    Row row() const;
};

// Returns the lines that are not blank.
std::vector<RowText> row_texts_of(std::string_view lines, std::string_view file);
// Returns them as rows. Throws InputError with the line.
std::vector<Row> rows_of(std::string_view lines, std::string_view file);

// Returns the line of an embedded table with this name, or an empty text.
std::string_view row_named(std::string_view rows, std::string_view key, std::string_view name);

// A cache of parsed rows. An embedded row is found by the beginning of its line, since parsing the
// whole table takes longer than reading a config.
template <class Value>
class Table {
  public:
    Table(std::string_view rows, std::string_view key, Value (*read)(const Row&))
        : rows_(rows), key_(key), read_(read) {}

    // Returns null if there is no such row. The pointer is valid until the program ends.
    const Value* find(std::string_view name) {
        const std::lock_guard lock(mutex_);
        auto known = found_.find(name);
        if (known == found_.end()) {
            const std::string_view line = row_named(rows_, key_, name);
            std::optional<Value> value;
            if (!line.empty())
                value = read_(Row(nlohmann::json::parse(line), "data, " + std::string(key_)));
            known = found_.emplace(name, std::move(value)).first;
        }
        return known->second ? &*known->second : nullptr;
    }

    // Adds a row, or replaces the one of that name.
    void add(Value value) {
        const std::lock_guard lock(mutex_);
        const std::string name = value.name;
        found_.insert_or_assign(name, std::move(value));
    }

  private:
    std::string_view rows_, key_;
    Value (*read_)(const Row&);
    std::mutex mutex_;
    std::map<std::string, std::optional<Value>, std::less<>> found_;
};

}  // namespace rope::io
