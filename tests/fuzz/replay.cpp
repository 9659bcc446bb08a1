// usage: fuzz_replay TARGET FOLDER…    Tries every file in the folders, as a test without
// libFuzzer; if the target has a mutator, also mutated files. Exit 2 if there is none.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/mutate.hpp"

// Replaces libFuzzer's function.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) {
    if (size < most) data[size++] = '1';
    std::reverse(data, data + size);
    return size;
}

namespace rope::fuzz {
namespace {

struct Target {
    std::string_view name;
    void (*try_input)(Bytes);
    std::size_t (*mutate)(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
};
constexpr Target targets[] = {ROPE_CHECK_FUZZ_TARGETS};  // CMake's every_target.cpp defines it

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

void replay(const Target& target, const std::string& content) {
    std::vector<std::uint8_t> bytes(content.begin(), content.end());
    is_accepted([&] { target.try_input(bytes); });
    if (target.mutate == nullptr) return;
    for (unsigned seed = 0; seed < mutations; ++seed) {
        const std::size_t size = bytes.size();
        bytes.resize(size + 64);
        bytes.resize(target.mutate(bytes.data(), size, bytes.size(), seed));
        is_accepted([&] { target.try_input(bytes); });
    }
}

}  // namespace
}  // namespace rope::fuzz

int main(int argc, char** argv) {
    using namespace rope::fuzz;
    const auto target = std::ranges::find(targets, argc > 1 ? argv[1] : "", &Target::name);
    if (target == std::end(targets)) return 2;
    const auto files = files_in({argv + 2, argv + argc});
    for (const auto& file : files) {
        (void)std::fprintf(stderr, "%s\n", file.c_str());
        replay(*target, rope::content_of(file));
    }
    return files.empty() ? 2 : 0;
}
