// Rows of cos and sin as they are stored in few bits: which of them are the same.
#pragma once

#include <cstdint>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {

struct StoredRows {
    std::uint64_t distinct;          // rows of cos and sin
    std::uint64_t distinct_cos;      // rows of cos alone
    std::uint64_t equal_neighbours;  // m whose row is that of m + 1
};

// Of positions 0 … last, correctly rounded to bfloat16 or float16.
StoredRows stored_rows(const FrequencyPlan& plan, std::uint64_t last, Format format);

// The first position at which a cos is no longer 1.
std::uint64_t first_cos_below_one(const FrequencyPlan& plan, Format format);

}  // namespace rope::ledger
