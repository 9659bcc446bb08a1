#include "io/text/rows.hpp"

#include "io/text/json_text.hpp"

namespace rope::io {

using nlohmann::json;

Row::Row(json row, std::string where) : row_(std::move(row)), where_(std::move(where)) {
    if (!row_.is_object()) throw InputError(where_ + ": is not a JSON object");
}

void Row::has_only(std::string_view keys) const {
    const std::vector<std::string_view> known = split(keys, " ");
    for (const auto& [key, value] : row_.items())
        if (std::ranges::count(known, key) == 0)
            throw InputError(where_ + ": unknown key '" + printable(key) + "'; the keys are " +
                             join(known));
}

std::string Row::choice(std::string_view words, const char* key) const {
    return std::string(one_of(split(words, " "), std::identity{}, where(key), text(key)));
}

const json& Row::at(const char* key) const {
    if (!has(key)) throw InputError(where(key) + " is missing");
    return row_.at(key);
}

std::vector<std::string> Row::keys() const {
    std::vector<std::string> names;
    for (const auto& item : row_.items()) names.push_back(item.key());
    return names;
}

Row Row::inside(const char* key) const {
    return {has(key) ? row_.at(key) : json::object(), where(key)};
}

std::map<std::string, std::string> Row::map(const char* key) const {
    const Row object = inside(key);
    std::map<std::string, std::string> texts;
    for (const std::string& name : object.keys()) texts.emplace(name, object.text(name.c_str()));
    return texts;
}

std::string Row::text(const char* key) const {
    const auto found = row_.find(key);
    if (found == row_.end() || !found->is_string())
        throw InputError(where(key), found == row_.end() ? "missing" : "no string", "a string");
    return found->get<std::string>();
}

std::vector<std::string> Row::texts(const char* key) const {
    const auto found = row_.find(key);
    const auto is_text = [](const json& one) { return one.is_string(); };
    if (found == row_.end() || !found->is_array() || !std::ranges::all_of(*found, is_text))
        throw InputError(where(key), "no list of strings", "a list of strings");
    return *found;
}

std::uint32_t Row::number(const char* key) const {
    const auto found = row_.find(key);
    if (found == row_.end()) return 0;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > 1'000'000)
        throw InputError(where(key), json_text(*found), "a whole number up to a million");
    return found->get<std::uint32_t>();
}

std::vector<std::string> Row::traits(std::string_view of) const {
    if (!has("traits")) return {};
    static const std::vector<RowText> all = row_texts_of(trait_rows, "data/traits.jsonl");
    std::vector<std::string_view> known;
    for (const RowText& row : all)
        if (row.text("of") == of) known.push_back(row.text("trait"));
    std::vector<std::string> named = texts("traits");
    for (const std::string& name : named) one_of(known, std::identity{}, where("traits"), name);
    return named;
}

std::string_view RowText::text(std::string_view key) const {
    const std::string start = '"' + std::string(key) + "\": \"";
    const std::size_t at = line.find(start);
    if (at == line.npos) return {};
    const std::size_t first = at + start.size();
    return line.substr(first, line.find('"', first) - first);
}

Row RowText::row() const {
    const std::string where = std::string(file) + ", line " + decimal(number);
    json row = json::parse(line, nullptr, false);
    if (row.is_discarded()) throw InputError(where + ": is not JSON; each line holds one row");
    return {std::move(row), where};
}

std::vector<RowText> row_texts_of(std::string_view lines, std::string_view file) {
    std::vector<RowText> rows;
    std::size_t number = 0;
    for (const std::string_view line : split(lines, "\n"))
        if (++number; line.find_first_not_of(" \t\r") != line.npos)
            rows.push_back({line, file, number});
    return rows;
}

std::vector<Row> rows_of(std::string_view lines, std::string_view file) {
    return mapped<Row>(row_texts_of(lines, file), &RowText::row);
}

std::string_view row_named(std::string_view rows, std::string_view key, std::string_view name) {
    const std::string start = "\n{" + json_text(json(key)) + ": " + json_text(json(name)) + ",";
    const std::size_t at = rows.find(start);
    if (at == rows.npos) return {};
    return rows.substr(at + 1, rows.find('\n', at + 1) - at - 1);
}

}  // namespace rope::io
