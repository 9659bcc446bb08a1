#include "rope/diagnose/cleared/fit_to_one.hpp"

#include <algorithm>
#include <cmath>

namespace rope {

std::optional<TwoTerms> fit_to_one(const std::vector<TwoTerms>& all, double tolerance,
                                   bool one_term) {
    double s11 = 0, s12 = 0, s22 = 0, t1 = 0, t2 = 0;
    for (const auto& [p, q] : all) {
        s11 += p * p, s12 += p * q, s22 += q * q;
        t1 += p, t2 += q;
    }
    const double determinant = one_term ? s11 : s11 * s22 - s12 * s12;
    const double a = (one_term ? t1 : t1 * s22 - t2 * s12) / determinant;
    const double b = one_term ? a : (t2 * s11 - t1 * s12) / determinant;
    if (!(a > 0 && b > 0)) return std::nullopt;
    const auto is_met = [&](const TwoTerms& one) {
        return std::abs(a * one.first + b * one.second - 1) <= tolerance;
    };
    if (!std::ranges::all_of(all, is_met)) return std::nullopt;
    return TwoTerms{a, b};
}

}  // namespace rope
