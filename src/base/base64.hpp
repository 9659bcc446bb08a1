// Bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace rope {

// RFC 4648, section 4, with padding.
std::string base64_of(std::string_view bytes);

}  // namespace rope
