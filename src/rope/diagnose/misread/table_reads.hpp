// Ways to store a table of cos and sin, and to read it otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

// The values of a position, of h columns.
enum class Stored {
    apart,    // c0 c1 … and s0 s1 …, each in a table of its own
    halves,   // c0 c1 … s0 s1 …
    pairs,    // c0 s0 c1 s1 …
    doubled,  // c0 c1 … c0 c1 … s0 s1 … s0 s1 …
};

// cos of pair i at position p is value p·stride + cos_from + i·step of all.
struct TableRead {
    Stored stored = Stored::halves;
    std::int64_t stride = 0, cos_from = 0, sin_from = 0, step = 1;
    auto operator<=>(const TableRead&) const = default;
};

// An entry of the table; before position 0 there is none.
struct ReadEntry {
    std::int64_t position;
    std::uint32_t column;
    bool is_sin;
    bool operator==(const ReadEntry&) const = default;
};
ReadEntry read_cos(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair);
ReadEntry read_sin(const TableRead& read, std::uint32_t columns, std::int64_t position,
                   std::uint32_t pair);

// Those in which the Spec's table may be read for so many pairs, but for the right ones; the
// simplest first.
std::vector<TableRead> wrong_reads(const Spec& asked, std::uint32_t pairs);

// "sin of position m + 1 goes with cos of m"
std::string words_of(const TableRead& read, std::uint32_t columns, std::uint32_t pairs);

}  // namespace rope
