// Report -> JSON, schema rope-check-report/1.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/lint/lint.hpp"
#include "io/render/drift_report.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

inline constexpr std::string_view report_schema = "rope-check-report/1";

// Keys in a fixed order, two spaces of indent, a newline at the end; NaN and infinities are the
// strings "nan", "inf" and "-inf"; text that is not UTF-8 is spelled \xff, never refused.
// With lint it has a key "lint", with a drift "baseline".
std::string report_json(const Report& report, std::string_view version, int exit_code,
                        const std::optional<DriftReport>& drift = {},
                        std::span<const Lint> lint = {});

// The same as JSON, without lint and drift.
nlohmann::ordered_json report_object(const Report& report, std::string_view version, int exit_code);

// The reports of a model whose layers differ: {"schema": "rope-check-reports/1", "reports": […]}.
std::string reports_json(std::span<const Report> reports, std::string_view version, int exit_code,
                         const std::optional<DriftReport>& drift = {},
                         std::span<const Lint> lint = {});

}  // namespace rope::io
