// A few positions and random vectors on which a subject is put to use.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "rope/trial.hpp"

namespace rope {

// Positions where real implementations have failed: around the last integers that bfloat16,
// float16 and TF32 hold, and float16's overflow.
inline constexpr std::uint64_t telling_positions[] = {
    0,    1,    2,    3,    5,    31,   33,   64,    127,   255,   257,   511,    1000,
    1023, 1025, 2047, 2049, 4095, 4097, 8191, 16385, 32769, 65519, 65521, 131071, 1048575};

struct Probe {
    std::vector<std::uint64_t> positions;  // ascending, without repeats
    std::vector<double> q, k;              // head_dim each, standard normal from the seed

    // Rows of the subject (rotary_dim/2 values each) at the positions, and at the sums of two of
    // them as far as the subject has those.
    struct Row {
        std::vector<double> cos, sin;
    };
    std::map<std::uint64_t, Row> rows;

    const Row* row(std::uint64_t position) const;
};

Probe make_probe(const Trial& trial);

}  // namespace rope
