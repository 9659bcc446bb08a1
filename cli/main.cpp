#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/io_error.hpp"

namespace {

// One line, whatever the text in it came from.
void say(std::string_view what, const std::string& error) {
    rope::cli::say(fmt::format("{}: {}", what, rope::printable(error, error.size())));
}

}  // namespace

int main(int argc, char** argv) try {
    rope::cli::prepare_process();
    return rope::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
} catch (const rope::InputError& error) {
    say("error", error.what());
    return 2;
} catch (const rope::io::IoError& error) {
    say("error", error.what());
    return 3;
} catch (const std::bad_alloc&) {
    say("error", "not enough memory");
    return 3;
} catch (const std::exception& error) {
    say("internal error", fmt::format("{}; please report it with the command line", error.what()));
    return 70;
}
