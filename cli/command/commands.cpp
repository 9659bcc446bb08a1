// The table of commands, and their sandbox.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "base/suggest.hpp"
#include "base/task_source.hpp"
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/hints.hpp"
#include "cli/shell/manual.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/provenance.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/terminal.hpp"
#include "io/model/models.hpp"
#include "io/system/file_descriptor.hpp"
#include "io/system/landlock.hpp"
#include "io/system/write_file.hpp"

namespace rope::cli {
namespace {

std::string_view sandbox_mode(const Arguments& arguments) {
    static constexpr std::string_view modes[] = {"auto", "on", "off"};
    return item_named(arguments.value("--sandbox").value_or("auto"), modes, std::identity{},
                      "mode of --sandbox");
}

io::Grants grants_of(const Command& command, const Arguments& arguments) {
    io::Grants grants;
    std::vector<Input> inputs = arguments.inputs;
    if (command.further_inputs != nullptr)
        for (Input& input : command.further_inputs(arguments)) inputs.push_back(std::move(input));
    for (const Input& input : inputs)
        (input.is_written ? grants.updated : grants.read).push_back(input.path);
    for (const Target& target : arguments.targets)
        if (target.path != "-") grants.written.emplace_back(target.path);
    return grants;
}

// The action of the command that a sandbox forbids; "" if there is none.
std::string_view beyond(const Command& command, const Arguments& arguments) {
    const bool converts = std::ranges::any_of(arguments.targets, [](const Target& target) {
        return target.format == "png" || target.format == "pdf";
    });
    if (converts) return "runs rsvg-convert for a PNG or PDF";
    return command.beyond_sandbox == nullptr ? "" : command.beyond_sandbox(arguments);
}

// Restricts the process until its end. Must be called before it opens an input or starts a thread.
// Throws InputError if --sandbox is on and the command needs a forbidden action, IoError if the
// system has no sandbox.
void enter_sandbox(const Command& command, const Arguments& arguments, std::string_view mode,
                   Process process) {
    if (mode == "off") return;
    const std::string_view forbidden = beyond(command, arguments);
    if (mode == "on" && !forbidden.empty())
        throw InputError(fmt::format(
            "--sandbox on: this command {}, which a sandbox forbids; leave it out", forbidden));
    if (!forbidden.empty()) return;
    if (process == Process::own && io::has_landlock() &&
        io::restrict_to(grants_of(command, arguments)))
        return;
    if (mode == "on")
        throw io::IoError(
            "--sandbox on: there is no Landlock here, which Linux has from 5.13 on unless it is "
            "switched off, and which programs under mpirun do without");
}

InputError unknown_command(std::string_view name, std::span<const std::string_view> known) {
    const std::string word(name), head = word.substr(0, word.find(' '));
    if (head != word && (head == "rope-check" || std::ranges::count(known, head) > 0))
        return InputError(one_word(word, head == "rope-check" ? "" : "rope-check "));
    // list-models is list models, too
    const std::string_view plain = name.substr(name.starts_with("list-") ? 5 : 0);
    for (const Option& other : options_in("commands that people try"))
        if (other.name == plain)
            return InputError(
                fmt::format("unknown command '{}'; type rope-check {}", name, other.help));
    std::error_code error;
    if (word.ends_with(".json") || word.ends_with(".gguf") || io::is_model(name) ||
        std::filesystem::is_directory(word, error))
        return InputError(
            fmt::format("'{0}' is a config, and the first word is a command; type "
                        "rope-check explain {0}",
                        printable(name)));
    if (std::filesystem::exists(word, error))
        return InputError(
            fmt::format("'{0}' is a file, and the first word is a command; type "
                        "rope-check compare {0} CONFIG",
                        printable(name)));
    return unknown_word("command", name, known);
}

const Command& find_command(std::string_view name) {
    const auto found = std::ranges::find(commands(), name, &Command::name);
    if (found != commands().end()) return *found;
    if (name.starts_with('-'))
        throw InputError(
            fmt::format("the first word is a command, and '{0}' is an option; put {0} after the "
                        "command, or see rope-check --help",
                        printable(name)));
    throw unknown_command(name, mapped<std::string_view>(commands(), &Command::name));
}

int print(std::string_view text) {
    write_stdout(text);
    return 0;
}

std::string completion(std::span<const std::string> words) {
    if (words.size() == 2 && (words[1] == "--help" || words[1] == "-h"))
        return "rope-check completion bash, zsh or fish prints a shell's completion.\n"
               "\n  eval \"$(rope-check completion bash)\"\n";
    if (words.size() > 1 && words[1] == "of") return completions(words.subspan(2));
    if (words.size() != 2) throw InputError("completion takes one shell: bash, zsh or fish");
    return std::string(completion_script(words[1]));
}

int run(const Command& command, Arguments arguments) {
    for (const Target& target : arguments.targets)
        if (target.path != "-" && is_first_rank()) io::require_writable(target.path);
    use_classes(arguments);
    if (command.over_ranks == nullptr || !command.over_ranks(arguments)) {
        if (!is_first_rank()) return 0;
        share_with(nullptr);
    }
    const bool reports_progress = is_first_rank() && !arguments.has("--quiet");
    Progress progress(reports_progress ? std::string(command.doing) : "");
    arguments.progress = &progress;
    return command.run(arguments);
}

}  // namespace

std::span<const Command> commands() {
    static const auto all = mapped<Command>(
        std::array{verify_command, compare_command, audit_command, explain_command, diff_command,
                   export_command, baseline_command, base_bound_command, claims_command,
                   plot_decay_command, plot_angles_command, plot_scores_command, list_command},
        described);
    return all;
}

int run(std::span<const std::string> words, Process process) {
    if (words.empty()) {
        say(overview());
        return 2;
    }
    const std::string& first = words.front();
    if (first == "--version" || first == "-V" || first == "version") return print(version());
    if (first == "completion") return print(completion(words));
    if (first == "help" || first == "--help" || first == "-h")
        return print(words.size() == 1 ? overview() : help_of(find_command(words[1])));

    const Command& command = find_command(first);
    Arguments arguments = parse(command, words.subspan(1));
    if (arguments.has("--help")) return print(help_of(command));
    if (arguments.has("-h")) return print(summary_of(command));
    (void)wants_color(arguments);  // refuses an unknown word before the work
    const std::string_view mode = sandbox_mode(arguments);
    arguments.targets = command.targets(arguments);
    enter_sandbox(command, arguments, mode, process);
    return run(command, std::move(arguments));
}

}  // namespace rope::cli
