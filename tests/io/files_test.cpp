#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "io/file/file_descriptor.hpp"
#include "io/file/read_file.hpp"
#include "io/file/write_file.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace files_test {

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
    EXPECT_NE(error_message<InputError>([] {
                  read_file("/proc/self/status", 10);
              }).find("has more than 10 bytes; the limit is 10"),
              std::string::npos);
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
    EXPECT_EQ(write_refusal(folder.path() / "no" / "x"),
              ": cannot write: No such file or directory");
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

}  // namespace files_test
}  // namespace rope::io
