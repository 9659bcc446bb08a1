// Untrusted text in an XML document.
#pragma once

#include <string>
#include <string_view>

namespace rope {

// Returns printable() of the whole text, which XML 1.0 §2.2 allows, with entities for &, <, > and
// the quotes.
std::string xml_escape(std::string_view foreign, std::string_view quotes = "\"'");

}  // namespace rope
