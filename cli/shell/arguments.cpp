#include "cli/shell/arguments.hpp"

#include <algorithm>

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

}  // namespace rope::cli
