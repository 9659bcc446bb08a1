// Every set of kernels beside the baseline, bit for bit.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rope/kernels/kernels.hpp"
#include "rope/number/memory.hpp"
#include "rope/number/random.hpp"
#include "tests/fuzz/draw.hpp"

namespace rope::fuzz {

using Numbers = AlignedVector<double>;

inline bool is_same_number(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

inline void require_same(const std::string& kernel, const Kernels& set, const Numbers& got,
                         const Numbers& want) {
    for (std::size_t k = 0; k < want.size(); ++k)
        require(is_same_number(got[k], want[k]),
                kernel + " of " + set.isa + ": number " + std::to_string(k) + " is " +
                    std::to_string(got[k]) + ", not " + std::to_string(want[k]));
}

// `run` returns all that a kernel of the set makes.
template <class Run>
void compare_sets(const std::string& kernel, const Run& run) {
    const std::vector<const Kernels*> sets = every_kernels();
    const Numbers want = run(*sets.back());
    for (const Kernels* set : sets) require_same(kernel, *set, run(*set), want);
}

// As many numbers in (−size, size), some of them replaced by what is drawn.
inline Numbers numbers(Draw& draw, std::size_t count, double size = 1) {
    constexpr double odd[] = {0.0,
                              -0.0,
                              1.0,
                              std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::max()};
    Random random(draw.bits(2));
    Numbers all(count);
    for (double& x : all) x = size * std::ldexp(static_cast<double>(random.bits()) - 0x1p63, -63);
    for (std::uint64_t more = draw.below(8); more > 0 && count > 0; --more)
        all[draw.below(count)] = draw.one_in(2) ? draw.any_double() : draw.one_of(odd);
    return all;
}

inline AlignedVector<float> floats(const Numbers& numbers) {
    return {numbers.begin(), numbers.end()};
}

// Rows of cosines and sines.
struct Circle {
    Numbers c, s;

    Circle(Draw& draw, std::size_t count, double size = 1) : c(numbers(draw, count, 3.2)), s(c) {
        for (std::size_t k = 0; k < count; ++k) {
            const double angle = std::isfinite(c[k]) ? c[k] : 0;
            c[k] = size * std::cos(angle);
            s[k] = size * std::sin(angle);
        }
    }
    operator CosSin() const { return {c.data(), s.data()}; }
};

}  // namespace rope::fuzz
