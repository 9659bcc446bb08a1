#include "cli/sandbox/sandbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "cli/shell/options.hpp"
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
    io::Grants grants;
    std::vector<Input> inputs = arguments.inputs;
    if (command.further_inputs != nullptr)
        for (Input& input : command.further_inputs(arguments)) inputs.push_back(std::move(input));
    for (const Input& input : inputs)
        (input.is_written ? grants.updated : grants.read).push_back(input.path);
    for (const Target& target : targets)
        if (target.path != "-") {
            grants.written.emplace_back(target.path);
            grants.read.emplace_back(target.path);  // a table is resumed from its file
        }
    return grants;
}

// What the command does that a sandbox forbids; "" where it does nothing such.
std::string_view beyond(const Command& command, const Arguments& arguments,
                        std::span<const Target> targets) {
    const bool converts = std::ranges::any_of(targets, [](const Target& target) {
        return target.format == "png" || target.format == "pdf";
    });
    if (converts) return "runs rsvg-convert for a PNG or PDF";
    return command.beyond_sandbox == nullptr ? "" : command.beyond_sandbox(arguments);
}

}  // namespace

void enter_sandbox(const Command& command, const Arguments& arguments, Process process) {
    const Mode mode = mode_of(arguments);
    if (mode == Mode::off) return;
    const std::vector<Target> targets = targets_of(command, arguments);
    const std::string_view forbidden = beyond(command, arguments, targets);
    if (mode == Mode::on && !forbidden.empty())
        throw InputError(fmt::format(
            "--sandbox on: this command {}, which a sandbox forbids; leave it out", forbidden));
    if (!forbidden.empty()) return;
    if (process == Process::own && io::has_landlock() &&
        io::restrict_to(grants_of(command, arguments, targets)))
        return;
    if (mode == Mode::on)
        throw io::IoError(
            "--sandbox on: there is no Landlock here, which Linux has from 5.13 on unless it is "
            "switched off, and which programs under mpirun do without");
}

}  // namespace rope::cli
