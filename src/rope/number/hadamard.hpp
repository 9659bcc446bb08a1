// The Hadamard transform of Sylvester's order over √n: entry (j, k) is (−1)^popcount(j & k)/√n.
#pragma once

#include <cmath>
#include <span>

namespace rope {

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

}  // namespace rope
