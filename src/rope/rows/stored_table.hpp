// Exact cos and sin, rounded to a format in the caller's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rope/exact/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// Memory for rows × pairs numbers of float64, float32, bfloat16 or float16, row-major,
// little-endian, aligned to the number's size. Large tables are fastest if they and their rows are
// aligned to 32 bytes.
struct StoredTable {
    Format format = Format::float32;
    std::span<std::byte> cos;
    std::span<std::byte> sin;
};

// Writes attention_factor·cos(mθ) and attention_factor·sin(mθ) for m = first … first + rows − 1 <
// 2^32, correctly rounded to the format. The result does not depend on the number of threads.
// Throws InputError if the format is not one of the four, the spans differ in size or hold no whole
// number of rows of plan.pairs numbers, memory is not aligned, or a position is 2^32 or more.
void build_table(const FrequencyPlan& plan, std::uint64_t first, const StoredTable& table,
                 unsigned threads = 1);

}  // namespace rope
