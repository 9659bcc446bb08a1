// How much of files may be kept in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rope::io {

// Of files whose bytes are kept, and what their compressed members unpack to. 131,072 positions of
// 16 heads of 128 float32 lanes, before and after, are 2 GiB.
struct MemoryLimit {
    std::uint64_t bytes = std::uint64_t{4} << 30;
    std::uint64_t used = 0;               // by files before
    std::string_view name = "the limit";  // "--max-memory"
    // Throws InputError: x.npz: needs 5.3 GiB of memory; the limit is 4 GiB
    void require(const std::string& file, std::uint64_t needed) const;
};
}  // namespace rope::io
