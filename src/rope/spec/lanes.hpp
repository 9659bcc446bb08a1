// Which lanes of a head a rotation pairs, and the rotation of one head.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

struct Lanes {
    std::size_t first;
    std::size_t second;
};

// The lanes of pair i among rotary_dim lanes, as a rotation reads them.
Lanes lanes_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i);
// As it writes them: the same, but for interleaved_to_half_split.
Lanes written_lanes_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i);

// The same in the heads of a Spec, from its rotary_offset on, each half by itself where its axes
// say so. A reverse Spec's are exchanged: turning (x2, x1) by φ turns (x1, x2) by −φ.
Lanes lanes_of_pair(const Spec& spec, std::size_t i);
Lanes written_lanes_of_pair(const Spec& spec, std::size_t i);

// The lanes that do not rotate, in ascending order.
std::vector<std::size_t> passed_lanes(const Spec& spec);

// The Hadamard transform of Sylvester's order over √n: entry (j, k) is (−1)^popcount(j & k)/√n.

// Its own inverse. Requires as many numbers as a power of two.
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

// R(m)x at one position m: x and the result have head_dim lanes. Lanes beyond the rotary ones are
// copied. Throws InputError when lengths do not fit. Per pair (x1, x2):
//     y1 = x1·cos − x2·sin,   y2 = x2·cos + x1·sin

using Vector = std::vector<double>;
using Values = std::span<const double>;

// cos, sin [d/2]; the pairs of `layout`.
Vector rotate(PairLayout layout, Values x, Values cos, Values sin);

// The same for the lanes of a Spec.
Vector rotate(const Spec& spec, Values x, Values cos, Values sin);

}  // namespace rope
