// Where output goes: -o FILE, -o FORMAT:FILE or -o -.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/inputs.hpp"
#include "io/file/write_file.hpp"

namespace rope::cli {

struct Arguments;

struct OutputFormat {
    std::string_view name;    // "json"
    std::string_view ending;  // ".json"; empty if only the name selects it
};

struct Target {
    std::string_view format;  // a OutputFormat's name
    std::string path;         // "-" is standard output
};

// What --output names, else `otherwise`, whose format is that of standard output. Throws InputError
// when neither a prefix nor the ending gives the format of a file, or when a file is one of the
// command's inputs or named twice.
std::vector<Target> targets_among(std::span<const OutputFormat> formats, const Target& otherwise,
                                  const Arguments& arguments);

// Throws InputError when writing to `path`, which `option` names, would replace one of the inputs
// of another option.
void refuse_to_overwrite(std::span<const Input> inputs, std::string_view option,
                         const std::string& path);

// Writes the whole text, and says so if it is to a file. Throws IoError when it cannot be written.
void deliver(const std::string& path, std::string_view text, const Arguments& arguments);
// The same of bytes that are made while they are written.
void deliver(const std::string& path, const std::function<void(const io::Sink&)>& produce,
             const Arguments& arguments);

}  // namespace rope::cli
