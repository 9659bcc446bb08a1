#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "cli/manual/manual.hpp"
#include "cli/shell/arguments.hpp"
#include "io/text/document.hpp"

namespace rope::cli {
namespace {

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

std::span<const ExitCode> exit_codes() {
    static constexpr ExitCode codes[] = {
        {0, "all requested checks passed"},
        {1,
         "a check failed, a metric drifted from its baseline, two configs differ, or --strict "
         "found "
         "a warning"},
        {2, "unusable command line or input, or nothing was checked"},
        {3, "file or environment error"},
        {70, "bug in rope-check"},
    };
    return codes;
}

std::string overview() {
    std::string text =
        "rope-check checks rotary position embeddings (RoPE) against exact values.\n"
        "It prints text on a terminal and JSON into a pipe or file; -q prints text.\n"
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
           "--version what it was built with.\n";
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
    for (const auto& [code, meaning] : exit_codes())
        text += io::hanging(fmt::format("  {:<2}  ", code), meaning);
    return text;
}

}  // namespace rope::cli
