// Where output goes: -o FILE, -o FORMAT:FILE or -o -.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

struct Format {
    std::string_view name;    // "json"
    std::string_view ending;  // ".json"; empty where the name alone tells
};

struct Target {
    std::string_view format;  // a Format's name
    std::string path;         // "-" is standard output
};

// Throws InputError when neither a prefix nor the ending tells the format of a file.
Target parse_target(const std::string& output, std::span<const Format> formats,
                    std::string_view stdout_format);

// Writes the whole text, and says so if it is to a file. Throws InputError when the file is one
// of the command's inputs, IoError when it cannot be written.
void deliver(const std::string& path, std::string_view text, const Arguments& arguments);

}  // namespace rope::cli
