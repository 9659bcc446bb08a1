// The build and the system of this tool.
#pragma once

#include <string>

#include "io/render/baseline.hpp"

namespace rope::cli {

// Returns the provenance without reason and seed.
io::Provenance provenance();

// Returns "rope-check" and its version, then commit, compiler, libraries, C library and processor,
// one per line.
std::string version();

}  // namespace rope::cli
