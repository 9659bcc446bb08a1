#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/terminal.hpp"
#include "io/render/results.hpp"
#include "io/system/file_descriptor.hpp"
#include "io/system/out_of_memory.hpp"
#ifdef ROPE_CHECK_MPI
#include "base/task_source.hpp"
#include "mpi/mpi_ranks.hpp"
#endif

namespace {

using rope::cli::Process;

// Prints an error on one line, with control characters escaped, and as an annotation of GitHub if
// the words ask for that format. Returns the code.
int fail(int code, std::string_view what, const std::string& error,
         std::span<const std::string> words) {
    const std::string line = rope::printable(error, error.size());
    rope::cli::say(fmt::format("{}: {}", what, line));
    constexpr std::string_view asked[] = {"github", "--format=github", "github:-"};
    if (std::ranges::find_first_of(words, asked) != words.end())
        (void)rope::io::write_all(STDOUT_FILENO, rope::io::github_error(line));
    return code;
}

int code_of(std::span<const std::string> words, Process process) try {
    rope::io::survive_out_of_memory();
    rope::cli::prepare_process();
    return rope::cli::run(words, process);
} catch (const rope::InputError& error) {
    return fail(2, "error", error.what(), words);
} catch (const rope::io::IoError& error) {
    return fail(3, "error", error.what(), words);
} catch (const std::bad_alloc&) {
    rope::io::say_out_of_memory();
    return rope::io::out_of_memory_code;
} catch (const std::exception& error) {
    return fail(70, "internal error",
                fmt::format("{}; please report it with the command line", error.what()), words);
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
#ifdef ROPE_CHECK_MPI
    rope::MpiRanks ranks;
    rope::share_with(&ranks);
    if (ranks.are_relayed()) rope::cli::write_to_no_terminal();
    // MPI has threads and open files
    const int code = code_of(words, ranks.are_relayed() ? Process::shared : Process::own);
    rope::abandon_ranks(code > 1);
    return rope::is_first_rank() ? code : 0;
#else
    return code_of(words, Process::own);
#endif
}
