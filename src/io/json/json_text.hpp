// Our JSON as text: every JSON that is written or quoted goes through here.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace rope::io {

// On one line, or indented by `indent` spaces. Strings are escaped as printable_json says; bytes of
// a string that are not UTF-8, which no JSON can hold, are spelled \xff.
std::string json_text(nlohmann::json json, int indent = -1);
std::string json_text(nlohmann::ordered_json json, int indent = -1);

}  // namespace rope::io
