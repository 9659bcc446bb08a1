#include "cli/shell/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "cli/shell/terminal.hpp"
#include "io/system/unfinished.hpp"

namespace rope::cli::progress_test {

struct Terminal {
    int main_side, terminal;
};

Terminal open_terminal() {
    const int main_side = ::posix_openpt(O_RDWR | O_NOCTTY);
    ::grantpt(main_side);
    ::unlockpt(main_side);
    return {main_side, ::open(::ptsname(main_side), O_RDWR | O_NOCTTY)};
}

void make_stderr_a_terminal() {
    const int terminal = open_terminal().terminal;
    if (terminal >= 0) ::dup2(terminal, STDERR_FILENO);
}

// Any thread of the process may receive a signal.
TEST(Progress, LeavesSignalsToTheThreadThatHoldsThem) {
    const pid_t child = ::fork();
    if (child == 0) {
        make_stderr_a_terminal();
        ::unsetenv("CI");
        const Progress progress("writing");
        const io::HeldSignals held;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until the other thread runs
        ::kill(::getpid(), SIGTERM);
        sigset_t pending;
        ::sigpending(&pending);
        ::_exit(::isatty(STDERR_FILENO) == 1 && ::sigismember(&pending, SIGTERM) == 1 ? 5 : 6);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 5);
}

// Its last line may be incomplete, and progress would overwrite it.
TEST(Progress, IsNotShownOnATerminalWithAResult) {
    const Terminal both = open_terminal();
    ASSERT_GE(both.terminal, 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(both.terminal, STDOUT_FILENO);
        ::dup2(both.terminal, STDERR_FILENO);
        overwrite_line("first");
        write_stdout("result");
        overwrite_line("second");
        write_stdout(".");
        ::_exit(0);
    }
    std::string shown;
    for (char letter = 0; letter != '.' && ::read(both.main_side, &letter, 1) == 1;)
        shown += letter;
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(shown, "\rfirst\x1b[K\r\x1b[Kresult.");
    ::close(both.terminal);
    ::close(both.main_side);
}

TEST(Progress, ShowsTheRemainingTimeIfKnown) {
    EXPECT_EQ(progress_line("checking", 3, 0), "checking… 3 s");
    EXPECT_EQ(progress_line("checking", 1, 0.5), "checking… 1 s");
    EXPECT_EQ(progress_line("checking", 10, 0.25), "checking… 25 %, 30 s left");
    EXPECT_EQ(progress_line("checking", 100, 0.5), "checking… 50 %, 2 min left");
    EXPECT_EQ(progress_line("checking", 600, 0.01), "checking… 1 %, 17 h left");
    EXPECT_EQ(progress_line("checking", 7, 0.999), "checking… 7 s");
}

}  // namespace rope::cli::progress_test
