// What is done where there is no memory left.
#pragma once

namespace rope::io {

inline constexpr int out_of_memory_code = 3;

// Says so in one line, without taking any.
void say_out_of_memory() noexcept;

// From now on GMP throws like everything else, and where nothing can be thrown, in a destructor or
// another exception, the process ends with that line and code, and without unfinished files. What
// allocates before main, does so from the start.
void survive_out_of_memory();

}  // namespace rope::io
