// usage: TARGET FOLDER…    Tries every file in the folders, as a test without libFuzzer; those of a
// target with a mutator, mutated, too. Exit 2 if there is none.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

using Mutate = std::size_t(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
extern "C" [[gnu::weak]] Mutate LLVMFuzzerCustomMutator;

// In place of libFuzzer's.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) {
    if (size < most) data[size++] = '1';
    std::reverse(data, data + size);
    return size;
}

namespace rope::fuzz {
namespace {

constexpr unsigned mutations = 32;

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
    std::vector<std::uint8_t> bytes(content.begin(), content.end());
    is_accepted([&] { try_input(bytes); });
    if (LLVMFuzzerCustomMutator == nullptr) return;
    for (unsigned seed = 0; seed < mutations; ++seed) {
        const std::size_t size = bytes.size();
        bytes.resize(size + 64);
        bytes.resize(LLVMFuzzerCustomMutator(bytes.data(), size, bytes.size(), seed));
        is_accepted([&] { try_input(bytes); });
    }
}

}  // namespace
}  // namespace rope::fuzz

int main(int argc, char** argv) {
    const auto files = rope::fuzz::files_in({argv + 1, argv + argc});
    for (const auto& file : files) {
        (void)std::fprintf(stderr, "%s\n", file.c_str());
        rope::fuzz::replay(rope::content_of(file));
    }
    return files.empty() ? 2 : 0;
}
