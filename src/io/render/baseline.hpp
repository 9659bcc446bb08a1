// The baseline file that `baseline` keeps in git: commands, and every metric of their reports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rope/checks/report.hpp"

namespace rope::io {

inline constexpr std::string_view baseline_schema = "rope-check-baseline/1";

// The build that recorded a baseline. Metrics do not depend on it; it helps to explain a drift.
struct Provenance {
    std::map<std::string, std::string> texts;  // of provenance_keys
    std::uint64_t seed = 1;
};
// "rope-check 0.2.0"; the commit, empty if not built from a repository; "GNU 12.2.0"; "glibc 2.36";
// "x86_64"; "avx2"; and why it was recorded.
inline constexpr const char* provenance_keys[] = {
    "tool", "commit", "compiler", "libm", "architecture", "instructions", "reason"};

struct BaselineRun {
    std::vector<std::string> command;  // words of the command line: "verify", "--dim", "64"
    std::vector<Metric> metrics;       // sorted by name
};

struct Baseline {
    Provenance provenance;
    std::vector<BaselineRun> runs;
};

// Returns JSON with sorted keys and one metric per line, for readable diffs; equal baselines give
// equal bytes. Throws InputError for a metric that is not finite, as it would equal no later value.
std::string baseline_json(const Baseline& baseline);

// Throws InputError with the place of another schema, a missing, unknown or repeated key, an
// impossible value, or truncated text.
Baseline parse_baseline(std::string_view text, const std::string& name);

// Throws IoError as well, as read_file does.
Baseline read_baseline(const std::filesystem::path& path);

}  // namespace rope::io
