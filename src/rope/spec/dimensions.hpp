// The two dimensions of a head that form a pair, and the rotation of one head.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

struct Dimensions {
    std::size_t first;
    std::size_t second;
};

// Returns the dimensions that a rotation reads for pair i of rotary_dim dimensions.
Dimensions dimensions_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i);
// Returns the dimensions it writes; they differ only for interleaved_to_half_split.
Dimensions written_dimensions_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i);

// Return the same in a head of a Spec: offset by rotary_offset, and within each half if the axes
// are `halves`. For a reverse Spec they are swapped: rotating (x2, x1) by φ rotates (x1, x2) by −φ.
Dimensions dimensions_of_pair(const Spec& spec, std::size_t i);
Dimensions written_dimensions_of_pair(const Spec& spec, std::size_t i);

// Returns the dimensions that do not rotate, in ascending order.
std::vector<std::size_t> passed_dimensions(const Spec& spec);

// Applies the Hadamard transform in Sylvester's order, H[j, k] = (−1)^popcount(j & k)/√n, in place;
// it is its own inverse. n must be a power of two.
inline void hadamard_transform(std::span<double> x) {
    for (std::size_t half = 1; half < x.size(); half *= 2)
        for (std::size_t k = 0; k < x.size(); ++k)
            if ((k & half) == 0) {
                const double a = x[k], b = x[k + half];
                x[k] = a + b;
                x[k + half] = a - b;
            }
    const double scale = 1 / std::sqrt(static_cast<double>(x.size()));
    for (double& each : x) each *= scale;
}

// R(m)x at one position m. x and the result have head_dim values; dimensions without rotation are
// copied. Throws InputError if lengths do not fit. For each pair (x1, x2):
//     y1 = x1·cos − x2·sin,   y2 = x2·cos + x1·sin

using Vector = std::vector<double>;
using Values = std::span<const double>;

// cos and sin are [d/2]; pairs as in `layout`.
Vector rotate(PairLayout layout, Values x, Values cos, Values sin);

// Pairs as in the Spec.
Vector rotate(const Spec& spec, Values x, Values cos, Values sin);

}  // namespace rope
