// The phase lines of a dump of which a part is wrong: by the rows that most pairs agree on.
#pragma once

#include <cstddef>
#include <vector>

#include "rope/evidence/phase_lines.hpp"

namespace rope {

// Of components, including that of a table that was also rounded.
double rounding_of(const Samples& samples);

// Of each pair, whether any row says anything of it.
std::vector<bool> said_pairs(const Samples& samples);

struct MostLines : LinesOfRows {
    std::vector<bool> is_said;              // of each pair, whether the dump says anything of it
    std::vector<LinesOfRows> on_axes = {};  // of several axes: slow pairs are on lines of them all
    double amplitude = 1;
};

// By the most of the rows; no lines where no few of them are on any.
MostLines lines_of_most(const Samples& samples);

struct RowCount {
    std::size_t on = 0;         // rows on the lines of nearly all pairs
    std::size_t rotations = 0;  // rows that are rotations: others are zero, clipped or not finite
    std::size_t all = 0;
};
RowCount rows_on(const MostLines& most, const Samples& samples);

}  // namespace rope
