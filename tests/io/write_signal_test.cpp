// A signal at any system call of a write leaves the old file or the new one, and no other file.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>

#include "io/file/write_file.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace write_signal_test {

namespace fs = std::filesystem;

constexpr int cannot_be_traced = 77;

// A child that waits to be traced, and then writes.
pid_t start_writing(const fs::path& path, const std::string& bytes) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(cannot_be_traced);
    (void)::raise(SIGSTOP);
    write_file_atomically(path, bytes);
    ::_exit(0);
}

int next_stop(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

// The outcome of a write that got the signal as it entered or left a system call for the nth time.
int write_with_signal(int signal, int nth, const fs::path& path, const std::string& bytes) {
    constexpr int at_system_call = SIGTRAP | 0x80;
    const pid_t child = start_writing(path, bytes);
    int status = next_stop(child);
    if (!WIFSTOPPED(status)) return status;
    ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (int stops = 0; WIFSTOPPED(status); status = next_stop(child)) {
        int delivered = WSTOPSIG(status);
        if (delivered == SIGSTOP || delivered == at_system_call) delivered = 0;
        if (stops++ == nth) ::kill(child, signal);
        ::ptrace(PTRACE_SYSCALL, child, nullptr, delivered);
    }
    return status;
}

// `old` is the previous content, if any. Returns the number of calls at which a signal was tried.
int interrupt_everywhere(int signal, const std::optional<std::string>& old) {
    const std::string bytes(100'000, 'x');
    for (int nth = 0;; ++nth) {
        const TemporaryFolder folder;
        const fs::path path = folder.path() / "report";
        if (old) folder.write("report", *old);
        const int status = write_with_signal(signal, nth, path, bytes);
        const bool ends = WIFEXITED(status);
        if (ends && WEXITSTATUS(status) == cannot_be_traced) return -1;
        EXPECT_TRUE(ends || WTERMSIG(status) == signal) << "held back, not lost; call " << nth;
        EXPECT_EQ(folder.file_count(), fs::exists(path) ? 1u : 0u) << "a temporary; call " << nth;
        const std::string content = content_of(path);
        EXPECT_TRUE(content == bytes || (!ends && content == old.value_or("")))
            << content.size() << " bytes; call " << nth;
        if (ends) return nth;
    }
}

class SignalledWrite : public testing::TestWithParam<int> {};

TEST_P(SignalledWrite, LeavesNothingButTheFileWhereverASignalComes) {
    const int replacing = interrupt_everywhere(GetParam(), "old");
    if (replacing < 0) GTEST_SKIP() << "this process may not trace its children";
    EXPECT_GT(replacing, 20) << "open, write, fsync and rename at least, on both sides";
    EXPECT_GT(interrupt_everywhere(GetParam(), std::nullopt), 20);
}

// As for a job in the background, or under nohup.
TEST(WriteFile, GoesOnThroughASignalThatIsIgnored) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "report";
    const pid_t child = ::fork();
    if (child == 0) {
        (void)std::signal(SIGHUP, SIG_IGN);
        write_file_atomically(path, [](const Sink& write) {
            (void)::raise(SIGHUP);
            write("whole");
        });
        ::_exit(0);
    }
    EXPECT_EQ(next_stop(child), 0);
    EXPECT_EQ(content_of(path), "whole");
}

INSTANTIATE_TEST_SUITE_P(Signals, SignalledWrite,
                         testing::Values(SIGINT, SIGTERM, SIGHUP, SIGUSR1));

}  // namespace write_signal_test
}  // namespace rope::io
