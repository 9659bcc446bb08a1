// The mistakes that a diagnosis can name, as text and as JSON of schema rope-check-mistakes/1.
#pragma once

#include <string>
#include <string_view>

namespace rope::io {

inline constexpr std::string_view mistakes_schema = "rope-check-mistakes/1";

std::string mistakes_text();
std::string mistakes_json(std::string_view version);

}  // namespace rope::io
