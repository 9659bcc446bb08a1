// usage: TARGET FOLDER…    Tries every file in the folders, as a test without libFuzzer. Exit 2 if
// there is none.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {
namespace {

std::vector<std::filesystem::path> files_in(std::span<char*> folders) {
    std::vector<std::filesystem::path> files;
    for (const char* const folder : folders)
        if (std::filesystem::exists(folder))
            for (const auto& entry : std::filesystem::directory_iterator(folder))
                files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

void replay(const std::string& content) {
    const std::vector<std::uint8_t> bytes(content.begin(), content.end());
    is_accepted([&] { try_input(bytes); });
}

}  // namespace
}  // namespace rope::fuzz

int main(int argc, char** argv) {
    const auto files = rope::fuzz::files_in({argv + 1, argv + argc});
    for (const auto& file : files) {
        std::fprintf(stderr, "%s\n", file.c_str());
        rope::fuzz::replay(rope::content_of(file));
    }
    return files.empty() ? 2 : 0;
}
