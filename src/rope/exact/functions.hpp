// Elementary functions of a BigReal, rounded once to its precision. Not named cos and sin: nothing
// in src/rope is, but by MPFR.
#pragma once

#include <utility>

#include "rope/exact/big_real.hpp"

namespace rope {

using MpfrFunction = int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

inline BigReal apply(MpfrFunction* f, BigReal x) {
    f(x.raw(), x.raw(), MPFR_RNDN);
    return x;
}

inline BigReal cosine(BigReal x) { return apply(mpfr_cos, std::move(x)); }
inline BigReal sine(BigReal x) { return apply(mpfr_sin, std::move(x)); }
inline BigReal root(BigReal x) { return apply(mpfr_sqrt, std::move(x)); }
inline BigReal natural_log(BigReal x) { return apply(mpfr_log, std::move(x)); }
inline BigReal exponential(BigReal x) { return apply(mpfr_exp, std::move(x)); }
inline BigReal absolute(BigReal x) { return apply(mpfr_abs, std::move(x)); }

inline BigReal whole_below(BigReal x) {
    mpfr_floor(x.raw(), x.raw());
    return x;
}
inline BigReal whole_above(BigReal x) {
    mpfr_ceil(x.raw(), x.raw());
    return x;
}
inline BigReal nearest_whole(BigReal x) {
    mpfr_round(x.raw(), x.raw());
    return x;
}

// A double, which may be a whole number below 2^53, in exact arithmetic.
inline BigReal real(double x) { return {x, exact_precision}; }
inline BigReal exact_pi() { return BigReal::pi(exact_precision); }

}  // namespace rope
