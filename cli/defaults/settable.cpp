#include "cli/defaults/settable.hpp"

#include <algorithm>
#include <iterator>

#include "cli/shell/options.hpp"

namespace rope::cli {
namespace {

constexpr std::string_view of_every_command[] = {"--color",   "--format",  "--graphics", "--quiet",
                                                 "--verbose", "--threads", "--strict"};
constexpr std::string_view of_judging[] = {"--pipeline", "--reading", "--seed", "--max-error",
                                           "--require"};
constexpr std::string_view judging_commands[] = {"verify", "compare", "audit", "report"};

template <class List>
bool has(const List& list, std::string_view name) {
    return std::ranges::find(list, name) != std::end(list);
}

}  // namespace

std::vector<Option> settable_options(const Command& command) {
    const bool judges = has(judging_commands, command.name);
    std::vector<Option> all;
    for (const Option& option : options_of(command))
        if (has(of_every_command, option.name) || (judges && has(of_judging, option.name)))
            all.push_back(option);
    return all;
}

bool is_of_result(const Option& option) {
    return has(of_judging, option.name) || option.name == "--strict";
}

std::string_view key_of(const Option& option) { return option.name.substr(2); }

std::string variable_of(const Option& option) {
    std::string name = "ROPE_CHECK_";
    for (const char c : key_of(option))
        name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return name;
}

}  // namespace rope::cli
