#include "rope/cosine_sum/sign_change.hpp"

#include <algorithm>
#include <cmath>

namespace rope {
namespace {

struct Point {
    double base;
    CosineSum::Local b;
    bool is_negative;
};

Point point(PairCounts pairs, std::uint64_t s, double base) {
    const CosineSum sum(pairs, ln(base));
    const CosineSum::Local b = sum.at(s);
    return {base, b, sum.is_negative(s, b.value)};
}

// Two bases, low < high, with a sign change in between.
class Bracket {
  public:
    Bracket(PairCounts pairs, std::uint64_t s, double low, double high)
        : pairs_(pairs), s_(s), low_(point(pairs, s, low)), high_(high), nearest_(low_) {}

    SignChange ends() const { return {low_.base, high_}; }
    double width() const { return high_ - low_.base; }
    double middle() const { return low_.base + width() / 2; }
    bool is_within(double base) const { return low_.base < base && base < high_; }

    void cut(double base) {
        if (!is_within(base)) return;
        const Point cut = point(pairs_, s_, base);
        if (std::abs(cut.b.value) < std::abs(nearest_.b.value)) nearest_ = cut;
        if (cut.is_negative == low_.is_negative)
            low_ = cut;
        else
            high_ = base;
    }

    // |B'| − M·(ln high − ln low) > 0: one sign change, to which any cuts lead.
    bool is_monotone() const {
        return std::abs(low_.b.slope) - low_.b.slope_error > 2 * width() / low_.base * low_.b.bend;
    }

    // Newton's root from x = ln b is x − B/B', off by about ½·|B''|·(B/B')²/|B'|: so far beyond it,
    // for the sign change to lie between.
    void cut_beyond_root() {
        const double step = -nearest_.b.value / nearest_.b.slope;
        const double off = std::abs(nearest_.b.bend * step * step / nearest_.b.slope) / 2;
        const double beyond = step + std::copysign(std::max(off, 0x1p-52), step);
        cut(nearest_.base + nearest_.base * beyond * (1 + beyond / 2));
    }

  private:
    PairCounts pairs_;
    std::uint64_t s_;
    Point low_;
    double high_;
    Point nearest_;
};

}  // namespace

bool is_negative(PairCounts pairs, std::uint64_t s, double base) {
    return point(pairs, s, base).is_negative;
}

// Each turn leaves at most half of the doubles between low and high.
SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high) {
    Bracket bracket(pairs, s, low, high);
    while (bracket.is_within(bracket.middle())) {
        const double width = bracket.width();
        if (bracket.is_monotone()) bracket.cut_beyond_root();
        if (bracket.width() > width / 2) bracket.cut(bracket.middle());
    }
    return bracket.ends();
}

}  // namespace rope
