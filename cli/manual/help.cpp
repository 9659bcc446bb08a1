#include "cli/manual/help.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "io/text/wrapped.hpp"

namespace rope::cli {
namespace {

std::string row(const Option& option) {
    constexpr std::size_t width = 24;
    const std::string names = "  " + names_of(option);
    if (names.size() <= width)
        return io::hanging(fmt::format("{:{}}  ", names, width), meaning_of(option));
    return names + "\n" + io::hanging(std::string(width + 2, ' '), meaning_of(option));
}

std::string heading(const Command& command) {
    return io::wrapped(fmt::format("rope-check {}: {}", command.name, command.summary), 2) +
           "\nExamples:\n" + std::string(command.examples);
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
    own.push_back(no_defaults_option);
    own.push_back(sandbox_option);
    return {{"Options", std::move(own)},
            {"SPEC, the expected rotation (flags override the file)", spec_options(command)},
            {"SPEC, parameters of rope types", scaling_options(command)}};
}

std::span<const ExitCode> exit_codes() {
    static constexpr ExitCode codes[] = {
        {0, "all requested checks passed"},
        {1,
         "a law, a conformance check or a claim named by --require is violated, a metric drifted "
         "from its baseline, two configs differ, explain --strict found a warning, base-bound "
         "--base fails, or a derived claim is not supported"},
        {2, "unusable command line or input, or nothing was checked"},
        {3, "file or environment error"},
        {70, "bug in rope-check"},
    };
    return codes;
}

std::string overview() {
    std::string text =
        "rope-check verifies rotary position embeddings (RoPE) against the exact truth.\n"
        "It prints text on a terminal and JSON into a pipe or file (--format text).\n"
        "\n"
        "  rope-check verify llama-3-8b           a built-in model, or a config.json\n"
        "  rope-check compare dump.npz config.json\n"
        "\n"
        "Commands:\n";
    for (const Command& command : commands())
        text += io::hanging(fmt::format("  {:<15}  ", command.name), command.summary);
    return text +
           "\nrope-check COMMAND -h names a command's options, --help explains them.\n"
           "rope-check completion bash, zsh or fish prints a shell's completion, manual\n"
           "COMMAND a manual page, and --version what it was built with.\n"
           "rope-check.toml and variables such as ROPE_CHECK_PIPELINE set the options that a\n"
           "command line leaves out; --no-defaults ignores them.\n";
}

std::string summary_of(const Command& command) {
    std::string text = heading(command);
    for (const auto& [title, options] : option_groups(command))
        text += fmt::format("\n{}:\n", title) + io::hanging("  ", join(options, &Option::name));
    return text + fmt::format("\nrope-check {} --help says what each does.\n", command.name);
}

std::string help_of(const Command& command) {
    std::string text = heading(command);
    for (const auto& [title, options] : option_groups(command)) {
        text += fmt::format("\n{}:\n", title);
        for (const Option& option : options) text += row(option);
    }
    if (command.words != nullptr) text += command.words();
    text += "\nExit codes:\n";
    for (const auto& [code, meaning] : exit_codes())
        text += io::hanging(fmt::format("  {:<2}  ", code), meaning);
    return text;
}

}  // namespace rope::cli
