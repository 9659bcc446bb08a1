#include "rope/base_bound/exclusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rope {
namespace {

constexpr Precision working{200};
constexpr double beyond_all = 1e3;  // ln b is at most 70

// δ of exclusion.hpp, rounded down; 0 where B(s) is not surely negative.
double reach(const CosineSum& sum, std::uint64_t s) {
    const CosineSum::Local b = sum.at(s);
    const double value = b.value + sum.error();
    if (!(value < 0)) return 0;
    const double slope = b.slope + (std::abs(b.slope) + b.bend) * 0x1p-40;
    const double root = std::sqrt(slope * slope - 2 * b.bend * value);
    const double delta = slope > 0 ? -2 * value / (root + slope) : (root - slope) / b.bend;
    return delta < beyond_all ? delta * (1 - 0x1p-30) : beyond_all;
}

// As far as Newton's method goes before its steps drown in the rounding of x.
bool arrived(double x, double step) { return step < (1 + x) * 0x1p-42; }

// B(s) < 0 on all of [x − width, x].
bool excludes_below(const CosineSum& sum, std::uint64_t s, double width) {
    const CosineSum::Local b = sum.at(s);
    return b.value + sum.error() + width * (std::abs(b.slope) + 2 * width * b.bend) < 0;
}

// B(s) rises from x on for as long as the root is away.
bool surely_rises(const CosineSum& sum, std::uint64_t s, double width) {
    const CosineSum::Local b = sum.at(s);
    return b.slope > 2 * width * b.bend;
}

}  // namespace

BigReal ln(double base) {
    BigReal x(base, working);
    mpfr_log(x.raw(), x.raw(), MPFR_RNDN);
    return x;
}

BigReal root_near(PairCounts pairs, std::uint64_t s, double x) {
    BigReal root(x, working);
    for (int step = 0; step < 3; ++step) {
        const CosineSum sum(pairs, root);
        root = root - sum.exact(s) / sum.at(s).slope;
    }
    mpfr_exp(root.raw(), root.raw(), MPFR_RNDN);
    return root;
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
    if (best.reach < expected_ / 8 || known_.empty()) {
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

std::optional<LowerEnd> Exclusion::rise(double base, double last) {
    const double end = ln(last).to_double();
    bool proved = true;
    double x = ln(base).to_double();
    while (x < end) {
        const CosineSum sum(pairs_, BigReal(x, working));
        const auto [s, step] = furthest(sum);
        if (!arrived(x, step)) {
            x = std::nextafter(x + step, 0.0);
            continue;
        }
        const double root = mpfr_get_d(root_near(pairs_, s, x).raw(), MPFR_RNDU);
        const BigReal at_root = ln(root);
        const double above = std::nextafter(at_root.to_double(), HUGE_VAL), width = above - x;
        proved = proved && surely_rises(sum, s, width);
        const auto other = first_negative(CosineSum(pairs_, at_root), context_);
        if (!other) return LowerEnd{root, s, proved};
        proved =
            proved && excludes_below(CosineSum(pairs_, BigReal(above, working)), *other, width);
        known_.clear();
        x = above;
    }
    return std::nullopt;
}

}  // namespace rope
