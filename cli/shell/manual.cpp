// Help of commands, and the completion scripts for each shell.
#include "cli/shell/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/shell/arguments.hpp"
#include "io/dump/shape.hpp"
#include "io/model/models.hpp"
#include "io/text/document.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/session/judge.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/spec/readings.hpp"

namespace rope::cli {
namespace {

// A group of options in the help of a command.
struct OptionGroup {
    std::string_view title;
    std::vector<Option> options;
};

std::vector<OptionGroup> option_groups(const Command& command) {
    std::vector<Option> own = command.options();
    own.push_back(color_option);
    own.push_back(sandbox_option);
    std::vector<OptionGroup> groups{{"Options", std::move(own)}};
    if (command.takes_config)
        groups.push_back({command.repeats_spec
                              ? "Config (options override the file; all may repeat)"
                              : "Config (options override the file)",
                          spec_options(command)});
    return groups;
}

// "--output, -o FILE"
std::string names_of(const Option& option) {
    std::string names(option.name);
    if (!option.alias.empty()) names += fmt::format(", {}", option.alias);
    if (!option.value.empty() && option.name.starts_with('-'))
        names += fmt::format(" {}", option.value);
    return names;
}

std::string meaning_of(const Option& option) {
    return std::string(option.help) + (option.repeats ? " (may repeat)" : "");
}

constexpr std::pair<int, std::string_view> exit_codes[] = {
    {0, "all requested checks passed"},
    {1,
     "a check failed, a metric drifted from its baseline, two configs differ, or --strict found a "
     "warning or something missing"},
    {2, "unusable command line or input, or nothing was checked"},
    {3, "file or environment error"},
    {70, "bug in rope-check"},
};

std::string row(const Option& option) {
    constexpr std::size_t width = 24;
    const std::string names = "  " + names_of(option);
    if (names.size() <= width)
        return io::hanging(fmt::format("{:{}}  ", names, width), meaning_of(option));
    return names + "\n" + io::hanging(std::string(width + 2, ' '), meaning_of(option));
}

// The options that -h shows.
constexpr std::string_view common[] = {
    "DUMP",      "FILE",       "ACTION",    "WHAT",       "ID",       "--pipeline", "--python",
    "--reading", "--baseline", "--suite",   "--distance", "--output", "--format",   "--quiet",
    "--verbose", "--config",   "--context", "--dim",      "--base",   "--rope"};

// The first part of a help text, on one line.
std::string_view first_part(std::string_view meaning) {
    constexpr std::size_t widest = 50;  // columns
    meaning = meaning.substr(0, std::min(meaning.find(" ("), meaning.find_first_of(";:")));
    return meaning.size() <= widest ? meaning : meaning.substr(0, meaning.rfind(", ", widest));
}

std::string short_rows(const Command& command) {
    std::string text;
    for (const auto& [title, options] : option_groups(command))
        for (const Option& option : options)
            if (std::ranges::count(common, option.name) > 0)
                text += fmt::format("  {:<28}{}\n", names_of(option), first_part(option.help));
    return text;
}

std::string heading(const Command& command, std::size_t most_examples) {
    std::string_view examples = command.examples;
    std::size_t end = 0;
    for (std::size_t k = 0; k < most_examples && end < examples.size(); ++k)
        end = examples.find('\n', end) + 1;
    return io::wrapped(fmt::format("rope-check {}: {}", command.name, command.summary), 2) +
           "\nExamples:\n" + std::string(examples.substr(0, end));
}

}  // namespace

std::string overview() {
    std::string text =
        "rope-check checks rotary position embeddings (RoPE) against exact values.\n"
        "It prints text on a terminal and JSON into a pipe or file; --format text prints\n"
        "text anywhere. verify, compare and audit print only failures with -q.\n"
        "\n"
        "  rope-check compare dump.npz llama-3-8b   what is wrong with my q and q_rot?\n"
        "  rope-check audit llama-3-8b -- ./kernel  does my program rotate correctly?\n"
        "  rope-check explain config.json           what does this config ask for?\n"
        "  rope-check verify llama-3-8b             how accurate is float32?\n"
        "\n"
        "Commands:\n";
    for (const Command& command : commands())
        text += io::hanging(fmt::format("  {:<15}  ", command.name), command.summary);
    return text +
           "\nrope-check COMMAND -h shows a command's main options, --help explains all.\n"
           "rope-check completion bash, zsh or fish prints a shell's completion, and\n"
           "--version prints what the program was built with.\n";
}

std::string summary_of(const Command& command) {
    return heading(command, 4) + "\n" + short_rows(command) +
           fmt::format("\nrope-check {} --help explains every option.\n", command.name);
}

std::string help_of(const Command& command) {
    std::string text = heading(command, command.examples.size());
    for (const auto& [title, options] : option_groups(command)) {
        text += fmt::format("\n{}:\n", title);
        const bool of_config = title.starts_with("Config");
        for (Option option : options) {
            option.repeats = option.repeats && !of_config;  // the title has it
            text += row(option);
        }
    }
    if (command.words != nullptr) text += command.words();
    text += "\nExit codes:\n";
    for (const auto& [code, meaning] : exit_codes)
        text += io::hanging(fmt::format("  {:<2}  ", code), meaning);
    return text;
}

namespace {

using Words = std::vector<std::string>;

template <class List, class NameOf>
Words names_among(const List& list, const NameOf& name_of) {
    Words names;
    for (const auto& one : list) names.emplace_back(std::invoke(name_of, one));
    return names;
}

Words claim_ids() {
    Words ids;
    for (const Check& check : checks())
        if (check.kind == Kind::claim) ids.emplace_back(check.id);
    return ids;
}

struct Vocabulary {
    std::string_view option;
    Words (*words)();
};

constexpr Vocabulary vocabularies[] = {
    {"--cache-layout", [] { return names_among(io::cache_layouts(), &io::LayoutForm::name); }},
    {"--color", [] { return Words{"auto", "always", "never"}; }},
    {"--layout",
     [] {
         return Words{"half", "interleaved", "interleaved-to-half", "neox", "rotate_half", "gptj"};
     }},
    {"--config", [] { return names_among(io::models(), &io::Model::name); }},
    {"--only", [] { return names_among(checks(), &Check::id); }},
    {"--pipeline", [] { return names_among(pipelines(), &Pipeline::name); }},
    {"--reading", [] { return names_among(readings(), &Reading::name); }},
    {"--require", claim_ids},
    {"--rope",
     [] {
         return names_among(
             variants(), [](const Variant& one) { return "rope_type=" + std::string(one.name); });
     }},
};

}  // namespace

std::vector<std::string> words_for(const Option& option) {
    if (!option.words.empty()) return {option.words.begin(), option.words.end()};
    const auto known = std::ranges::find(vocabularies, option.name, &Vocabulary::option);
    if (known != std::end(vocabularies)) return known->words();
    const std::size_t bar = option.value.find('|');  // "true|false", but not "A:B|A:B:STEP"
    if (bar == option.value.npos || option.value.find(':') != option.value.npos) return {};
    return {std::string(option.value.substr(0, bar)), std::string(option.value.substr(bar + 1))};
}

namespace {

std::vector<Option> flags_of(const Command& command) {
    std::vector<Option> flags;
    for (const OptionGroup& group : option_groups(command))
        for (const Option& option : group.options)
            if (option.name.starts_with('-')) flags.push_back(option);
    flags.push_back({"--help", "", "what every option does"});
    return flags;
}

// All options of any command that take a value, each once.
std::vector<Option> flags_with_values() {
    std::vector<Option> all;
    std::set<std::string_view> known;
    for (const Command& command : commands())
        for (const Option& option : flags_of(command))
            if (!option.value.empty() && known.insert(option.name).second) all.push_back(option);
    return all;
}

std::string spaced(const std::vector<std::string>& words) { return join(words, {}, " "); }

std::string spellings(const Option& option, std::string_view between) {
    return std::string(option.name) +
           (option.alias.empty() ? "" : std::string(between) + std::string(option.alias));
}

std::string spellings(const std::vector<Option>& options) {
    return join(options, [](const Option& one) { return spellings(one, " "); }, " ");
}

// Words without a dash that are no files: those of the first positional argument, and built-in
// models.
std::string first_words(const Command& command) {
    std::vector<std::string> words;
    const std::vector<Option> options = command.options();
    const auto first = std::ranges::find_if(
        options, [](const Option& option) { return !option.name.starts_with('-'); });
    if (first != options.end()) words = words_for(*first);
    if (command.takes_config)
        for (std::string& model : words_for({.name = "--config"}))
            words.push_back(std::move(model));
    return spaced(words);
}

std::string replaced(std::string_view text, char each, std::string_view by) {
    std::string all;
    for (const char one : text)
        if (one == each)
            all += by;
        else
            all += one;
    return all;
}

std::string shell_quoted(std::string_view text) {
    return "'" + replaced(text, '\'', "'\\''") + "'";
}

// The cases of a shell's `case` over the previous word, one per option with a value. The action is
// `complete` with the option's words or, without words, `otherwise`; after --config it is both, as
// a config is a file or a model's name.
std::string cases_of_values(std::string_view complete, std::string_view otherwise) {
    std::string text;
    for (const Option& option : flags_with_values()) {
        const std::string words = spaced(words_for(option));
        std::string action = words.empty() ? "" : fmt::format(fmt::runtime(complete), words);
        if (words.empty() || option.reads == Reads::config)
            action += (action.empty() ? "" : " ") + std::string(otherwise);
        text += fmt::format("    {}) {} return ;;\n", spellings(option, "|"), action);
    }
    return text;
}

std::string bash_completion() {
    std::string text = R"sh(# bash completion for rope-check: eval "$(rope-check completion bash)"
_rope_check() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} flags='' words='' k
    COMPREPLY=()
    for ((k = 2; k < COMP_CWORD; ++k)); do
        [[ ${COMP_WORDS[k]} != -- ]] || command=${COMP_WORDS[k + 1]-}
    done
    case $before in
)sh";
    text += cases_of_values("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\");", ":;");
    text += "    esac\n    case $command in\n";
    for (const Command& command : commands())
        text += fmt::format("    {}) flags='{}' words='{}' ;;\n", command.name,
                            spellings(flags_of(command)), first_words(command));
    text += fmt::format("    esac\n    ((COMP_CWORD > 1)) || words='{}'\n",
                        join(commands(), &Command::name, " "));
    return text + R"sh(    [[ $word != -* ]] || words=$flags
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _rope_check rope-check
)sh";
}

