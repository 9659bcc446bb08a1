// The optional keys of a rope section, each declared once: configs, flags, reports, metrics and
// messages read this table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

using ScalingMember =
    std::variant<std::optional<double> Scaling::*, std::optional<std::uint64_t> Scaling::*,
                 std::optional<bool> Scaling::*, std::vector<double> Scaling::*>;

// What a key may be; of a list, what each of its numbers may be.
struct ValueRange {
    double least, most;
    std::string_view wanted;  // follows "it must be" in a message
    std::string_view wanted_if_missing;
    bool above_least = false;  // least itself is refused
    bool takes_zero = false;

    bool accepts(double x) const;  // never a NaN
};

struct ScalingField {
    std::string_view name;  // as a config spells it
    std::string_view flag;  // as a command line does
    std::string_view help;  // {} is replaced by the default
    ScalingMember member;
    const ValueRange& range;
};

// In Scaling's order.
std::span<const ScalingField> scaling_fields();

const ScalingField& field_of(ScalingMember member);
// Null where no key has this name.
const ScalingField* find_field(std::string_view name);
inline std::string_view name_of(ScalingMember member) { return field_of(member).name; }

inline bool is_set(const std::vector<double>& list) { return !list.empty(); }
template <typename T>
bool is_set(const std::optional<T>& value) {
    return value.has_value();
}
bool is_set(const Scaling& scaling, const ScalingField& field);

}  // namespace rope
