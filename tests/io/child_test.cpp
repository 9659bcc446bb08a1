#include "io/system/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

namespace rope::io::child_test {

using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr milliseconds ample{20'000};  // enough on a busy machine
constexpr milliseconds brief{200};

ChildEnd shell(const std::string& script, milliseconds timeout = ample) {
    const SignalWatch signals;
    return run_child({{"/bin/sh", "-c", script}, {}, timeout}, signals);
}

// Whether a process exists and is not a zombie.
bool is_alive(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return file >> number >> name >> state && state != "Z";
}

TEST(RunChild, GivesNothingToReadAndNoFileOfOurs) {
    constexpr int inherited = 77;
    ASSERT_EQ(::dup2(STDERR_FILENO, inherited), inherited);  // not close-on-exec
    EXPECT_EQ(shell("test -z \"$(cat)\"").status, 0);
    EXPECT_EQ(shell("test -e /proc/$$/fd/1").status, 0);
    EXPECT_EQ(shell("test -e /proc/$$/fd/77").status, 1);
    ::close(inherited);
}

TEST(RunChild, KeepsTheEndOfAFloodOnBothStreams) {
    const ChildEnd end = shell("yes | head -c 3000000; yes n | head -c 3000000 >&2; echo last >&2");
    EXPECT_EQ(end.way, ChildEnd::Way::exited);
    EXPECT_EQ(end.errors.size(), 4096u);
    EXPECT_THAT(end.errors, EndsWith("n\nlast\n"));
}

TEST(RunChild, AsksWithSigtermFirst) {
    ChildEnd end;
    // a busy machine may take its time to start the shell
    for (milliseconds timeout = brief;
         timeout < ample && end.errors.find("asked") == std::string::npos; timeout *= 5)
        end = shell("trap 'echo asked >&2; exit 0' TERM; while :; do sleep 0.01; done", timeout);
    EXPECT_EQ(end.way, ChildEnd::Way::timed_out);
    EXPECT_THAT(end.errors, HasSubstr("asked"));
}

TEST(RunChild, LeavesOtherChildrenOfThisProcessRunning) {
    const pid_t other = ::fork();
    if (other == 0) {
        ::pause();
        ::_exit(0);
    }
    shell("exit 0");
    EXPECT_TRUE(is_alive(other));
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
}

// A separate process, because a signal would end the tests.
int status_of(const std::function<void()>& body) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        body();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return status;
}

TEST(SignalWatch, HeedsNoSignalThatIsIgnored) {
    const int status = status_of([] {
        static_cast<void>(::signal(SIGINT, SIG_IGN));
        const SignalWatch signals;
        static_cast<void>(::raise(SIGINT));
        const ChildEnd end = run_child({{"/bin/sh", "-c", "exit 5"}, {}, ample}, signals);
        ::_exit(end.way == ChildEnd::Way::exited ? end.status : 1);
    });
    EXPECT_EQ(WEXITSTATUS(status), 5);
}

TEST(SignalWatch, LearnsHowChildrenEndThoughTheirSignalWasIgnored) {
    const int status = status_of([] {
        static_cast<void>(::signal(SIGCHLD, SIG_IGN));
        {
            const SignalWatch signals;
            if (run_child({{"/bin/sh", "-c", "exit 5"}, {}, ample}, signals).status != 5)
                ::_exit(1);
        }
        ::_exit(::signal(SIGCHLD, SIG_DFL) == SIG_IGN ? 0 : 2);
    });
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace rope::io::child_test
