#include "cli/shell/commands.hpp"

#include <algorithm>
#include <iterator>

#include "base/task_source.hpp"
#include "cli/defaults/defaults.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/help.hpp"
#include "cli/manual/manual_page.hpp"
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

const Command table[] = {verify_command,         compare_command,       audit_command,
                         sweep_command,          baseline_command,      explain_command,
                         diff_command,           export_command,        suite_command,
                         base_bound_command,     claims_command,        plot_decay_command,
                         plot_angles_command,    plot_spectrum_command, plot_base_bound_command,
                         plot_precision_command, plot_scores_command,   plot_compare_command,
                         report_command,         page_command,          models_command};

const Command& find_command(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Command& command : table) {
        if (command.name == name) return command;
        known.push_back(command.name);
    }
    throw unknown_word(name.starts_with('-') ? "option" : "command", name, known);
}

int print(std::string_view text) {
    write_stdout(text);
    return 0;
}

// completion SHELL, manual [COMMAND]
std::string page(std::span<const std::string> words) {
    const bool is_manual = words[0] == "manual";
    if (words.size() == 2 && (words[1] == "--help" || words[1] == "-h"))
        return is_manual ? "rope-check manual [COMMAND] prints a manual page for man -l -, of all "
                           "commands or of one.\n\n  rope-check manual verify | man -l -\n"
                         : "rope-check completion bash, zsh or fish prints a shell's completion.\n"
                           "\n  eval \"$(rope-check completion bash)\"\n";
    if (is_manual && words.size() == 1) return manual_page();
    if (words.size() != 2)
        throw InputError(is_manual ? "manual takes one command, as in rope-check manual verify"
                                   : "completion takes one shell: bash, zsh or fish");
    return is_manual ? manual_page(find_command(words[1])) : completion_script(words[1]);
}

// What a report does not say.
void say_defaults(const Command& command, const Arguments& arguments) {
    constexpr std::string_view reporting[] = {"verify", "compare", "audit"};
    if (arguments.defaults.empty() || arguments.has("--quiet") || !is_first_rank()) return;
    if (std::ranges::find(reporting, command.name) != std::end(reporting)) return;
    say("defaults: " + io::assumed_text(arguments.defaults));
}

int run(const Command& command, Arguments arguments) {
    if (command.targets != nullptr) (void)command.targets(arguments);
    use_classes(arguments);
    if (!command.over_ranks) {
        if (!is_first_rank()) return 0;
        share_with(nullptr);
    }
    say_defaults(command, arguments);
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
    if (first == "completion" || first == "manual") return print(page(words));
    const bool help = first == "help";
    if (first == "--help" || first == "-h" || (help && words.size() == 1)) return print(overview());
    if (help) return print(help_of(find_command(words[1])));

    const Command& command = find_command(first);
    Arguments arguments = parse(command, words.subspan(1));
    if (arguments.has("--help")) return print(help_of(command));
    if (arguments.has("-h")) return print(summary_of(command));
    const Sandbox sandbox(command, arguments, process);
    const std::vector<Assumption> defaults = add_defaults(command, arguments);
    try {
        return run(command, arguments);
    } catch (const InputError& error) {
        throw with_source(error, defaults);
    }
}

}  // namespace rope::cli
