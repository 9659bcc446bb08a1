// A command line, with one argument on each line.
#include <algorithm>

#include "cli/command/judging.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/specs.hpp"
#include "tests/fuzz/models.hpp"

namespace rope::fuzz {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines{""};
    for (const char c : text)
        if (c == '\n')
            lines.emplace_back();
        else if (c != '\0')  // no argument contains it
            lines.back() += c;
    return lines;
}

}  // namespace

void try_input(Bytes input) {
    const std::vector<std::string> words = lines_of(text_of(input));
    const auto command = std::ranges::find(cli::commands(), words[0], &cli::Command::name);
    if (command == cli::commands().end()) return;
    const cli::Arguments arguments = cli::parse(*command, std::span(words).subspan(1));
    is_accepted([&] { cli::session_options(arguments); });
    if (!arguments.inputs.empty()) return;
    for (const cli::OneOfSeveral& one : cli::one_by_one(arguments))
        is_accepted([&] { explain_model(cli::model_of(one.arguments)); });
}

}  // namespace rope::fuzz
