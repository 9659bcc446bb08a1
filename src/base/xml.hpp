// Text of anybody's making, safe inside an XML document.
#pragma once

#include <string>
#include <string_view>

namespace rope {

// & < > and the quotes become entities; tab and line ends become spaces; bytes that are not UTF-8
// and characters that XML 1.0 §2.2 does not allow become U+FFFD.
std::string xml_escape(std::string_view text, std::string_view quotes = "\"'");

}  // namespace rope
