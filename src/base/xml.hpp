// Foreign text inside an XML document.
#pragma once

#include <string>
#include <string_view>

namespace rope {

// What printable() makes of it, of any length, which XML 1.0 §2.2 allows; & < > and the quotes
// become entities.
std::string xml_escape(std::string_view foreign, std::string_view quotes = "\"'");

}  // namespace rope
