// The README.txt of a request.
#pragma once

#include <string>

#include "io/audit/request.hpp"

namespace rope::io {

// The files, what to answer, and how, in NumPy and PyTorch or, of a raw request, in C.
std::string audit_protocol(const Request& request);

}  // namespace rope::io
