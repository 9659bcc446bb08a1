// rope-check.toml: a project's defaults of options.
#pragma once

#include <string>
#include <vector>

#include "io/text/toml.hpp"

namespace rope::cli {

struct ProjectFile {
    std::string name;  // "rope-check.toml", "../rope-check.toml"; empty where there is none
    std::vector<io::TomlSetting> settings = {};
};

// "" where there is none.
std::string project_file_name();

// The nearest, of this folder or, in a repository, of one above it up to that with .git. Throws
// InputError naming file, line and the nearest known word for a section that is no command, or a
// key that has no default there; IoError where it cannot be read.
ProjectFile project_file();

}  // namespace rope::cli
