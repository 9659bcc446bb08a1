// The JSON schema of a suite's manifest: src/io/schema/suite.json.
#pragma once

#include <string_view>

namespace rope::io {

extern const std::string_view suite_schema_text;

}  // namespace rope::io
