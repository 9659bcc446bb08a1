#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "io/system/file_descriptor.hpp"
#include "io/system/read_file.hpp"
#include "io/system/task_log.hpp"
#include "io/system/write_file.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io::files_test {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

std::string read_refusal(const fs::path& path) {
    const std::string message = error_message<IoError>([&] { read_file(path, 100); });
    const std::string name = path.string();
    return message.rfind(name, 0) == 0 ? message.substr(name.size()) : message;
}

std::string write_refusal(const fs::path& path) {
    const std::string message = error_message<IoError>([&] { write_file_atomically(path, "new"); });
    const std::string name = path.string();
    return message.rfind(name, 0) == 0 ? message.substr(name.size()) : message;
}

mode_t mode_of(const fs::path& path) {
    struct stat status{};
    ::stat(path.c_str(), &status);
    return status.st_mode & 07777;
}

bool is_root() { return ::geteuid() == 0; }

TEST(ReadFile, GivesEveryByte) {
    const TemporaryFolder folder;
    const std::string bytes("a\0b\xff\n", 5);
    const auto read = read_file(folder.write("x", bytes), 5);
    ASSERT_EQ(read.size(), 5u);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(read.data()), read.size()), bytes);
    EXPECT_EQ(read_file(folder.write("empty", ""), 0).size(), 0u);
}

// A writer that waits for a reader runs between the reader's first check and its wait.
TEST(ReadInput, GetsAllOfAPipeWheneverItsWriterComes) {
    const TemporaryFolder folder;
    for (int k = 0; k < 500; ++k) {
        const fs::path pipe = folder.path() / std::to_string(k);
        ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
        std::thread writer([&] { std::ofstream(pipe) << "{}"; });
        const std::size_t size = read_input(pipe, 100).size();
        writer.join();
        ASSERT_EQ(size, 2u) << "pipe " << k;
    }
}

TEST(ReadFile, NamesTheError) {
    const TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const fs::path loop = folder.path() / "loop";
    fs::create_symlink(loop, loop);
    constexpr const char* no_regular_file = ": is a pipe, a socket or a device, not a regular file";
    EXPECT_EQ(read_refusal(folder.path() / "none"), ": cannot open: there is no such file");
    EXPECT_EQ(read_refusal(folder.path()), ": is a folder, not a file");
    EXPECT_EQ(read_refusal(pipe), no_regular_file);
    EXPECT_EQ(read_refusal("/dev/zero"), no_regular_file);
    EXPECT_EQ(read_refusal(loop), ": cannot open: Too many levels of symbolic links");
    EXPECT_EQ(read_refusal(""), ": cannot open: there is no such file");
    if (is_root()) return;
    const fs::path secret = folder.write("secret", "x");
    fs::permissions(secret, fs::perms::none);
    EXPECT_EQ(read_refusal(secret), ": cannot open: permission denied");
}

TEST(ReadFile, ReadsAFileThatClaimsNoSize) {
    EXPECT_GT(read_file("/proc/self/status", 1 << 20).size(), 0u);
    EXPECT_THAT(error_message<InputError>([] { read_file("/proc/self/status", 10); }),
                HasSubstr("has more than 10 bytes; the limit is 10"));
}

TEST(WriteFile, CreatesAndReplacesWholeFiles) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "report.json";
    const mode_t old_mask = ::umask(027);
    write_file_atomically(path, "first");
    ::umask(old_mask);
    EXPECT_EQ(content_of(path), "first");
    EXPECT_EQ(mode_of(path), 0640u);
    ::chmod(path.c_str(), 0604);
    const std::string bytes("second\0", 7);
    write_file_atomically(path, bytes);
    EXPECT_EQ(content_of(path), bytes);
    EXPECT_EQ(mode_of(path), 0604u);
    EXPECT_EQ(folder.file_count(), 1u) << "no temporary is left";
}

