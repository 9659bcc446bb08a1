#include "cli/sandbox/sandbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "cli/defaults/project_file.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/rasterize.hpp"
#include "cli/shell/suggest.hpp"
#include "io/file/io_error.hpp"
#include "io/sandbox/landlock.hpp"

namespace rope::cli {
namespace {

enum class Mode { automatic, on, off };

Mode mode_of(const Arguments& arguments) {
    constexpr std::string_view words[] = {"auto", "on", "off"};  // in Mode's order
    const std::string asked = arguments.value(sandbox_option.name).value_or("auto");
    const auto found = std::ranges::find(words, asked);
    if (found == std::end(words)) throw unknown_word("mode of --sandbox", asked, words);
    return static_cast<Mode>(found - std::begin(words));
}

std::vector<Target> targets_of(const Command& command, const Arguments& arguments) {
    return command.targets == nullptr ? std::vector<Target>() : command.targets(arguments);
}

io::Grants grants_of(const Command& command, const Arguments& arguments,
                     std::span<const Target> targets) {
    io::Grants grants{{}, {}, rasterize_as};
    std::vector<Input> inputs = arguments.inputs;
    if (command.further_inputs != nullptr)
        for (Input& input : command.further_inputs(arguments)) inputs.push_back(std::move(input));
    for (const Input& input : inputs)
        (input.is_written ? grants.written : grants.read).push_back(input.path);
    if (!arguments.has(no_defaults_option.name)) grants.read.emplace_back(project_file_name());
    for (const Target& target : targets)
        if (target.path != "-") grants.written.emplace_back(target.path);
    return grants;
}

// By rsvg-convert; a figure for a terminal may be a picture.
bool is_converted(const Target& target) {
    return target.format == "png" || target.format == "pdf" || target.format == "terminal";
}

}  // namespace

Sandbox::Sandbox(const Command& command, const Arguments& arguments, Process process) {
    const Mode mode = mode_of(arguments);
    const std::string_view beyond =
        command.beyond_sandbox == nullptr ? "" : command.beyond_sandbox(arguments);
    if (mode == Mode::on && !beyond.empty())
        throw InputError(
            fmt::format("--sandbox on: this command {}, which no sandbox holds; leave it "
                        "out",
                        beyond));
    if (mode == Mode::off || !beyond.empty()) return;
    const std::vector<Target> targets = targets_of(command, arguments);
    if (process == Process::own && io::has_landlock()) {
        const io::Grants grants = grants_of(command, arguments, targets);
        const bool needs_deputy =
            !grants.written.empty() || std::ranges::any_of(targets, is_converted);
        if (needs_deputy) deputy_ = io::Deputy::start(grants);
        io::outside = deputy_.get();
        if (needs_deputy == (deputy_ != nullptr) && io::restrict_to_reading(grants.read)) return;
        io::outside = nullptr;
        deputy_.reset();
    }
    if (mode == Mode::on)
        throw io::IoError(
            "--sandbox on: there is no Landlock here, which Linux has from 5.13 on unless it is "
            "switched off, and which programs under mpirun do without");
}

}  // namespace rope::cli
