// rope-check.toml, as every command takes its defaults from it.
#include "cli/defaults/defaults.hpp"

#include <filesystem>

#include "cli/command/judging.hpp"
#include "cli/shell/commands.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {
namespace {

void enter_folder_of(const std::filesystem::path& file) {
    static bool is_there = false;
    if (!is_there) std::filesystem::current_path(file.parent_path());
    is_there = true;
}

}  // namespace

void try_input(Bytes input) {
    enter_folder_of(file_of(text_of(input), "rope-check.toml"));
    for (const cli::Command& command : cli::commands()) {
        cli::Arguments arguments{.given = {}, .spec_flags = {}};
        const auto defaults = cli::add_defaults(command, arguments);
        require(arguments.defaults.size() <= defaults.size(), "a default of nowhere");
        is_accepted([&] { cli::session_options(arguments); });
    }
}

}  // namespace rope::fuzz
