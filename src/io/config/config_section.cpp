#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/config/config_file.hpp"
#include "io/json/json_text.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& from, const json& value, const std::string& accepted) {
    throw InputError(from, printable(json_text(value), 60), accepted);
}

template <typename T>
std::optional<Found<std::vector<T>>> list_of(const json* value, const std::string& from,
                                             const char* items, bool (*is_item)(const json&)) {
    if (value == nullptr) return std::nullopt;
    if (!value->is_array() || !std::all_of(value->begin(), value->end(), is_item))
        refuse(from, *value, std::string("a list of ") + items);
    return Found<std::vector<T>>{value->get<std::vector<T>>(), from};
}

}  // namespace

ConfigSection::ConfigSection(std::string file, std::string path, const json* object)
    : file_(std::move(file)), path_(std::move(path)), object_(object) {}

std::string ConfigSection::origin(std::string_view key) const {
    return file_ + ": " + path_to(key);
}

std::string ConfigSection::path_to(std::string_view key) const {
    std::string path = path_ + printable(key);
    if (!names_) return path;
    const auto name = names_->find(path);
    return name == names_->end() ? path : name->second;
}

bool ConfigSection::has(std::string_view key) const {
    if (object_ == nullptr || hidden_.contains(key)) return false;
    const auto found = object_->find(key);
    return found != object_->end() && !found->is_null();
}

bool ConfigSection::holds_null(std::string_view key) const {
    return object_ != nullptr && object_->contains(key) && object_->at(key).is_null();
}

bool ConfigSection::holds_list(std::string_view key) const {
    return has(key) && object_->find(key)->is_array();
}

bool ConfigSection::holds_text(std::string_view key) const {
    return has(key) && object_->find(key)->is_string();
}

ConfigSection ConfigSection::section(std::string_view key) const {
    const json* object = has(key) ? &*object_->find(key) : nullptr;
    if (object != nullptr && *object == false) object = nullptr;
    if (object != nullptr && !object->is_object())
        refuse(origin(key), *object, "an object or null");
    return {file_, path_to(key) + ".", object};
}

ConfigSection ConfigSection::inside(std::string_view& path) const {
    const std::size_t dot = path.find('.');
    if (dot == path.npos) return *this;
    const std::string_view key = path.substr(0, dot);
    path.remove_prefix(dot + 1);
    const bool is_object = has(key) && object_->find(key)->is_object();
    return (is_object ? section(key) : ConfigSection(file_, path_, nullptr)).inside(path);
}

void ConfigSection::mark_read(const Keys& keys) { read_.insert(keys.begin(), keys.end()); }

const json* ConfigSection::find(const Keys& keys, std::string& from) {
    for (const std::string_view path : keys) {
        std::string_view key = path;
        const ConfigSection holder = inside(key);
        if (!holder.has(key)) continue;
        read_.emplace(path.substr(0, path.find('.')));
        from = holder.origin(key);
        return &*holder.object_->find(key);
    }
    return nullptr;
}

std::optional<Found<std::uint64_t>> ConfigSection::whole(const Keys& keys, std::uint64_t least,
                                                         std::uint64_t most) {
    std::string from;
    const json* value = find(keys, from);
    if (value == nullptr) return std::nullopt;
    // -1 is number_integer, 128 number_unsigned, 128.7 and 128.0 number_float
    const auto number = value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
    if (!value->is_number_unsigned() || number < least || number > most)
        refuse(from, *value, "a whole number from " + decimal(least) + " to " + decimal(most));
    return Found<std::uint64_t>{number, from};
}

std::optional<Found<double>> ConfigSection::real(const Keys& keys) {
    std::string from;
    const json* value = find(keys, from);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) refuse(from, *value, "a number");
    return Found<double>{value->get<double>(), from};
}

std::optional<Found<std::string>> ConfigSection::text(const Keys& keys) {
    std::string from;
    const json* value = find(keys, from);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) refuse(from, *value, "a string");
    return Found<std::string>{value->get<std::string>(), from};
}

std::optional<Found<bool>> ConfigSection::boolean(std::string_view key) {
    std::string from;
    const json* value = find({key}, from);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) refuse(from, *value, "true or false");
    return Found<bool>{value->get<bool>(), from};
}

std::optional<Found<std::vector<double>>> ConfigSection::reals(std::string_view key) {
    std::string from;
    const json* value = find({key}, from);
    return list_of<double>(value, from, "numbers", [](const json& x) { return x.is_number(); });
}

std::optional<Found<std::vector<std::uint64_t>>> ConfigSection::wholes(std::string_view key) {
    std::string from;
    const json* value = find({key}, from);
    return list_of<std::uint64_t>(value, from, "whole numbers",
                                  [](const json& x) { return x.is_number_unsigned(); });
}

std::optional<Found<std::vector<std::string>>> ConfigSection::texts(std::string_view key) {
    std::string from;
    const json* value = find({key}, from);
    return list_of<std::string>(value, from, "strings",
                                [](const json& x) { return x.is_string(); });
}

std::vector<ConfigSection> ConfigSection::sections(std::string_view key) {
    std::string from;
    const json* list = find({key}, from);
    std::vector<ConfigSection> all;
    if (list == nullptr) return all;
    const auto is_object = [](const json& one) { return one.is_object(); };
    constexpr std::size_t most = 65536;
    if (!list->is_array() || list->size() > most || !std::ranges::all_of(*list, is_object))
        refuse(from, *list, "a list of up to 65536 objects");
    for (const json& one : *list)
        all.emplace_back(file_, path_to(key) + "." + decimal(all.size()) + ".", &one);
    return all;
}

std::vector<std::string> ConfigSection::keys_by(bool were_read) const {
    std::vector<std::string> keys;
    if (object_ == nullptr) return keys;
    for (const auto& item : object_->items()) {
        const bool says_nothing = !were_read && item.value().is_array() && item.value().empty();
        if (has(item.key()) && !says_nothing && read_.contains(item.key()) == were_read)
            keys.push_back(path_to(item.key()));
    }
    return keys;
}

std::vector<std::string> ConfigSection::read() const { return keys_by(true); }
std::vector<std::string> ConfigSection::unread() const { return keys_by(false); }

}  // namespace rope::io
