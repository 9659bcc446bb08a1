#include "io/file/task_log.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace task_log_test {

namespace fs = std::filesystem;

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
    EXPECT_NE(
        error_message<InputError>([&] { const FileTaskLog log(file, "another"); }).find("--resume"),
        std::string::npos);
    EXPECT_EQ(fs::file_size(file), before);
}

}  // namespace task_log_test
}  // namespace rope::io
