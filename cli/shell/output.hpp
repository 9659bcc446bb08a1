// Input and output files of a command. No output may replace an input.
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

// The kind of file that an option's value names.
enum class Reads {
    nothing,
    file,
    tensor,   // FILE or FILE:NAME
    config,   // FILE, or a folder with a config.json
    request,  // folder of an audit
    module,   // Python's MODULE:FUNCTION in the current folder
    word,     // of a program: FILE, --option=FILE, or no file
};

struct Input {
    std::string option;  // the option with the file
    std::filesystem::path path;
    bool is_written = false;  // also an output of that option
};

// Returns every file that a value may name.
std::vector<Input> inputs_of(std::string_view option, Reads reads, const std::string& value);

struct Arguments;

struct OutputFormat {
    std::string_view name;    // "json"
    std::string_view ending;  // ".json"; empty if only the name selects it
};

// The formats of figures. A page is html.
inline constexpr OutputFormat figure_formats[] = {
    {"svg", ".svg"}, {"csv", ".csv"}, {"png", ".png"}, {"pdf", ".pdf"}};
bool is_figure(std::string_view format);
bool is_drawn(std::string_view format);  // a figure or a page

struct Target {
    std::string_view format;  // name of an OutputFormat
    std::string path;         // "-": standard output
};

// Returns the targets of --output, else `otherwise`, which has standard output's format.
// Throws InputError if neither a prefix nor the ending gives a file's format, if a file is an input
// of the command, or if a file or standard output occurs twice.
std::vector<Target> targets_among(std::span<const OutputFormat> formats, const Target& otherwise,
                                  const Arguments& arguments);

// Throws InputError if writing to `path`, the value of `option`, would replace an input of another
// option.
void refuse_to_overwrite(std::span<const Input> inputs, std::string_view option,
                         const std::string& path);

// Delivers each target. If one cannot be written, the others are still delivered; then the first
// IoError is thrown and the others are printed.
void deliver_each(std::span<const Target> targets,
                  const std::function<void(const Target&)>& deliver_one);

// Delivers the document in each target's format.
void deliver_document(const io::Document& document, std::span<const Target> targets,
                      const Arguments& arguments);

// Writes the text, and reports it if it goes to a file. Throws IoError if it cannot be written.
void deliver(const std::string& path, std::string_view text, const Arguments& arguments);
// The same for bytes that are produced while they are written.
void deliver(const std::string& path, const std::function<void(const io::Sink&)>& produce,
             const Arguments& arguments);

}  // namespace rope::cli
