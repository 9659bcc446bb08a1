#include "cli/command/help.hpp"

#include <fmt/format.h>

#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view exit_codes = R"(
Exit codes:
  0   all requested checks passed
  1   a law, a conformance check or a claim named by --require is violated, a
      metric drifted from its baseline, two configs differ, explain --strict
      found a warning, base-bound --base fails, or a derived claim is not
      supported
  2   unusable command line or input, or nothing was checked
  3   file or environment error
  70  bug in rope-check
)";

std::string row(const Option& option) {
    std::string names(option.name);
    if (!option.alias.empty()) names += fmt::format(", {}", option.alias);
    if (!option.value.empty() && option.name.starts_with('-')) {
        names += fmt::format(" {}", option.value);
    }
    constexpr std::size_t width = 34;
    const std::string_view again = option.repeats ? " (may repeat)" : "";
    if (names.size() <= width)
        return fmt::format("  {:{}}  {}{}\n", names, width, option.help, again);
    return fmt::format("  {}\n  {:{}}  {}{}\n", names, "", width, option.help, again);
}

}  // namespace

std::string overview() {
    std::string text =
        "rope-check verifies rotary position embeddings (RoPE) against the exact rotation.\n"
        "\n"
        "  rope-check verify --dim 128 --base 500000 --max-position 8192\n"
        "\n"
        "Commands:\n";
    for (const Command& command : commands()) {
        text += fmt::format("  {:<15}  {}\n", command.name, command.summary);
    }
    return text +
           "\nSee rope-check COMMAND --help for a command's options, and rope-check --version.\n";
}

std::string help_of(const Command& command) {
    std::string text = fmt::format("rope-check {}: {}\n\nExamples:\n{}\nOptions:\n", command.name,
                                   command.summary, command.examples);
    for (const Option& option : command.options()) text += row(option);
    text += row(color_option);
    text += "\nSPEC, the expected rotation (flags override the file):\n";
    for (const Option& option : spec_options(command)) text += row(option);
    if (command.words != nullptr) text += command.words();
    return text + std::string(exit_codes);
}

}  // namespace rope::cli
