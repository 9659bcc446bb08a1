// How exact a subject's numbers are expected to be.
#pragma once

#include <cstddef>

#include "rope/subject/dump.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {

// Error of one cos or sin of an existing table: half a spacing of the format, and 2 ulp of a
// library of that format; an attention factor is itself rounded, and its product.
double table_rounding(Format format, double amplitude, Format library = Format::float32);

// Error of one lane of a rotated pair, relative to the pair's norm before:
// y = c·x1 − s·x2 with c, s, both products and the sum rounded, and the other lane alike:
// |error| ≤ (2√2 + 1)u·a|x| per pair
double rotation_rounding(Format format, double amplitude, Format library = Format::float32);

// Of a table in `format`. By the class of `pipeline` where one is given, in the
// pipeline's format, else as an unknown implementation.
Exactness table_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                          const Pipeline* pipeline);

// Of rows worked out from vectors that were rotated in `format`; the angles likewise.
Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline);

// Of the angles alone, nothing being rounded beside them.
Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline);

// Which pairs of vectors say how they were turned: below a format's normal numbers values are
// rounded absolutely, and a pair's angle by more than an allowance that is relative to its norm.
struct TellingNorm {
    double least = 0;       // norm of a pair that says something
    double coarseness = 1;  // its rounding, relative to what it is among normal numbers
};

// Twice the least normal number; where no lane of `before` is as large, a quarter of the largest,
// and 0 where all are 0.
TellingNorm telling_norm(const RotatedDump& dump, std::size_t head_dim);

}  // namespace rope
