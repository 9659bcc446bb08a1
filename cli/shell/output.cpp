#include "cli/shell/output.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <system_error>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/shell/terminal.hpp"
#include "io/audit/request.hpp"
#include "io/model/gguf_config.hpp"
#include "io/model/lint.hpp"
#include "io/render/results.hpp"

namespace rope::cli {
namespace {

namespace fs = std::filesystem;

// my_model.rope:rotate is in my_model/rope.py or my_model/rope/__init__.py, after
// my_model/__init__.py, of the current folder or of one in PYTHONPATH; rope.py:rotate is in
// rope.py.
std::vector<fs::path> module_files(std::string module) {
    module.resize(std::min(module.rfind(':'), module.size()));
    if (module.ends_with(':')) module.pop_back();  // rope.py::rotate
    if (module.ends_with(".py")) return {module};
    const char* given = std::getenv("PYTHONPATH");
    const std::string further = given == nullptr ? "" : given;
    std::vector<std::string_view> folders = split(further, ":");
    folders.push_back(".");
    std::vector<fs::path> files;
    for (fs::path path : folders) {
        for (const std::string_view part : split(module, "."))
            files.push_back((path /= part) / "__init__.py");
        files.push_back(path.concat(".py"));
    }
    return files;
}

// The ending of files in a format; empty if only its name selects it.
std::string ending_of(std::string_view format) {
    if (format == "github") return "";
    return format == "text"       ? ".txt"
           : format == "junit"    ? ".xml"
           : format == "markdown" ? ".md"
                                  : "." + std::string(format);
}

// Throws InputError if neither a prefix nor the ending gives the format of a file.
Target parse_target(const std::string& output, std::span<const std::string_view> formats,
                    std::string_view stdout_format) {
    if (output == "-") return {stdout_format, output};
    for (const std::string_view format : formats) {
        const std::string prefix = fmt::format("{}:", format);
        if (output.size() > prefix.size() && output.starts_with(prefix))
            return {format, output.substr(prefix.size())};
        if (output == format || output == prefix)
            throw InputError("--output",
                             fmt::format(": '{0}' is a format and not a file; write {0}:FILE, or "
                                         "{0}:- for standard output",
                                         format));
    }
    std::vector<std::string> endings = mapped<std::string>(formats, ending_of);
    const auto found =
        std::ranges::find(endings, lower_case(fs::path(output).extension().string()));
    if (found != endings.end() && !found->empty())
        return {formats[static_cast<std::size_t>(found - endings.begin())], output};
    std::erase(endings, "");
    throw InputError("--output",
                     fmt::format(": '{}' ends in none of {}; name the format, as in {}:FILE",
                                 printable(output), join(endings), formats.front()));
}

// Whether writing twice would lose the first output; a stream or device receives both.
bool is_replaced(const std::string& path) {
    std::error_code error;
    return path != "-" && (!fs::exists(path, error) || fs::is_regular_file(path, error));
}

// Compares inodes, or for a missing file the paths with links resolved.
bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code missing;
    return fs::equivalent(a, b, missing) || io::behind_links(a) == io::behind_links(b);
}

bool is_stdout(const std::string& path) {
    return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1";
}

void refuse_twice(std::span<const Target> targets) {
    if (std::ranges::count_if(targets, is_stdout, &Target::path) > 1)
        throw InputError("--output",
                         ": two outputs go to standard output, which would mix them; write one of "
                         "them to a file");
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const std::string &a = targets[j].path, &b = targets[i].path;
            if (is_replaced(a) && is_replaced(b) && is_same_file(a, b))
                throw InputError("--output",
                                 fmt::format(": '{}' and '{}' are the same file; give each its own",
                                             printable(a), printable(b)));
        }
}

// The format of standard output: --format, with auto resolved.
std::string_view stdout_format(const Arguments& arguments,
                               std::span<const std::string_view> formats) {
    const std::string asked = arguments.value("--format").value_or("auto");
    if (asked == "auto") return stdout_is_terminal() || arguments.has("--quiet") ? "text" : "json";
    std::vector<std::string_view> known{"auto"};
    known.insert(known.end(), formats.begin(), formats.end());
    return item_named(asked, known, std::identity{}, "format", "--format");
}

std::string text_of(const io::Results& results, const io::TextOptions& options) {
    std::string all = io::reports_text(results.reports, options, results.required);
    std::vector<io::Lint> shown = results.lint;
    if (options.quiet)
        std::erase_if(shown,
                      [](const io::Lint& one) { return one.severity == io::Severity::note; });
    all += io::lint_text(shown);
    if (results.drift) all += (all.empty() ? "" : "\n") + io::drift_text(results, options);
    return io::fitted(all);
}

std::string render(const io::Results& results, std::string_view format) {
    if (format == "json") return io::results_json(results);
    if (format == "junit") return io::junit_xml(results);
    if (format == "github") return io::github_text(results);
    if (format == "markdown") return io::markdown_text(results);
    return text_of(results, results.text);
}

}  // namespace

