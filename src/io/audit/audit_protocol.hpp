// The README.txt of a request.
#pragma once

#include <string>

#include "rope/subject/audit.hpp"

namespace rope::io {

// The README.txt of a request: the files, what to answer, and how, in NumPy and PyTorch.
std::string audit_protocol(const Audit& audit);

}  // namespace rope::io
