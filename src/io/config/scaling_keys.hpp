// The optional keys of a rope section, declared once for configs, reports and command lines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope::io {

struct ScalingKey {
    std::string_view name;  // as a config spells it
    std::string_view flag;  // as a command line does
    std::variant<std::optional<double> Scaling::*, std::optional<std::uint64_t> Scaling::*,
                 std::optional<bool> Scaling::*, std::vector<double> Scaling::*>
        member;
};

// In Scaling's order.
std::span<const ScalingKey> scaling_keys();

inline bool is_set(const std::vector<double>& list) { return !list.empty(); }
template <typename T>
bool is_set(const std::optional<T>& value) {
    return value.has_value();
}

// Whether the rope_type uses this key; no key is used by a type that is not known.
bool uses(std::string_view rope_type, std::string_view key);

}  // namespace rope::io
