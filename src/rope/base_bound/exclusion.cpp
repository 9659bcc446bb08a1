#include "rope/base_bound/exclusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "rope/base_bound/cosine_scan.hpp"
#include "rope/base_bound/cosine_sum.hpp"

namespace rope {
namespace {

constexpr double least_step = 0x1p-42;

// Returns b·e^δ, rounded down: e^δ ≥ 1 + δ + δ²/2 + δ³/6, with eight roundings.
double stepped(double base, double delta) {
    return base * (1 + delta * (1 + delta / 2 * (1 + delta / 3))) * (1 - 0x1p-49);
}

// Returns whether B(s) < 0 on all of [x − width, x].
bool excludes_below(const CosineSum& sum, std::uint64_t s, double width) {
    const CosineSum::Local b = sum.at(s);
    const double slope = std::abs(b.slope) + b.slope_error;
    return sum.nearer_zero(s, b.value) + width * (slope + 2 * width * b.bend) < 0;
}

// Returns whether B(s) increases on all of [x, x + width].
bool surely_rises(const CosineSum& sum, std::uint64_t s, double width) {
    const CosineSum::Local b = sum.at(s);
    return b.slope - b.slope_error > 2 * width * b.bend;
}

constexpr double beyond_all = 1e3;  // ln b is at most 70
constexpr double fair = 1. / 3;     // of the expected reach
constexpr double fading = 0.95;     // expected reach at the next base, as a factor
constexpr double least_reach = 0x1p-42;
constexpr std::uint64_t passed_over = 8;  // blocks that look() examines in the time of trying one

// A search of all distances at one base.
struct Look {
    Look(PairCounts pairs, std::uint64_t context, double base)
        : blocks(pairs, context, base), negative(blocks.furthest(base)) {
        if (!negative && !blocks.has_all()) negative = first_negative({pairs, base}, context);
    }

    LowBlocks blocks;
    std::optional<std::uint64_t> negative;
};

struct Stretch {
    double holds, fails;

