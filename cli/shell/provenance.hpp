// What this tool was built from and runs on.
#pragma once

#include <string>

#include "io/baseline/baseline.hpp"

namespace rope::cli {

// Without reason and seed.
io::Provenance provenance();

// "rope-check" and its version, then commit, compiler, libraries, C library and processor, a line
// each.
std::string version();

}  // namespace rope::cli
