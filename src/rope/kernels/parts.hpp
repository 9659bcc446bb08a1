// Double-double's work without its error terms: numbers in three parts whose products are exact.
//
// x = x1 + x2 + x3 of |x| ≤ 1 + 2^-90: x1 a multiple of 2^-25, x2 one of 2^-50, |x2| ≤ 2^-26,
// |x3| ≤ 2^-50. Then x1·y1 and x1·y2 + x2·y1 and the sums of two of each fit a double exactly, and
// what is left is below 2^-47: with (x2 + x3)(y2 + y3) + x1·y3 + x3·y1 in double, the error of
// cos(a + b) or sin(a + b) is below 2^-99.
#pragma once

#include <cstddef>

namespace rope {

struct PartsOfRows {
    const double* c[3];  // cos and sin, in parts
    const double* s[3];
};

struct PartsKernels {
    // One row of `stride` pairs: (c, s) = a turned by b, in parts. Error < 2^-99 each.
    void (*turn)(std::size_t stride, const PartsOfRows* a, const PartsOfRows* b, double* const c[3],
                 double* const s[3]);

    // `block`, one row, turned by each of the rows of `base`, times `scale`, a power of two, and
    // rounded to double; NaN where |computed − exact| ≤ error does not settle the rounding; the
    // rest within ½ ulp (Float64Table.HasThemOnRunsToTheLargestContext).
    // Returns how many are NaN.
    std::size_t (*round)(std::size_t rows, std::size_t stride, const PartsOfRows* block,
                         const PartsOfRows* base, double error, double scale, double* c, double* s);
};

}  // namespace rope
