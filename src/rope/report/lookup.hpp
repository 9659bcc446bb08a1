// A report's findings, and their own fields, by name.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

#include "rope/report/report.hpp"

namespace rope {

// Null where the check was not part of the run.
inline const Finding* find_finding(const Report& report, std::string_view check) {
    const auto found = std::ranges::find(report.findings, check, &Finding::check);
    return found == report.findings.end() ? nullptr : &*found;
}

// Empty where the finding has no such field, or none of that kind.
template <class Value>
std::optional<Value> finding_field(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.fields, name, &Field::name);
    if (found == finding.fields.end()) return std::nullopt;
    const auto* value = std::get_if<Value>(&found->value);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

}  // namespace rope
