// Files that a command line names to be read: nothing that is written may replace them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rope::cli {

// What a value names.
enum class Reads {
    nothing,
    file,
    tensor,   // FILE or FILE:NAME
    config,   // FILE or the folder of a config.json
    request,  // the folder of an audit
    module,   // MODULE:FUNCTION of Python, in this folder
    word,     // of a program: FILE, --option=FILE, or no file at all
};

struct Input {
    std::string option;  // that names it
    std::filesystem::path path;
    bool is_written = false;  // too, by the option that names it
};

// Every file that a value may name.
std::vector<Input> inputs_of(std::string_view option, Reads reads, const std::string& value);

}  // namespace rope::cli
