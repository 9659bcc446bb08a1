#include "cli/shell/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/printable.hpp"
#include "base/task_source.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/help.hpp"
#include "cli/sandbox/sandbox.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/provenance.hpp"
#include "cli/shell/specs.hpp"
#include "cli/shell/suggest.hpp"
#include "cli/shell/terminal.hpp"
#include "io/render/finding_text.hpp"

namespace rope::cli {
namespace {

const Command table[] = {verify_command,     compare_command,     audit_command,
                         explain_command,    diff_command,        export_command,
                         baseline_command,   base_bound_command,  claims_command,
                         plot_decay_command, plot_angles_command, plot_scores_command,
                         list_command};

const Command& find_command(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Command& command : table) {
        if (command.name == name) return command;
        known.push_back(command.name);
    }
    if (name.starts_with('-'))
        throw InputError(
            fmt::format("the first word is a command, and '{}' is an option; see "
                        "rope-check --help",
                        printable(name)));
    throw unknown_word("command", name, known);
}

int print(std::string_view text) {
    write_stdout(text);
    return 0;
}

std::string completion(std::span<const std::string> words) {
    if (words.size() == 2 && (words[1] == "--help" || words[1] == "-h"))
        return "rope-check completion bash, zsh or fish prints a shell's completion.\n"
               "\n  eval \"$(rope-check completion bash)\"\n";
    if (words.size() != 2) throw InputError("completion takes one shell: bash, zsh or fish");
    return completion_script(words[1]);
}

int run(const Command& command, Arguments arguments) {
    if (command.targets != nullptr) (void)command.targets(arguments);
    use_classes(arguments);
    if (command.over_ranks == nullptr || !command.over_ranks(arguments)) {
        if (!is_first_rank()) return 0;
        share_with(nullptr);
    }
    const bool reports_progress = is_first_rank() && !arguments.has("--quiet");
    Progress progress(reports_progress ? std::string(command.doing) : "");
    arguments.run.progress = &progress;
    return command.run(arguments);
}

}  // namespace

std::span<const Command> commands() { return table; }

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
    enter_sandbox(command, arguments, process);
    return run(command, std::move(arguments));
}

}  // namespace rope::cli
