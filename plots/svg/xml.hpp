// Untrusted text, safe inside an XML document.
#pragma once

#include <string>
#include <string_view>

namespace rope::plots {

// & < > " ' become entities; tab and line ends become spaces; bytes that are not UTF-8 and
// characters that XML 1.0 §2.2 does not allow become U+FFFD.
std::string xml_escape(std::string_view text);

// Characters, not bytes, of well-formed UTF-8.
std::size_t code_points(std::string_view text);

}  // namespace rope::plots
