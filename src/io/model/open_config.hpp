// Opens configs of any format.
#pragma once

#include <filesystem>

#include "io/config/config_file.hpp"

namespace rope::io {

// A config.json, the folder that holds one, or a GGUF. Throws InputError or IoError.
ConfigFile open_config(const std::filesystem::path& path);

}  // namespace rope::io
