// Opens configs of any format.
#pragma once

#include <filesystem>

#include "io/config/config_file.hpp"

namespace rope::io {

// A config.json, the params.json of Meta's and Mistral's own code, the folder that holds one of
// them, or a GGUF. Throws InputError or IoError.
ConfigFile open_config(const std::filesystem::path& path);

}  // namespace rope::io
