// What files are read and written: nothing that is written may replace one that is read.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/write_file.hpp"
#include "io/text/document.hpp"

namespace rope::cli {

// Files that a command line names to be read: nothing that is written may replace them.

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

// Where output goes: -o FILE, -o FORMAT:FILE or -o -.

struct Arguments;

struct OutputFormat {
    std::string_view name;    // "json"
    std::string_view ending;  // ".json"; empty if only the name selects it
};

// What a figure is written as; a page is html.
inline constexpr OutputFormat figure_formats[] = {
    {"svg", ".svg"}, {"csv", ".csv"}, {"png", ".png"}, {"pdf", ".pdf"}};
bool is_figure(std::string_view format);
bool is_drawn(std::string_view format);  // a figure or a page, not text

struct Target {
    std::string_view format;  // a OutputFormat's name
    std::string path;         // "-" is standard output
};

// What --output names, else `otherwise`, whose format is that of standard output. Throws InputError
// when neither a prefix nor the ending gives the format of a file, or when a file is one of the
// command's inputs, or a file or standard output is named twice.
std::vector<Target> targets_among(std::span<const OutputFormat> formats, const Target& otherwise,
                                  const Arguments& arguments);

// Throws InputError when writing to `path`, which `option` names, would replace one of the inputs
// of another option.
void refuse_to_overwrite(std::span<const Input> inputs, std::string_view option,
                         const std::string& path);

// Delivers each target. If one cannot be written, the others are delivered first; then the first
// IoError is thrown, and the others are printed.
void deliver_each(std::span<const Target> targets,
                  const std::function<void(const Target&)>& deliver_one);

// In the format of each.
void deliver_document(const io::Document& document, std::span<const Target> targets,
                      const Arguments& arguments);

// Writes the whole text, and says so if it is to a file. Throws IoError when it cannot be written.
void deliver(const std::string& path, std::string_view text, const Arguments& arguments);
// The same of bytes that are made while they are written.
void deliver(const std::string& path, const std::function<void(const io::Sink&)>& produce,
             const Arguments& arguments);

}  // namespace rope::cli
