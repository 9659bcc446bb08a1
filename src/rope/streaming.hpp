// Large outputs: past the caches, into huge pages.
#pragma once

#include <cstddef>

namespace rope {

// Outputs from this size on evict what others need from the caches, and are not read at once.
inline constexpr std::size_t large_output = std::size_t{8} << 20;

// Asks for huge pages, which take a tenth of the time to touch first. A hint: nothing fails.
void advise_huge_pages(void* memory, std::size_t bytes);

// Copies without a detour through the caches where both are aligned to 16 bytes.
void stream(void* to, const void* from, std::size_t bytes);
// After the last stream(): what was streamed is seen by other threads.
void finish_streaming();

}  // namespace rope
