// Base64 encoding.
#pragma once

#include <string>
#include <string_view>

namespace rope {

// Returns the bytes encoded as in RFC 4648, section 4, with padding.
std::string base64_of(std::string_view bytes);

}  // namespace rope
