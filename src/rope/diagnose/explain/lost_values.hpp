// Values of a dump that are not finite, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/changes/reading.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

struct LostValues {
    std::uint64_t values = 0;  // of all pairs, finite or not
    // Pairs by the reason why they are not finite: row_replay.hpp.
    std::uint64_t given = 0, overflow = 0, memory = 0;
    std::optional<std::size_t> first_given = {};  // the row
    // The pair that memory is in: of one alone, in every row.
    std::optional<std::uint32_t> pair = {};
    bool else_right = true;  // every other value is as asked
    double after = 0;        // the largest error over its allowance of these
};

// Gives up where another value is wrong, if asked.
LostValues lost_values(const DumpPart& part, RowReplay& asked, bool until_wrong);

// A sentence about values that q or the format has lost; empty where there are none.
std::vector<std::string> lost_observations(const DumpReading& reading, const DumpPart& part);

}  // namespace rope
