#include "cli/shell/arguments.hpp"

#include <algorithm>

#include "io/text/number.hpp"

namespace rope::cli {

bool Arguments::has(std::string_view name) const { return value(name).has_value(); }

std::optional<std::string> Arguments::value(std::string_view name) const {
    const auto flag = std::ranges::find(given, name, &io::Flag::name);
    return flag == given.end() ? std::nullopt : std::optional(flag->value);
}

std::vector<std::string> Arguments::values(std::string_view name) const {
    std::vector<std::string> all;
    for (const io::Flag& flag : given)
        if (flag.name == name) all.push_back(flag.value);
    return all;
}

std::optional<std::uint64_t> Arguments::whole(std::string_view name, std::uint64_t least,
                                              std::uint64_t most) const {
    const auto text = value(name);
    return text ? std::optional(io::parse_whole(name, *text, least, most)) : std::nullopt;
}

void refuse_stdin_twice(const Arguments& arguments) {
    std::string first;
    for (const io::Flag& flag : arguments.given) {
        const bool is_stdin = flag.value == "-" || flag.value.starts_with("-:");
        if (!is_stdin || std::ranges::count(arguments.inputs, flag.name, &Input::option) == 0)
            continue;
        if (!first.empty())
            throw InputError(first,
                             "and " + flag.name +
                                 " both are standard input, -, which can be read once; give one of "
                                 "them a file");
        first = flag.name;
    }
}

Option output_option(std::string_view help) {
    return {"--output", "FILE", help, Reads::nothing, true, "-o"};
}

Option quiet_option(std::string_view help) {
    return {"--quiet", "", help, Reads::nothing, false, "-q"};
}

Option threads_option() {
    return {"--threads", "N", "number of threads; the result does not depend on it"};
}

unsigned threads_asked(const Arguments& arguments) {
    return static_cast<unsigned>(arguments.whole("--threads", 1, 1024).value_or(0));
}

}  // namespace rope::cli
