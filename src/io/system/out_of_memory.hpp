// Behaviour when memory is exhausted.
#pragma once

namespace rope::io {

inline constexpr int out_of_memory_code = 3;

// Prints one line to stderr, without allocating.
void say_out_of_memory() noexcept;

// Makes a failed allocation throw std::bad_alloc, in GMP, too. If an exception is not caught, the
// process removes unfinished files and aborts; after a failed allocation it prints that line and
// exits with out_of_memory_code instead. All of this but GMP's part is set before main.
void survive_out_of_memory();

}  // namespace rope::io
