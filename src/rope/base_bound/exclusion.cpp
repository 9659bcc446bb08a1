#include "rope/base_bound/exclusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "rope/base_bound/cosine_scan.hpp"

namespace rope {
namespace {

constexpr Precision working{200};
constexpr double beyond_all = 1e3;  // ln b is at most 70
constexpr double least_step = 0x1p-42;

// B(s) or up to 1/15 closer to 0, never past it.
double nearer_zero(const CosineSum& sum, std::uint64_t s, double value) {
    if (std::abs(value) <= 16 * sum.error()) return mpfr_get_d(sum.exact(s).raw(), MPFR_RNDZ);
    return value < 0 ? value + sum.error() : value - sum.error();
}

// δ of exclusion.hpp, rounded down; 0 just where B(s) ≥ 0.
double reach(const CosineSum& sum, std::uint64_t s) {
    const CosineSum::Local b = sum.at(s);
    const double value = nearer_zero(sum, s, b.value), slope = b.slope + b.slope_error;
    if (!(value < 0)) return 0;
    const double root = std::sqrt(slope * slope - 2 * b.bend * value);
    const double delta = slope > 0 ? -2 * value / (root + slope) : (root - slope) / b.bend;
    return delta < beyond_all ? delta * (1 - 0x1p-30) : beyond_all;  // 0/0: one pair never bends
}

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

bool is_negative(PairCounts pairs, std::uint64_t s, double base) {
    const CosineSum sum(pairs, ln(base));
    return sum.is_negative(s, sum.at(s).value);
}

}  // namespace

BigReal ln(double base) {
    BigReal x(base, working);
    mpfr_log(x.raw(), x.raw(), MPFR_RNDN);
    return x;
}

double excluded_to(const CosineSum& sum, std::uint64_t s, double base) {
    return std::max(stepped(base, reach(sum, s)), std::nextafter(base, HUGE_VAL));
}

// Each turn leaves fewer doubles between low and high.
SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high) {
    const bool falls = is_negative(pairs, s, high);
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(low < middle && middle < high)) return {low, high};
        (is_negative(pairs, s, middle) == falls ? high : low) = middle;
    }
}

Exclusion::Witness Exclusion::furthest_known(const CosineSum& sum) const {
    Witness best{0, -1};
    for (const std::uint64_t s : known_) {
        const Witness each{s, reach(sum, s)};
        if (each.reach > best.reach) best = each;
        if (best.reach >= expected_ / 8) break;
    }
    return best;
}

Exclusion::Witness Exclusion::furthest(const CosineSum& sum) {
    Witness best = furthest_known(sum);
    if (best.reach <= expected_ / 8 || known_.empty()) {
        look(sum);
        expected_ = beyond_all;
        best = furthest_known(sum);
        expected_ = best.reach;
    }
    expected_ = std::max(expected_, best.reach);
    return best;
}

// The positions with the most of |B|/s² where B < 0, of which |B''| is a multiple; where there is
// none, the position of the least B.
void Exclusion::look(const CosineSum& sum) {
    struct Candidate {
        double merit;
        std::uint64_t position;
    };
    // as many as cost no more to try than another look
    const std::size_t most = std::clamp<std::uint64_t>(context_ / 64, 16, 1024);
    std::vector<Candidate> found;
    Candidate least{HUGE_VAL, 0};
    CosineScan scan(sum);
    std::array<double, CosineScan::size> values;
    double enough = 0;  // merit of the best
    for (std::uint64_t first = 0; first <= context_; first += values.size()) {
        const auto distance = static_cast<double>(first);
        if (pairs_.rotating < enough * distance * distance) break;  // |B| ≤ d/2
        if (scan.fill(first, values.data()) > std::max(0.0, least.merit)) continue;
        for (std::size_t k = 0; k < values.size() && first + k <= context_; ++k) {
            const double s = static_cast<double>(first + k), merit = -values[k] / (s * s);
            if (values[k] < least.merit) least = {values[k], first + k};
            if (values[k] > -sum.error()) continue;
            if (found.size() == most && merit <= found.back().merit) continue;
            if (found.size() == most) found.pop_back();
            const auto place =
                std::ranges::upper_bound(found, merit, std::greater{}, &Candidate::merit);
            found.insert(place, {merit, first + k});
            enough = found.front().merit;
        }
    }
    if (found.empty()) found.push_back(least);
    known_.clear();
    for (const Candidate& each : found) known_.push_back(each.position);
}

std::optional<Exclusion::Witness> Exclusion::failure(const CosineSum& sum) {
    const Witness best = furthest(sum);
    if (best.reach >= least_step) return best;
    const auto s = first_negative(sum, context_);
    return s ? std::optional(Witness{*s, reach(sum, *s)}) : std::nullopt;
}

// From b, where B(s) < 0, each turn goes to a greater double b', of which there are finitely many:
//     δ ≥ 2^-42    b' ≥ b(1 + 2^-42)(1 − 2^-48) > b
//     δ < 2^-42    b' = b(1 + 2^-40); if B(s) ≥ 0 there, the first neighbour of one where B(s) < 0
// All of [b, b') fails: s excludes it up to b·e^δ or, where B(s) rises, up to its root; what fails
// at b' excludes the ulp that is left.
Ascent Exclusion::rise(double base, double last) {
    Ascent risen{std::nullopt, true};
    std::optional<std::uint64_t> binding;
    double ulp = 0;  // of ln b, below b
    known_.clear();
    while (base <= last) {
        const CosineSum sum(pairs_, ln(base));
        const auto failing = failure(sum);
        if (!failing) {
            risen.end = IslandEnd{base, binding};
            break;
        }
        const auto [s, step] = *failing;
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
            known_.clear();
        }
        if (!(next > base)) throw std::logic_error("the search for a base makes no progress");
        base = next;
    }
    return risen;
}

}  // namespace rope
