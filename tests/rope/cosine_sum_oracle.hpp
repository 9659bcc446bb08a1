// B_b(s) from MPFR's cosines.
#pragma once

#include <cstdint>

#include "rope/base_bound/cosine_sum.hpp"
#include "rope/oracle.hpp"

namespace rope::oracle {

inline double by_mpfr(PairCounts pairs, double base, std::uint64_t s) {
    Real sum, theta, cos, sin;
    mpfr_set_ui(sum, pairs.passing, MPFR_RNDN);
    for (std::uint32_t i = 0; i < pairs.rotating; ++i) {
        set_theta(theta, base, i, 2 * pairs.rotating);
        cos_sin(cos, sin, theta, s);
        mpfr_add(sum, sum, cos, MPFR_RNDN);
    }
    return mpfr_get_d(sum, MPFR_RNDN);
}

// Whether B ≥ 0 on [0, N], one distance after the other.
inline bool holds_by_mpfr(PairCounts pairs, double base, std::uint64_t context) {
    for (std::uint64_t s = 0; s <= context; ++s)
        if (by_mpfr(pairs, base, s) < 0) return false;
    return true;
}

}  // namespace rope::oracle
