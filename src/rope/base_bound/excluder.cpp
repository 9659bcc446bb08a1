#include "rope/base_bound/excluder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rope/cosine_sum/best_blocks.hpp"

namespace rope {
namespace {

constexpr double beyond_all = 1e3;  // ln b is at most 70
constexpr double fair = 1. / 3;     // of the expected reach
constexpr double fading = 0.95;     // of what is expected, from one base to the next
constexpr double least_reach = 0x1p-42;
constexpr std::uint64_t passed_over = 8;  // blocks by a look, in the time that one is tried
constexpr std::uint64_t of_a_base = 48;   // blocks tried in the time that its cosines take

}  // namespace

double nearer_zero(const CosineSum& sum, std::uint64_t s, double value) {
    if (std::abs(value) <= 16 * sum.error()) return mpfr_get_d(sum.exact(s).raw(), MPFR_RNDZ);
    return value < 0 ? value + sum.error() : value - sum.error();
}

Excluder excluder_at(const CosineSum& sum, std::uint64_t s) {
    const CosineSum::Local b = sum.at(s);
    const double value = nearer_zero(sum, s, b.value), slope = b.slope + b.slope_error;
    if (!(value < 0)) return {s, 0};
    const double root = std::sqrt(slope * slope - 2 * b.bend * value);
    const double delta = slope > 0 ? -2 * value / (root + slope) : (root - slope) / b.bend;
    // 0/0: one pair never bends
    return {s, delta < beyond_all ? delta * (1 - 0x1p-30) : beyond_all};
}

// |B''| is a multiple of s²: the position with the most of |B|/s².
Excluder Excluders::best_of_block(const CosineSum& sum, CosineScan& scan, std::uint64_t first,
                                  const Excluder& last) const {
    Excluder best{first, 0};
    if (scan.lower_bound(first) > 0) return best;
    std::array<double, CosineScan::size> values;
    scan.fill(first, values.data());
    double most = 0;
    for (std::size_t k = 0; k < values.size() && first + k <= context_; ++k) {
        const double s = static_cast<double>(first + k), merit = -values[k] / (s * s);
        if (values[k] > sum.error() || (best.reach > 0 && merit <= most)) continue;
        const Excluder each = first + k == last.position ? last : excluder_at(sum, first + k);
        if (each.reach > best.reach) best = each, most = merit;
    }
    return best;
}

// The first that is fair, else the best of all; the block that has it goes to the front.
Excluder Excluders::best_known(const CosineSum& sum, const Excluder& last) {
    Excluder best = last;
    if (best.reach > fair * expected_ || blocks_.empty()) return best;
    CosineScan scan(sum);
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
        ++tried_, ++work_;
        const Excluder each = best_of_block(sum, scan, *block, last);
        if (each.reach <= best.reach) continue;
        best = each;
        std::rotate(blocks_.begin(), block, block + 1);
        if (best.reach > fair * expected_) break;
    }
    last_ = best.position;
    return best;
}

// Looks where nothing else will do, and where what is known has become poor, at most half of the
// time.
Excluder Excluders::furthest(const CosineSum& sum) {
    work_ += of_a_base;
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

std::uint64_t Excluders::work_of_look(std::uint64_t context) {
    return context / CosineScan::size / passed_over;
}

void Excluders::look(const CosineSum& sum) {
    const std::size_t most = std::clamp<std::size_t>(context_ >> 12, 16, 1024);
    const BestBlocks best = best_blocks(sum, context_, most, Merit::reach);
    blocks_.clear();
    for (const RatedBlock& each : best.blocks) blocks_.push_back(each.first);
    has_all_ = best.has_all;
    looked_ = best.seen / passed_over;
    work_ += looked_;
    tried_ = 0;
}

}  // namespace rope
