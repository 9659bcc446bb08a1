#include "cli/defaults/project_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/defaults/settable.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/suggest.hpp"
#include "io/file/read_file.hpp"

namespace rope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_name = "rope-check.toml";
constexpr std::uint64_t largest = 1 << 16;

bool is_there(const fs::path& path) {
    std::error_code unknown;
    return fs::symlink_status(path, unknown).type() != fs::file_type::not_found && !unknown;
}

// Of one command, or of them all.
std::vector<Option> known_options(std::string_view section, bool settable) {
    std::vector<Option> all;
    for (const Command& command : commands()) {
        if (!section.empty() && command.name != section) continue;
        for (const Option& option : settable ? settable_options(command) : options_of(command))
            if (option.name.starts_with("--")) all.push_back(option);
    }
    return all;
}

// Each once, in order.
std::vector<std::string_view> keys_of(const std::vector<Option>& options) {
    std::vector<std::string_view> keys;
    for (const Option& option : options)
        if (std::ranges::find(keys, key_of(option)) == keys.end()) keys.push_back(key_of(option));
    return keys;
}

void refuse_unknown_section(const io::TomlSetting& setting) {
    std::vector<std::string_view> names;
    for (const Command& command : commands()) names.push_back(command.name);
    if (!setting.section.empty() && std::ranges::find(names, setting.section) == names.end())
        throw unknown_word("command", setting.section, names);
}

void refuse_unknown_key(const io::TomlSetting& setting) {
    const std::vector<Option> options = known_options(setting.section, true);
    const std::vector<std::string_view> keys = keys_of(options);
    if (std::ranges::find(keys, setting.key) != keys.end()) return;
    const std::vector<Option> other = known_options(setting.section, false);
    const std::vector<std::string_view> flags = keys_of(other);
    if (std::ranges::find(flags, setting.key) != flags.end())
        throw InputError(
            fmt::format("'{0}' has no default; give --{0} on the command line", setting.key));
    throw unknown_word("key", setting.key, keys);
}

}  // namespace

// This folder's, else the nearest above it in the same repository.
std::string project_file_name() {
    std::error_code unknown;
    const fs::path here = fs::current_path(unknown);
    std::string up, found;
    for (fs::path folder = here; !unknown; folder = folder.parent_path(), up += "../") {
        if (found.empty() && is_there(folder / file_name)) found = up + std::string(file_name);
        if (is_there(folder / ".git")) return found;
        if (folder == folder.parent_path()) break;
    }
    return found == file_name ? found : "";
}

ProjectFile project_file() {
    ProjectFile file{project_file_name()};
    if (file.name.empty()) return file;
    const io::FileBytes bytes = io::read_file(file.name, largest);
    file.settings =
        io::parse_toml({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.name);
    for (const io::TomlSetting& setting : file.settings) {
        try {
            refuse_unknown_section(setting);
            refuse_unknown_key(setting);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}:{}: {}", file.name, setting.line, error.what()));
        }
    }
    return file;
}

}  // namespace rope::cli
