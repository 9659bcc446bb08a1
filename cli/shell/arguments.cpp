#include "cli/shell/arguments.hpp"

#include <algorithm>

#include "io/text/number.hpp"

namespace rope::cli {

bool Arguments::has(std::string_view name) const { return value(name).has_value(); }

std::optional<std::string> Arguments::value(std::string_view name) const {
    const auto flag =
        std::find_if(given.begin(), given.end(), [&](const io::Flag& f) { return f.name == name; });
    return flag == given.end() ? std::nullopt : std::optional(flag->value);
}

std::vector<std::string> Arguments::values(std::string_view name) const {
    std::vector<std::string> all;
    for (const io::Flag& flag : given) {
        if (flag.name == name) all.push_back(flag.value);
    }
    return all;
}

void refuse_stdin_twice(const Arguments& arguments) {
    std::string first;
    for (const io::Flag& flag : arguments.given) {
        const bool is_stdin = flag.value == "-" || flag.value.starts_with("-:");
        if (!is_stdin || std::ranges::find(arguments.inputs, flag.name, &Input::option) ==
                             arguments.inputs.end())
            continue;
        if (!first.empty())
            throw InputError(first,
                             "and " + flag.name +
                                 " both are standard input, -, which can be read once; give one of "
                                 "them a file");
        first = flag.name;
    }
}

Option threads_option() {
    return {.name = "--threads",
            .value = "N",
            .help = "number of threads; the result does not depend on it"};
}

unsigned threads_asked(const Arguments& arguments) {
    constexpr std::uint64_t most = 1024;
    const auto threads = arguments.value("--threads");
    return threads ? static_cast<unsigned>(io::parse_whole("--threads", *threads, 1, most)) : 0;
}

}  // namespace rope::cli
