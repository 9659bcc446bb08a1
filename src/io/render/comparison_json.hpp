// Reports with each pair's frequency and residue, and each row's error, as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rope/diagnose/dump_evidence.hpp"

namespace rope::io {

// Schema rope-check-comparison/1.
std::string comparison_json(std::span<const ComparedReport> compared, std::string_view version);

}  // namespace rope::io
