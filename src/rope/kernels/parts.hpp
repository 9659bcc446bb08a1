// Rows of numbers in three parts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rope {
// Double-double precision without error terms: numbers in three parts whose products are exact.
//
// x = x1 + x2 + x3 for |x| ≤ 1 + 2^-90: x1 is a multiple of 2^-25, x2 of 2^-50, |x2| ≤ 2^-26, |x3|
// ≤ 2^-50. Then x1·y1, x1·y2 + x2·y1 and the sum of two of each are exact in double, and the rest
// is below 2^-47: with (x2 + x3)(y2 + y3) + x1·y3 + x3·y1 in double, the error of cos(a + b) or
// sin(a + b) is below 2^-99.

struct PartsOfRows {
    const double* c[3];  // cos and sin, each in three parts
    const double* s[3];
};

struct PartsKernels {
    // (c, s) = a rotated by b, for one row of `stride` pairs, in parts. Error < 2^-99 each.
    void (*turn)(std::size_t stride, const PartsOfRows* a, const PartsOfRows* b, double* const c[3],
                 double* const s[3]);

    // (c, s) = scale times the row `block` rotated by each row of `base`, rounded to double; scale
    // is a power of two. A value is NaN if |computed − exact| ≤ error does not decide its rounding;
    // all others have errors ≤ ½ ulp (Float64Table.HasThemOnRunsToTheLargestContext).
    // Returns the number of NaN.
    std::size_t (*round)(std::size_t rows, std::size_t stride, const PartsOfRows* block,
                         const PartsOfRows* base, double error, double scale, double* c, double* s);
};

}  // namespace rope
