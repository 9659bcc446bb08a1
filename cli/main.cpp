#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/terminal.hpp"
#include "io/file/io_error.hpp"

int main(int argc, char** argv) try {
    rope::cli::prepare_process();
    return rope::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
} catch (const rope::InputError& error) {
    rope::cli::say(fmt::format("error: {}", error.what()));
    return 2;
} catch (const rope::io::IoError& error) {
    rope::cli::say(fmt::format("error: {}", error.what()));
    return 3;
} catch (const std::bad_alloc&) {
    rope::cli::say("error: not enough memory");
    return 3;
} catch (const std::exception& error) {
    rope::cli::say(fmt::format("internal error: {}; please report it with the command line",
                               rope::printable(error.what())));
    return 70;
}
