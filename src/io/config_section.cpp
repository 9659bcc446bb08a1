#include "io/config_section.hpp"

#include <nlohmann/json.hpp>

#include "io/printable.hpp"
#include "rope/decimal.hpp"
#include "rope/spec.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& from, const json& value, const std::string& accepted) {
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    throw InputError(from + " is " + printable(text, 60) + "; it must be " + accepted);
}

}  // namespace

ConfigSection::ConfigSection(std::string file, std::string path, const json* object)
    : file_(std::move(file)), path_(std::move(path)), object_(object) {}

std::string ConfigSection::origin(std::string_view key) const {
    return file_ + ": " + path_ + printable(key);
}

bool ConfigSection::has(std::string_view key) const {
    if (object_ == nullptr) return false;
    const auto found = object_->find(key);
    return found != object_->end() && !found->is_null();
}

void ConfigSection::mark_read(std::initializer_list<std::string_view> keys) {
    read_.insert(keys.begin(), keys.end());
}

const json* ConfigSection::find(std::initializer_list<std::string_view> keys, std::string& from) {
    for (const std::string_view key : keys) {
        if (!has(key)) continue;
        read_.emplace(key);
        from = origin(key);
        return &*object_->find(key);
    }
    return nullptr;
}

std::optional<Found<std::uint64_t>> ConfigSection::whole(
    std::initializer_list<std::string_view> keys, std::uint64_t least, std::uint64_t most) {
    std::string from;
    const json* value = find(keys, from);
    if (value == nullptr) return std::nullopt;
    // -1 is number_integer, 128 number_unsigned, 128.7 and 128.0 number_float
    const auto number = value->is_number_unsigned() ? value->get<std::uint64_t>() : 0;
    if (!value->is_number_unsigned() || number < least || number > most)
        refuse(from, *value, "a whole number from " + decimal(least) + " to " + decimal(most));
    return Found<std::uint64_t>{number, from};
}

std::optional<Found<double>> ConfigSection::real(std::initializer_list<std::string_view> keys) {
    std::string from;
    const json* value = find(keys, from);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) refuse(from, *value, "a number");
    return Found<double>{value->get<double>(), from};
}

std::optional<Found<std::string>> ConfigSection::text(
    std::initializer_list<std::string_view> keys) {
    std::string from;
    const json* value = find(keys, from);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) refuse(from, *value, "a string");
    return Found<std::string>{value->get<std::string>(), from};
}

std::vector<std::string> ConfigSection::unread() const {
    std::vector<std::string> keys;
    if (object_ == nullptr) return keys;
    for (const auto& [key, value] : object_->items())
        if (!value.is_null() && !read_.contains(key)) keys.push_back(path_ + printable(key));
    return keys;
}

}  // namespace rope::io
