// The spec.json of a request.
#pragma once

#include <string>

#include "io/audit/request.hpp"

namespace rope::io {

// The Spec as configs spell it, for the program; and for read_request the words that say the same.
std::string request_json(const Request& request);

}  // namespace rope::io
