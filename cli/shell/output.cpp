#include "cli/shell/output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/write_file.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view inputs[] = {"--config", "--baseline", "DUMP",        "--cos", "--sin",
                                       "--q",      "--q-rot",    "--positions", "A",     "B"};

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code missing;  // what is not there is not the same
    return std::filesystem::equivalent(a, b, missing);
}

void refuse_to_overwrite(const std::string& path, const Arguments& arguments) {
    for (const std::string_view name : inputs) {
        for (const std::string& value : arguments.values(name)) {
            const std::string archive = value.substr(0, value.rfind(':'));  // of archive.npz:cos
            const std::filesystem::path in_folder = std::filesystem::path(value) / "config.json";
            if (is_same_file(value, path) || is_same_file(archive, path) ||
                is_same_file(in_folder, path)) {
                throw InputError(
                    fmt::format("--output: '{}' is the input that {} names; choose another name",
                                printable(path), name));
            }
        }
    }
}

}  // namespace

Target parse_target(const std::string& output, std::span<const Format> formats,
                    std::string_view stdout_format) {
    if (output == "-") return {stdout_format, output};
    const std::string ending = std::filesystem::path(output).extension();
    for (const Format& format : formats) {
        const std::string prefix = fmt::format("{}:", format.name);
        if (output.size() > prefix.size() && output.starts_with(prefix)) {
            return {format.name, output.substr(prefix.size())};
        }
    }
    std::string endings;
    for (const Format& format : formats) {
        if (format.ending.empty()) continue;
        if (ending == format.ending) return {format.name, output};
        endings += fmt::format("{}{}", endings.empty() ? "" : ", ", format.ending);
    }
    throw InputError(
        fmt::format("--output: '{}' ends in none of {}; say which it is, as in {}:FILE",
                    printable(output), endings, formats.front().name));
}

void deliver(const std::string& path, std::string_view text, const Arguments& arguments) {
    if (path == "-") return write_stdout(text);
    refuse_to_overwrite(path, arguments);
    io::write_file_atomically(path, text);
    if (!arguments.has("--quiet")) say(fmt::format("wrote {}", printable(path)));
}

}  // namespace rope::cli
