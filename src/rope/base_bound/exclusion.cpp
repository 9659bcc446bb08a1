#include "rope/base_bound/exclusion.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rope/cosine_sum/sign_change.hpp"

namespace rope {
namespace {

constexpr double least_step = 0x1p-42;

// b·e^δ, rounded down: e^δ ≥ 1 + δ + δ²/2 + δ³/6, of eight roundings
double stepped(double base, double delta) {
    return base * (1 + delta * (1 + delta / 2 * (1 + delta / 3))) * (1 - 0x1p-49);
}

// B(s) < 0 on all of [x − width, x].
bool excludes_below(const CosineSum& sum, std::uint64_t s, double width) {
    const CosineSum::Local b = sum.at(s);
    const double slope = std::abs(b.slope) + b.slope_error;
    return nearer_zero(sum, s, b.value) + width * (slope + 2 * width * b.bend) < 0;
}

// B(s) rises on all of [x, x + width].
bool surely_rises(const CosineSum& sum, std::uint64_t s, double width) {
    const CosineSum::Local b = sum.at(s);
    return b.slope - b.slope_error > 2 * width * b.bend;
}

}  // namespace

double excluded_to(const CosineSum& sum, std::uint64_t s, double base) {
    return std::max(stepped(base, excluder_at(sum, s).reach), std::nextafter(base, HUGE_VAL));
}

// From b, where B(s) < 0, each turn goes to a greater double b', of which there are finitely many:
//     δ ≥ 2^-42    b' ≥ b(1 + 2^-42)(1 − 2^-48) > b
//     δ < 2^-42    b' = b(1 + 2^-40); if B(s) ≥ 0 there, the first neighbour of one where B(s) < 0
// All of [b, b') fails: s excludes it up to b·e^δ or, where B(s) rises, up to its root; what fails
// at b' excludes the ulp that is left.
Ascent Exclusion::rise(double base, double last, std::uint64_t most) {
    const std::uint64_t before = excluders_.work();
    Ascent risen{std::nullopt, true};
    std::optional<std::uint64_t> binding;
    double ulp = 0;  // of ln b, below b
    while (base <= last) {
        if (ulp == 0 && excluders_.work() - before > most) {
            risen.stopped_at = base;
            break;
        }
        const CosineSum sum(pairs_, ln(base));
        const auto [s, step] = excluders_.furthest(sum);
        if (step == 0) {
            risen.end = IslandEnd{base, binding};
            break;
        }
        risen.proved = risen.proved && (ulp == 0 || excludes_below(sum, s, ulp));
        ulp = 0;
        double next = stepped(base, step);
        if (step < least_step) {
            next = base * (1 + 4 * least_step);
            risen.proved = risen.proved && surely_rises(sum, s, 5 * least_step);
            if (!is_negative(pairs_, s, next)) {
                next = sign_change(pairs_, s, base, next).above;
                binding = s;
                ulp = 0x1p-51;
            }
        }
        if (!(next > base)) throw std::logic_error("the search for a base makes no progress");
        base = next;
    }
    return risen;
}

}  // namespace rope
