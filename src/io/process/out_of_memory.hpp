// Behaviour when memory is exhausted.
#pragma once

namespace rope::io {

inline constexpr int out_of_memory_code = 3;

// Prints one line to stderr, without allocating.
void say_out_of_memory() noexcept;

// Makes GMP throw like all other code. Where nothing can be thrown, in a destructor or during
// another exception, the process prints that line, removes unfinished files and exits with that
// code. Before main this is already so.
void survive_out_of_memory();

}  // namespace rope::io
