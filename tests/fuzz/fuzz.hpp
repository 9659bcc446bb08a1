// Shared by the fuzz targets. Each target defines try_input(); entry.cpp calls it with libFuzzer's
// inputs, replay.cpp with the kept ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "io/file/file_descriptor.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// May throw InputError or IoError. Any other end is a finding.
void try_input(Bytes input);

inline std::string_view text_of(Bytes input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

// Ends the process if a property does not hold.
inline void require(bool holds, const std::string& what) {
    if (holds) return;
    (void)std::fprintf(stderr, "property violated: %s\n", what.c_str());
    std::abort();
}

// Whether `use` accepts its input.
template <class Use>
bool is_accepted(const Use& use) {
    try {
        use();
        return true;
    } catch (const InputError&) {
        return false;
    } catch (const io::IoError&) {
        return false;
    }
}

// For readers that need a path: a file with this name in a folder of the process.
inline std::string file_of(std::string_view bytes, const std::string& name) {
    static const TemporaryFolder folder;
    return folder.write(name, bytes).string();
}

}  // namespace rope::fuzz