std::string zsh_completion() {
    const auto described = [](std::string_view name, std::string_view what) {
        return fmt::format("        {}\n", shell_quoted(fmt::format("{}:{}", name, what)));
    };
    std::string text = R"sh(#compdef rope-check
# zsh completion for rope-check: rope-check completion zsh >~/.zfunc/_rope-check
_rope-check() {
    local -a names flags first
    case $words[CURRENT-1] in
)sh";
    text += cases_of_values("compadd -- {};", "_files;");
    text += "    esac\n    if ((CURRENT == 2)); then\n        names=(\n";
    for (const Command& command : commands()) text += described(command.name, command.summary);
    text +=
        "        )\n        _describe command names\n        return\n    fi\n"
        "    case $words[2] in\n";
    for (const Command& command : commands()) {
        text += fmt::format("    {}) first=({}) flags=(\n", command.name, first_words(command));
        for (const Option& option : flags_of(command)) text += described(option.name, option.help);
        text += "        ) ;;\n";
    }
    return text + R"sh(    esac
    if [[ $PREFIX == -* ]]; then
        _describe option flags
    else
        compadd -- $first
        _files
    fi
}
if [[ $funcstack[1] == _rope-check ]]; then
    _rope-check "$@"
else
    compdef _rope-check rope-check
