// Ziv's test of a rounding whose argument is known to an error. Inlined wherever it is used:
// kernels are compiled once per instruction set and share no code (unit.hpp's `settle` is the same
// of bits).
#pragma once

namespace rope {

// Whether all numbers within `error` of x round to the same one: rounding is monotonic, so both
// ends say it. False of NaN.
template <class Round>
[[gnu::always_inline]] static inline bool rounds_alike(double x, double error, const Round& round) {
    return round(x - error) == round(x + error);
}

// In float32
[[gnu::always_inline]] static inline bool rounds_alike(double x, double error) {
    return static_cast<float>(x - error) == static_cast<float>(x + error);
}

}  // namespace rope
