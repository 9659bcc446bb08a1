// Tables of data/*.jsonl, and rows that a user adds: a JSON object a line, whose first key names
// it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace rope::io {

// Embedded by CMake; each line stands after a line feed.
extern const std::string_view class_rows, model_rows, architecture_rows, trait_rows, key_rows,
    lint_rows, refused_rows;

// A word that a row may have, and what it stands for.
template <class Value>
struct Word {
    std::string_view name;
    Value value;
};

// An object of a table. What it lacks is refused by an InputError, which says where it stands.
class Row {
  public:
    Row(nlohmann::json row, std::string where);

    // Throws InputError where it has another key.
    void has_only(std::span<const std::string_view> keys) const;
    bool has(const char* key) const { return row_.contains(key); }
    const nlohmann::json& at(const char* key) const { return row_.at(key); }
    std::string where(std::string_view key) const { return where_ + ": " + std::string(key); }

    std::string text(const char* key) const;
    std::vector<std::string> texts(const char* key) const;
    std::uint32_t number(const char* key) const;  // 0 where there is none
    // Those of data/traits.jsonl that it has, of a "class" or an "architecture".
    std::vector<std::string> traits(std::string_view of) const;
    template <class Value, std::size_t n>
    Value word(const std::array<Word<Value>, n>& words, const char* key) const {
        return one_of(words, &Word<Value>::name, where(key), text(key)).value;
    }

  private:
    nlohmann::json row_;
    std::string where_;
};

// Of each line that is not blank. Throws InputError, naming the line.
std::vector<Row> rows_of(std::string_view lines, const std::string& file);

// The line of an embedded table that has this name, or nothing.
std::string_view row_named(std::string_view rows, std::string_view key, std::string_view name);

// The rows that were asked for. Those of the program are found by the beginning of their lines:
// to parse all of them takes longer than to read a config.
template <class Value>
class Table {
  public:
    Table(std::string_view rows, std::string_view key, Value (*read)(const Row&))
        : rows_(rows), key_(key), read_(read) {}

    // Null where there is no such row. Valid until the program ends.
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

    // Replaces the row of that name.
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
