// Real numbers in MPFR, rounded to a precision chosen at run time.
#pragma once

#include <mpfr.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace rope {

// Significant bits of each result. 320 bits serve as exact; 24 bits are float32 arithmetic in which
// each step is correctly rounded (to nearest, ties to even).
struct Precision {
    long bits;
};
inline constexpr Precision exact_precision{320};
inline constexpr Precision float32_precision{24};

// Each operator rounds once, to the larger precision of its operands. A double operand is first
// rounded to the precision of the other, as frameworks do with a Python scalar.
class BigReal {
  public:
    BigReal(double value, Precision precision) {
        mpfr_init2(value_, precision.bits);
        mpfr_set_d(value_, value, MPFR_RNDN);
    }
    // Rounds x to another precision.
    BigReal(const BigReal& x, Precision precision) {
        mpfr_init2(value_, precision.bits);
        mpfr_set(value_, x.value_, MPFR_RNDN);
    }
    BigReal(const BigReal& x) : BigReal(x, x.precision()) {}
    BigReal(BigReal&& x) noexcept {
        value_[0] = x.value_[0];
        x.value_[0]._mpfr_d = nullptr;
    }
    BigReal& operator=(BigReal x) noexcept {
        std::swap(value_[0], x.value_[0]);
        return *this;
    }
    ~BigReal() {
        if (value_[0]._mpfr_d != nullptr) mpfr_clear(value_);
    }

    Precision precision() const { return {mpfr_get_prec(value_)}; }
    double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }
    mpfr_ptr raw() { return value_; }
    mpfr_srcptr raw() const { return value_; }

    friend BigReal operator+(const BigReal& a, const BigReal& b) { return apply(mpfr_add, a, b); }
    friend BigReal operator-(const BigReal& a, const BigReal& b) { return apply(mpfr_sub, a, b); }
    friend BigReal operator*(const BigReal& a, const BigReal& b) { return apply(mpfr_mul, a, b); }
    friend BigReal operator/(const BigReal& a, const BigReal& b) { return apply(mpfr_div, a, b); }
    friend BigReal pow(const BigReal& a, const BigReal& b) { return apply(mpfr_pow, a, b); }

    friend BigReal operator*(const BigReal& a, double b) { return a * BigReal(b, a.precision()); }
    friend BigReal operator/(const BigReal& a, double b) { return a / BigReal(b, a.precision()); }
    friend BigReal operator-(const BigReal& a, double b) { return a - BigReal(b, a.precision()); }
    friend BigReal operator*(double a, const BigReal& b) { return BigReal(a, b.precision()) * b; }
    friend BigReal operator/(double a, const BigReal& b) { return BigReal(a, b.precision()) / b; }
    friend BigReal operator-(double a, const BigReal& b) { return BigReal(a, b.precision()) - b; }

    friend bool operator<(const BigReal& a, const BigReal& b) {
        return mpfr_less_p(a.value_, b.value_) != 0;
    }
    friend bool operator>(const BigReal& a, const BigReal& b) { return b < a; }
    friend bool operator==(const BigReal& a, const BigReal& b) {
        return mpfr_equal_p(a.value_, b.value_) != 0;
    }

    static BigReal whole(std::uint64_t value, Precision precision) {
        BigReal x(0, precision);
        static_assert(sizeof(unsigned long) == sizeof value);
        mpfr_set_ui(x.value_, value, MPFR_RNDN);
        return x;
    }
    static BigReal pi(Precision precision) {
        constants();
        BigReal x(0, precision);
        mpfr_const_pi(x.value_, MPFR_RNDN);
        return x;
    }

  private:
    // MPFR caches constants per thread; the key frees them when the thread ends. The destructor of
    // a thread_local would abort if glibc had no memory to register it.
    static void constants() {
        static const auto key = [] {
            pthread_key_t made{};
            const auto free_cache = [](void*) { mpfr_free_cache(); };
            if (pthread_key_create(&made, free_cache) != 0) throw std::bad_alloc();
            return made;
        }();
        if (pthread_getspecific(key) == nullptr && pthread_setspecific(key, &key) != 0)
            throw std::bad_alloc();
    }

    using Binary = int(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
    static BigReal apply(Binary* f, const BigReal& a, const BigReal& b) {
        constants();
        BigReal r(0, {std::max(a.precision().bits, b.precision().bits)});
        f(r.value_, a.value_, b.value_, MPFR_RNDN);
        return r;
    }
    mpfr_t value_;
};

// Elementary functions of a BigReal, rounded once to its precision. The names cos and sin are
// avoided so that src/rope has none that could be the C library's.

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

// Returns x exactly, at exact_precision.
inline BigReal real(double x) { return {x, exact_precision}; }
inline BigReal exact_pi() { return BigReal::pi(exact_precision); }

// Makes GMP, whose memory MPFR uses, call std::get_new_handler() and then throw std::bad_alloc if
// memory is lacking; by default it ends the process. Only programs, not libraries, should call
// this, since it applies to the whole process.
void make_gmp_throw();

}  // namespace rope