fi
)sh";
}

std::string fish_completion() {
    const auto described = [](std::string_view what) {
        return replaced(replaced(what, '\\', "\\\\"), '\'', "\\'");
    };
    std::string text =
        "# fish completion for rope-check: rope-check completion fish | source\n"
        "complete -c rope-check -e\n";
    for (const Command& command : commands()) {
        text += fmt::format("complete -c rope-check -f -n __fish_use_subcommand -a {} -d '{}'\n",
                            command.name, described(command.summary));
        const std::string here =
            fmt::format("complete -c rope-check -n '__fish_seen_subcommand_from {}'", command.name);
        if (const std::string words = first_words(command); !words.empty())
            text += fmt::format("{} -a '{}'\n", here, words);
        for (const Option& option : flags_of(command)) {
            text += fmt::format("{} -l {}", here, option.name.substr(2));
            if (option.alias.starts_with("--"))
                text += fmt::format(" -l {}", option.alias.substr(2));
            else if (!option.alias.empty())
                text += fmt::format(" -s {}", option.alias.substr(1));
            if (const std::string words = spaced(words_for(option)); !words.empty())
                text +=
                    fmt::format(" {} -a '{}'", option.reads == Reads::config ? "-r" : "-x", words);
            else if (!option.value.empty())
                text += " -r";
            text += fmt::format(" -d '{}'\n", described(option.help));
        }
    }
    return text;
}

struct Shell {
    std::string_view name;
    std::string (*script)();
};
constexpr Shell shells[] = {
    {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

}  // namespace

std::string completion_script(std::string_view shell) {
    return item_named(shell, shells, &Shell::name, "shell").script();
}

}  // namespace rope::cli
