// Where real implementations have failed.
#pragma once

#include <cstdint>

namespace rope {

// Around the last integers that bfloat16,
// float16 and TF32 hold, and float16's overflow.
inline constexpr std::uint64_t diagnostic_positions[] = {
    0,    1,    2,    3,    5,    31,   33,   64,    127,   255,   257,   511,    1000,
    1023, 1025, 2047, 2049, 4095, 4097, 8191, 16385, 32769, 65519, 65521, 131071, 1048575};

}  // namespace rope
