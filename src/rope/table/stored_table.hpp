// The truth's cos and sin in the caller's memory, as a model stores them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// rows × pairs numbers of a format, row-major, little-endian: float64, float32, bfloat16 or
// float16. They are aligned to their own size; large ones to 32 bytes, rows too, are fastest.
struct StoredTable {
    Format format = Format::float32;
    std::span<std::byte> cos;
    std::span<std::byte> sin;
};

// attention_factor·cos(mθ) and attention_factor·sin(mθ) for m = first … first + rows − 1, each
// correctly rounded to the format, at any position below 2^32. The same bits for any number of
// threads. Throws InputError when the format is not one of these, the spans differ in size or hold
// no whole rows of plan.pairs numbers, memory is not aligned, or a position is 2^32 or more.
void build_table(const FrequencyPlan& plan, std::uint64_t first, const StoredTable& table,
                 unsigned threads = 1);

}  // namespace rope
