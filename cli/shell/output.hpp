// Input and output files of a command. No output may replace an input.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/system/task_log.hpp"
#include "io/system/write_file.hpp"
#include "io/text/document.hpp"

namespace rope::io {
struct Results;
}

namespace rope::cli {

// The kind of file that an option's value names.
enum class Reads {
    nothing,
    file,
    tensor,   // FILE or FILE:NAME
    config,   // FILE, or a folder with a config.json
    request,  // folder of an audit
    module,   // Python's MODULE, MODULE:FUNCTION or FILE.py:FUNCTION
    word,     // of a program: FILE, --option=FILE, FILE.py:FUNCTION, or no file
};

struct Input {
    std::string option;  // the option with the file
    std::filesystem::path path;
    bool is_written = false;  // also an output of that option
};

// Returns every file that a value may name.
std::vector<std::filesystem::path> files_of(Reads reads, const std::string& value);

struct Arguments;
struct Option;

// Whether a format is one of a figure. A page is html.
bool is_figure(std::string_view format);
bool is_drawn(std::string_view format);  // a figure or a page

struct Target {
    std::string_view format;  // "json"
    std::string path;         // "-": standard output
};

// Returns the targets of --output, which have these formats, else `otherwise`, which has standard
// output's format. Throws InputError if neither a prefix nor the ending gives a file's format, if a
// file is an input of the command, or if a file or standard output occurs twice.
std::vector<Target> targets_among(std::span<const std::string_view> formats,
                                  const Target& otherwise, const Arguments& arguments);

// Throws InputError if writing to `path`, the value of `option`, would replace an input of another
// option.
void refuse_to_overwrite(std::span<const Input> inputs, std::string_view option,
                         const std::string& path);

// Returns the file of --resume, which keeps the results of finished tasks, so that the
// same command does not repeat them; null without the option, and on all MPI ranks but the first.
std::unique_ptr<io::FileTaskLog> task_log(const Arguments& arguments, const std::string& question);

// Delivers each target of the arguments. If none is standard output and all are written, the
// verdict goes to standard error. If one cannot be written, the others are still delivered; then
// the first IoError is thrown and the others are printed.
void deliver_each(const Arguments& arguments, const std::function<std::string()>& verdict,
                  const std::function<void(const Target&)>& deliver_one);

// Delivers the document in each target's format.
void deliver_document(const io::Document& document, const Arguments& arguments);

// Writes the text, and reports it if it goes to a file. Throws IoError if it cannot be written.
void deliver(const std::string& path, std::string_view text, const Arguments& arguments);
// The same for bytes that are produced while they are written.
void deliver(const std::string& path, const std::function<void(const io::Sink&)>& produce,
             const Arguments& arguments);

// Returns the targets of --output, else standard output; auto is text on a terminal, else json.
// Throws InputError for a format that is not in `formats`, and as targets_among does.
std::vector<Target> formatted_targets(std::span<const std::string_view> formats,
                                      const Arguments& arguments);
// The same for the formats that data/commands.txt gives for the command's --output.
std::vector<Target> usual_targets(const Arguments& arguments);

// Delivers to a text target: reports of several layers under their names, then the drift.
void deliver_results(const io::Results& results, const Target& target, const Arguments& arguments);
// The failures and the outcome, as -q prints them.
std::string verdict_of(const io::Results& results);

}  // namespace rope::cli
