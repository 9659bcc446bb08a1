// A key of the rope section as a rope_type uses it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "rope/spec/fields.hpp"

namespace rope {

using KeyDefault = std::variant<std::monostate, double, bool>;

struct UsedKey {
    ScalingMember member;
    bool is_required;
    KeyDefault otherwise;  // what counts where the key is absent, if that is a value
};

constexpr UsedKey required_key(ScalingMember member) { return {member, true, {}}; }
constexpr UsedKey optional_key(ScalingMember member, KeyDefault otherwise = {}) {
    return {member, false, otherwise};
}

// Throws InputError for the first key that is missing or out of its range; a list has one value a
// pair.
void check_keys(const Spec& spec, std::span<const UsedKey> keys);

// Null where the key is not used.
const UsedKey* find_key(std::span<const UsedKey> keys, ScalingMember member);

// The key's own value, or what counts instead.
template <typename T>
T value_or_default(const Scaling& scaling, std::span<const UsedKey> keys,
                   std::optional<T> Scaling::* member) {
    return scaling.*member ? *(scaling.*member) : std::get<T>(find_key(keys, member)->otherwise);
}

// "32", "true"; empty where there is none.
std::string default_text(const UsedKey& key);

}  // namespace rope
