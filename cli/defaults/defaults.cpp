#include "cli/defaults/defaults.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/defaults/project_file.hpp"
#include "cli/defaults/settable.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/suggest.hpp"
#include "io/text/number.hpp"

namespace rope::cli {
namespace {

struct Found {
    std::vector<std::string> values;  // none of a switch that is off
    std::string from;
};

bool is_spec_flag(const Option& option) {
    return std::ranges::find(io::spec_flags(), option.name, &io::SpecFlag::name) !=
           io::spec_flags().end();
}

bool is_given(const Option& option, const Arguments& arguments) {
    return arguments.has(option.name) ||
           std::ranges::any_of(arguments.spec_flags, [&](const io::Flag& flag) {
               return io::find_spec_flag(flag.name).name == option.name;
           });
}

// An empty variable is none.
std::optional<Found> from_environment(const Option& option) {
    const std::string variable = variable_of(option);
    const char* const set = std::getenv(variable.c_str());
    const std::string value = set == nullptr ? "" : set;
    if (value.empty()) return std::nullopt;
    if (!option.value.empty())
        return Found{option.repeats ? io::split_list(value) : std::vector{value}, variable};
    if (value == "1" || value == "true") return Found{{""}, variable};
    if (value == "0" || value == "false") return Found{{}, variable};
    throw InputError(
        fmt::format("{}: '{}' is not 1, 0, true or false", variable, printable(value)));
}

Found from_setting(const Option& option, const io::TomlSetting& setting, const std::string& file) {
    using Kind = io::TomlSetting::Kind;
    const std::string from = fmt::format("{}:{}", file, setting.line);
    const bool is_switch = option.value.empty();
    if (is_switch != (setting.kind == Kind::truth))
        throw InputError(fmt::format("{}: '{}' is {}", from, setting.key,
                                     is_switch ? "true or false" : "text in quotes or a number"));
    if (setting.kind == Kind::list && (!option.repeats || is_spec_flag(option)))
        throw InputError(fmt::format("{}: '{}' takes one value, not a list", from, setting.key));
    if (!is_switch) return {setting.values, from};
    return {setting.values[0] == "true" ? std::vector<std::string>{""} : std::vector<std::string>{},
            from};
}

std::optional<Found> from_file(const Option& option, const Command& command,
                               const ProjectFile& file) {
    for (const std::string_view section : {command.name, std::string_view()})
        for (const io::TomlSetting& setting : file.settings)
            if (setting.section == section && setting.key == key_of(option))
                return from_setting(option, setting, file.name);
    return std::nullopt;
}

// Variables of other purposes have names of ours, too; one that is nearly an option's is a slip.
void refuse_nearly_known_variables() {
    std::vector<std::string_view> ours;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (const std::string_view text(*entry); text.starts_with("ROPE_CHECK_"))
            ours.push_back(text.substr(0, text.find('=')));
    if (ours.empty()) return;
    std::vector<std::string> names;
    for (const Command& command : commands())
        for (const Option& option : settable_options(command)) names.push_back(variable_of(option));
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (const std::string_view name : ours) {
        if (std::ranges::find(known, name) != known.end()) continue;
        if (const std::string_view meant = nearest(name, known); !meant.empty())
            throw InputError(
                fmt::format("unknown variable {}; did you mean {}?", printable(name), meant));
    }
}

// As parse() leaves them: in the order of the options.
void put_in_order(const Command& command, std::vector<io::Flag>& flags) {
    const std::vector<Option> options = options_of(command);
    std::ranges::stable_sort(flags, {}, [&](const io::Flag& flag) {
        return std::ranges::find_if(options,
                                    [&](const Option& option) {
                                        return option.name == flag.name ||
                                               (!option.alias.empty() && option.alias == flag.name);
                                    }) -
               options.begin();
    });
}

}  // namespace

std::vector<Assumption> add_defaults(const Command& command, Arguments& arguments) {
    if (arguments.has(no_defaults_option.name)) return {};
    refuse_nearly_known_variables();
    const ProjectFile file = project_file();
    std::vector<Assumption> all;
    for (const Option& option : settable_options(command)) {
        if (is_given(option, arguments)) continue;
        std::optional<Found> found = from_environment(option);
        if (!found) found = from_file(option, command, file);
        if (!found) continue;
        for (const std::string& value : found->values) {
            (is_spec_flag(option) ? arguments.spec_flags : arguments.given)
                .push_back({std::string(option.name), value});
            all.push_back({std::string(key_of(option)), value, found->from});
            if (is_of_result(option)) arguments.defaults.push_back(all.back());
        }
    }
    if (all.empty()) return all;
    put_in_order(command, arguments.given);
    put_in_order(command, arguments.spec_flags);
    return all;
}

InputError with_source(const InputError& error, const std::vector<Assumption>& defaults) {
    for (const Assumption& one : defaults)
        if (error.field == "--" + one.what)
            return InputError(fmt::format("{}: {}", one.from, error.what()));
    return error;
}

}  // namespace rope::cli