    double middle() const { return holds + (fails - holds) / 2; }
    bool has_middle() const { return holds < middle() && middle() < fails; }
};

// Returns the lowest base found to fail between two that hold. Tests a few bases at the distances
// where B is low at the upper end, since B of neighbouring bases differs little.
std::optional<double> gap_between(PairCounts pairs, std::uint64_t context, double from, double to) {
    constexpr int parts = 8;
    LowBlocks blocks(pairs, context, to);
    std::optional<double> gap;
    for (int k = parts - 1; k > 0; --k) {
        const double base = from + (to - from) * k / parts;
        if (blocks.furthest(base)) gap = base;
    }
    return gap;
}

// Below `fails` there may be gaps, and islands beyond them. Halves the interval until the base in
// the middle holds without a gap below it.
Stretch narrowed(PairCounts pairs, std::uint64_t context, Stretch way) {
    while (way.has_middle()) {
        const double middle = way.middle();
        if (is_ever_negative({pairs, middle}, context)) {
            way.fails = middle;
            continue;
        }
        const auto gap = gap_between(pairs, context, way.holds, middle);
        if (!gap) return {middle, way.fails};
        way.fails = *gap;
    }
    return way;
}

// Moves the end down for every distance with B < 0; halves the remaining interval if several gaps
// would have to be crossed one by one.
IslandEnd end_within(PairCounts pairs, std::uint64_t context, Stretch way) {
    IslandEnd end{way.fails, std::nullopt};
    Look look(pairs, context, way.fails);
    for (bool is_first = true; look.negative; is_first = false) {
        for (auto s = look.negative; s && end.base > way.holds; s = look.blocks.furthest(end.base))
            end = {sign_change(pairs, *s, way.holds, end.base).below, s};
        way.fails = end.base;
        if (!is_first && way.has_middle()) {
            look = Look(pairs, context, way.middle());
            (look.negative ? end.base : way.holds) = way.middle();
            if (look.negative) continue;
        }
        if (end.base == way.holds) break;
        look = Look(pairs, context, end.base);
    }
    return end;
}

}  // namespace

double excluded_to(const CosineSum& sum, std::uint64_t s, double base) {
    return std::max(stepped(base, excluder_at(sum, s).reach), std::nextafter(base, HUGE_VAL));
}

// From b, where B(s) < 0, each iteration goes to a larger double b', of which there are finitely
// many:
//   δ ≥ 2^-42  b' ≥ b(1 + 2^-42)(1 − 2^-48) > b
//   δ < 2^-42  b' = b(1 + 2^-40); if B(s) ≥ 0 there, the upper neighbour of a base with B(s) < 0
// All of [b, b') fails: s excludes it up to b·e^δ or, if B(s) increases, up to its root; the
// distance found at b' excludes the remaining ulp.
Ascent Exclusion::rise(double base, double last) {
    Ascent risen{std::nullopt, true};
    std::optional<std::uint64_t> binding;
    double ulp = 0;  // of ln b, still to be excluded below b
    while (base <= last) {
        const CosineSum sum(pairs_, base);
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

Excluder excluder_at(const CosineSum& sum, std::uint64_t s) {
    const CosineSum::Local b = sum.at(s);
    const double value = sum.nearer_zero(s, b.value), slope = b.slope + b.slope_error;
    if (!(value < 0)) return {s, 0};
    const double root = std::sqrt(slope * slope - 2 * b.bend * value);
    const double delta = slope > 0 ? -2 * value / (root + slope) : (root - slope) / b.bend;
    // 0/0 for a single pair, which has no curvature
    return {s, delta < beyond_all ? delta * (1 - 0x1p-30) : beyond_all};
}

// |B''| is proportional to s²: chooses the distance with the largest |B|/s².
Excluder Excluders::best_of_block(const CosineSum& sum, CosineScan& scan, std::uint64_t first,
                                  const Excluder& last) const {
    Excluder best{first, 0};
    if (scan.lower_bound(first) > 0) return best;
    double most = 0;
    for (std::size_t k = 0; k < CosineScan::size && first + k <= context_; ++k) {
        const double value = double{scan.near_values()[k]} + sum.pairs().passing;
        const double s = static_cast<double>(first + k), merit = -value / (s * s);
        if (value > scan.near_error() || (best.reach > 0 && merit <= most)) continue;
        const Excluder each = first + k == last.position ? last : excluder_at(sum, first + k);
        if (each.reach > best.reach) best = each, most = merit;
    }
    return best;
}

// Returns the first distance with a fair reach, else the best; its block moves to the front.
Excluder Excluders::best_known(const CosineSum& sum, const Excluder& last) {
    Excluder best = last;
    if (best.reach > fair * expected_ || blocks_.empty()) return best;
    CosineScan scan(sum);
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
        ++tried_;
        const Excluder each = best_of_block(sum, scan, *block, last);
        if (each.reach <= best.reach) continue;
        best = each;
        std::rotate(blocks_.begin(), block, block + 1);
        if (best.reach > fair * expected_) break;
    }
    last_ = best.position;
    return best;
}

// Calls look() if no known distance excludes the base, or if all reaches are poor; in the second
// case it takes at most half of the time.
Excluder Excluders::furthest(const CosineSum& sum) {
    const Excluder last = excluder_at(sum, last_);
    Excluder best = best_known(sum, last);
    const bool is_poor = best.reach <= fair * expected_ && tried_ >= looked_;
    if (best.reach < least_reach || is_poor) {
        look(sum);
        expected_ = beyond_all;
        best = best_known(sum, last);
        expected_ = best.reach;
        if (best.reach == 0 && !has_all_)
            if (const auto s = first_negative(sum, context_)) best = excluder_at(sum, *s);
    }
    expected_ = std::max(fading * expected_, best.reach);
    return best;
}

void Excluders::look(const CosineSum& sum) {
    const std::size_t most = std::clamp<std::size_t>(context_ >> 12, 16, 1024);
    const BestBlocks best = best_blocks(sum, context_, most, Merit::reach);
    blocks_.clear();
    for (const RatedBlock& each : best.blocks) blocks_.push_back(each.first);
    has_all_ = best.has_all;
    looked_ = best.seen / passed_over;
    tried_ = 0;
}

IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails) {
    return end_within(pairs, context, narrowed(pairs, context, {holds, fails}));
}

}  // namespace rope
