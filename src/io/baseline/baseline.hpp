// What `baseline` keeps in git: commands that judge, and every metric of what they reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rope/report/metric.hpp"

namespace rope::io {

inline constexpr std::string_view baseline_schema = "rope-check-baseline/1";

// What made it. The numbers do not depend on it; when they moved, this says what else did.
struct Provenance {
    std::string tool;          // "rope-check 0.2.0"
    std::string commit;        // empty where the tool was not built from a repository
    std::string compiler;      // "GNU 12.2.0"
    std::string libm;          // "glibc 2.36"
    std::string architecture;  // "x86_64"
    std::string instructions;  // "avx2"
    std::string reason;        // why it was recorded
    std::uint64_t seed = 1;
};

struct BaselineRun {
    std::vector<std::string> command;  // "verify", "--dim", "64": words of the command line
    std::vector<Metric> metrics;       // in the order of their names
};

struct Baseline {
    Provenance provenance;
    std::vector<BaselineRun> runs;
};

// Keys sorted, one metric a line, so that a diff in git reads well; the same bytes for the same
// baseline. Throws InputError when a metric is not finite, which no later value would equal.
std::string baseline_json(const Baseline& baseline);

// Throws InputError naming the place: another schema, a missing, unknown or repeated key, a value
// that its class cannot have, text that is cut off.
Baseline parse_baseline(std::string_view text, const std::string& name);

// Throws IoError too, as read_file does.
Baseline read_baseline(const std::filesystem::path& path);

}  // namespace rope::io
