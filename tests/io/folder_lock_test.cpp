#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "io/file/task_log.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace folder_lock_test {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds brief(20);

std::string refusal(const fs::path& file) {
    return error_message<IoError>([&] { const FolderLock lock(file, brief); });
}

TEST(FolderLock, HasOneHolderAtATimeThroughAnyLink) {
    const TemporaryFolder folder, other;
    const fs::path file = folder.path() / "b.json", link = other.path() / "link";
    fs::create_symlink(file, link);
    const std::string locked = ": cannot write: another process keeps its folder locked";
    {
        const FolderLock lock(file);
        EXPECT_EQ(refusal(file), file.string() + locked);
        EXPECT_EQ(refusal(link), link.string() + locked);
        EXPECT_EQ(refusal(other.path() / "b.json"), "[no error]");
    }
    EXPECT_EQ(refusal(link), "[no error]");
    EXPECT_EQ(folder.file_count(), 0u) << "it leaves nothing";
}

TEST(FolderLock, NeedsAFolder) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "missing" / "b.json";
    EXPECT_EQ(refusal(file), file.string() + ": cannot write: No such file or directory");
}

}  // namespace folder_lock_test
}  // namespace rope::io
