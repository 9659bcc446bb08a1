// Values computed directly with MPFR, without the wrapper that src/rope uses.
#pragma once

#include <mpfr.h>

#include <cstdint>

#include "rope/base_bound/cosine_sum.hpp"
#include "rope/exact/format.hpp"

namespace rope::oracle {

class Real {
  public:
    explicit Real(long bits = 200) { mpfr_init2(value_, bits); }
    Real(const Real&) = delete;
    Real& operator=(const Real&) = delete;
    ~Real() { mpfr_clear(value_); }

    operator mpfr_ptr() { return value_; }
    operator mpfr_srcptr() const { return value_; }

  private:
    mpfr_t value_;
};

// base^(-2i/d)
inline void set_theta(Real& theta, double base, std::uint32_t i, std::uint32_t d) {
    Real exponent;
    mpfr_set_d(exponent, -2.0 * i, MPFR_RNDN);
    mpfr_div_ui(exponent, exponent, d, MPFR_RNDN);
    mpfr_set_d(theta, base, MPFR_RNDN);
    mpfr_pow(theta, theta, exponent, MPFR_RNDN);
}

// cos(m·θ) and sin(m·θ), rounded to their own precisions
inline void cos_sin(Real& cos, Real& sin, const Real& theta, std::uint64_t m) {
    Real angle(264);  // the product of 200 and 64 bits is exact
    mpfr_mul_ui(angle, theta, m, MPFR_RNDN);
    mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
}

// x rounded once to the format, with MPFR's subnormals and overflow
inline double nearest(Format format, mpfr_srcptr x) {
    struct Range {
        long bits, emin, emax;
    };
    const Range range = format == Format::float32    ? Range{24, -148, 128}
                        : format == Format::float64  ? Range{53, -1073, 1024}
                        : format == Format::bfloat16 ? Range{8, -132, 128}
                                                     : Range{11, -23, 16};
    const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    Real y(range.bits);
    int inexact = mpfr_set(y, x, MPFR_RNDN);
    mpfr_set_emin(range.emin);
    mpfr_set_emax(range.emax);
    inexact = mpfr_check_range(y, inexact, MPFR_RNDN);
    mpfr_subnormalize(y, inexact, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return mpfr_get_d(y, MPFR_RNDN);
}

// |x − y|
inline double distance(double x, const Real& y) {
    Real difference;
    mpfr_sub_d(difference, y, x, MPFR_RNDN);
    mpfr_abs(difference, difference, MPFR_RNDN);
    return mpfr_get_d(difference, MPFR_RNDU);
}

// B_b(s) from MPFR's cosines.

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