TEST(WriteFile, NamesThePathAndTheReasonAndKeepsTheOldFile) {
    const TemporaryFolder folder;
    const fs::path missing = folder.path() / "no";
    EXPECT_EQ(write_refusal(missing / "x"),
              ": cannot write: there is no folder " + missing.string());
    EXPECT_EQ(write_refusal(folder.path()), ": cannot write: Is a directory");
    EXPECT_EQ(write_refusal(folder.write("f", "") / "x"), ": cannot write: Not a directory");
    EXPECT_EQ(write_refusal("/dev/full"), ": cannot write: No space left on device");
    EXPECT_NO_THROW(write_file_atomically("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null")) << "a device stays a device";
    if (is_root()) return;
    const fs::path kept = folder.write("kept", "old");
    ::chmod(kept.c_str(), 0444);
    EXPECT_EQ(write_refusal(kept), ": cannot write: Permission denied");
    ::chmod(folder.path().c_str(), 0555);
    EXPECT_EQ(write_refusal(folder.path() / "new"), ": cannot write: Permission denied");
    ::chmod(folder.path().c_str(), 0755);
    EXPECT_EQ(content_of(kept), "old");
}

TEST(FolderLock, NeedsAFolderAndLeavesNothingInIt) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "missing" / "b.json";
    EXPECT_EQ(error_message<IoError>([&] { const FolderLock lock(file); }),
              file.string() + ": cannot write: No such file or directory");
    const FolderLock lock(folder.path() / "b.json");
    EXPECT_EQ(folder.file_count(), 0u);
}

// Results of any bytes, including an empty one.
const std::pair<Bytes, Bytes> records[] = {
    {Bytes("\0a\n", 3), "one"}, {"b", ""}, {"c", Bytes(1000, '\xff')}};

void write(const fs::path& file) {
    FileTaskLog log(file, "a question");
    for (const auto& [task, result] : records) log.keep(task, result);
}

TEST(TaskLog, ContainsTheResultsOfAnEarlierOne) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "log";
    write(file);
    FileTaskLog log(file, "a question");
    for (const auto& [task, result] : records) EXPECT_EQ(log.find(task), result);
    EXPECT_FALSE(log.find("d"));
    log.keep("d", "four");
    EXPECT_EQ(FileTaskLog(file, "a question").find("d"), "four");
}

// A crash truncates a file anywhere. Earlier records are kept, and later ones are complete.
TEST(TaskLog, DropsARecordThatWasCutOff) {
    const TemporaryFolder folder;
    const fs::path whole = folder.path() / "whole", file = folder.path() / "log";
    write(whole);
    const std::size_t head = std::string("rope-check tasks: a question\n").size();
    const std::size_t first = head + 16 + 6 + 8, second = first + 16 + 1 + 8;
    for (std::size_t size = head; size < second + 100; ++size) {
        fs::copy_file(whole, file, fs::copy_options::overwrite_existing);
        fs::resize_file(file, size);
        FileTaskLog log(file, "a question");
        ASSERT_EQ(log.size(), (size >= first ? 1U : 0U) + (size >= second ? 1U : 0U)) << size;
        log.keep("d", "four");
        ASSERT_EQ(FileTaskLog(file, "a question").find("d"), "four") << size;
    }
}

TEST(TaskLog, DropsRecordsAfterADamagedOne) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "log";
    write(file);
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(50).put('!');
    EXPECT_EQ(FileTaskLog(file, "a question").size(), 0U);
}

TEST(TaskLog, OfAnotherCommandIsRefusedAndKept) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "log";
    write(file);
    const auto before = fs::file_size(file);
    EXPECT_THAT(error_message<InputError>([&] { const FileTaskLog log(file, "another"); }),
                HasSubstr("--resume"));
    EXPECT_EQ(fs::file_size(file), before);
}

// A signal at any system call of a write leaves the old file or the new one, and no other file.

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

}  // namespace rope::io::files_test