std::vector<fs::path> files_of(Reads reads, const std::string& value) {
    if (reads == Reads::nothing || value.empty()) return {};
    if (reads == Reads::module) return module_files(value);
    std::vector<fs::path> files{value};
    if (reads == Reads::tensor) files.emplace_back(value.substr(0, value.rfind(':')));
    if (reads == Reads::config) files.push_back(fs::path(value) / "config.json");
    if (const fs::path second = io::second_shard(value);
        !second.empty() && (reads == Reads::config || reads == Reads::word))
        files.push_back(second);
    if (reads == Reads::word) {
        const std::string& name = files.emplace_back(value.substr(value.find('=') + 1)).native();
        if (name.find(':') != name.npos)
            std::ranges::move(module_files(name), std::back_inserter(files));
    }
    if (reads == Reads::request)
        for (const std::string_view name : io::audit_files) {
            files.push_back(fs::path(value) / name);
            files.push_back(fs::path(value) / io::k_folder / name);
        }
    return files;
}

bool is_figure(std::string_view format) {
    constexpr std::string_view figures[] = {"svg", "csv", "png", "pdf"};
    return std::ranges::count(figures, format) > 0;
}

bool is_drawn(std::string_view format) { return is_figure(format) || format == "html"; }

void refuse_to_overwrite(std::span<const Input> inputs, std::string_view option,
                         const std::string& path) {
    if (!is_replaced(path)) return;
    for (const Input& input : inputs)
        if (input.option != option && is_same_file(input.path, path))
            throw InputError(fmt::format("{}: '{}' is the input that {} names; choose another name",
                                         option, printable(path), input.option));
}

std::vector<Target> targets_among(std::span<const std::string_view> formats,
                                  const Target& otherwise, const Arguments& arguments) {
    std::vector<Target> targets;
    for (const std::string& output : arguments.values("--output"))
        targets.push_back(parse_target(output, formats, otherwise.format));
    if (targets.empty()) targets.push_back(otherwise);
    for (const Target& target : targets)
        refuse_to_overwrite(arguments.inputs, "--output", target.path);
    refuse_twice(targets);
    return targets;
}

std::unique_ptr<io::FileTaskLog> task_log(const Arguments& arguments, const std::string& question) {
    const auto file = arguments.value("--resume");
    if (!file || !is_first_rank()) return nullptr;
    refuse_to_overwrite(arguments.inputs, "--resume", *file);
    return std::make_unique<io::FileTaskLog>(*file, question);
}

void deliver_each(const Arguments& arguments, const std::function<std::string()>& verdict,
                  const std::function<void(const Target&)>& deliver_one) {
    std::optional<io::IoError> first;
    for (const Target& target : arguments.targets) try {
            deliver_one(target);
        } catch (const io::IoError& error) {
            if (first) say(fmt::format("error: {}", error.what()));
            if (!first) first = error;
        }
    const bool is_shown = std::ranges::any_of(arguments.targets, is_stdout, &Target::path);
    if (first) throw io::IoError(*first);
    if (is_shown || !is_first_rank()) return;
    if (const std::string lines = verdict(); !lines.empty()) say(lines);
}

void deliver_document(const io::Document& document, const Arguments& arguments) {
    deliver_each(
        arguments, [&] { return document.verdict; },
        [&](const Target& target) { deliver(target.path, document.in(target.format), arguments); });
}

void deliver(const std::string& path, std::string_view text, const Arguments& arguments) {
    deliver(path, [&](const io::Sink& write) { write(text); }, arguments);
}

void deliver(const std::string& path, const std::function<void(const io::Sink&)>& produce,
             const Arguments& arguments) {
    if (!is_first_rank()) return;
    if (path == "-") return produce(write_stdout);
    io::write_file_atomically(path, produce);
    if (!arguments.has("--quiet")) say("wrote " + printable(path));
}

std::vector<Target> formatted_targets(std::span<const std::string_view> formats,
                                      const Arguments& arguments) {
    const Target shown{stdout_format(arguments, formats), "-"};
    std::vector<Target> targets = targets_among(formats, shown, arguments);
    if (arguments.has("--format") &&  // not dropped next to files
        std::ranges::none_of(targets, is_stdout, &Target::path))
        targets.push_back(shown);
    return targets;
}

std::vector<Target> usual_targets(const Arguments& arguments) {
    return formatted_targets(option_in(arguments.command, "--output").formats, arguments);
}

void deliver_results(const io::Results& results, const Target& target, const Arguments& arguments) {
    const std::string text = render(results, target.format);
    const bool colors = target.format == "text" && target.path == "-" && wants_color(arguments);
    deliver(target.path, colors ? colored(text) : text, arguments);
}

std::string verdict_of(const io::Results& results) {
    return text_of(results, {.quiet = true, .dump = results.text.dump});
}

}  // namespace rope::cli
