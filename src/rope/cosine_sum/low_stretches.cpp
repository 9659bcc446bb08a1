#include "rope/cosine_sum/low_stretches.hpp"

#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"

namespace rope {
namespace {

constexpr std::uint64_t parts = 8;          // of a stretch
constexpr double slow_turn = 1. / 6;        // hθ ≤ π/3
constexpr std::uint64_t always_low = 4096;  // few pairs have turned so far
constexpr std::uint64_t short_end = 16384;  // before which looking at all is quicker
constexpr std::size_t lanes = 16;           // of the kernel: rows end in zeros

std::size_t stride_of(std::size_t pairs) { return (pairs + lanes - 1) / lanes * lanes; }

}  // namespace

LowStretches::Rows LowStretches::rows_of(const std::vector<Phase>& twice_distances) const {
    const std::size_t pairs = half_rate_.size(), stride = stride_of(pairs);
    Rows rows{AlignedVector<float>(twice_distances.size() * stride),
              AlignedVector<float>(twice_distances.size() * stride)};
    std::vector<std::uint64_t> turn(pairs);
    std::vector<double> c(pairs), s(pairs);
    std::size_t row = 0;
    for (const Phase twice : twice_distances) {
        for (std::size_t i = 0; i < pairs; ++i) turn[i] = turn_of(half_rate_[i] * twice);
        kernels().cos_sin_of_turns(pairs, turn.data(), c.data(), s.data());
        for (std::size_t i = 0; i < pairs; ++i) {
            rows.c[row + i] = static_cast<float>(c[i]);
            rows.s[row + i] = static_cast<float>(s[i]);
        }
        row += stride;
    }
    return rows;
}

// With u = 2^-24, as lengths in the plane: a seed is within √2u, and each of four turns adds √2u of
// its row and 2√2u of products and sums, < 19u in all. A pair's bound is within √2 of that and 6u,
// and what it has at one distance within that, √2u of an offset and 2u, < 33u either way. The sum
// of P, each at most √2, adds P·u·1.5P.
LowStretches::LowStretches(CosineScan& scan)
    : scan_(scan), half_rate_(scan.sum().half_rates()), constant_(scan.sum().pairs().passing) {
    const auto pairs = static_cast<double>(half_rate_.size());
    constant_ -= pairs * (1.5 * pairs + 33) * 0x1p-24;
}

void LowStretches::prepare() {
    std::uint64_t length = longest;
    for (Level& level : levels_) {
        level.length = length;
        std::vector<Phase> centres;
        for (std::uint64_t k = 0; k < parts; ++k)
            centres.push_back(Phase{(2 * k + 1) * length} - Phase{parts * length});
        level.centres = rows_of(length == longest ? std::vector<Phase>{0} : centres);
        level.reach = rows_of({length - 1});
        level.slow.assign(level.reach.c.size(), 1);
        for (std::size_t i = 0; i < half_rate_.size(); ++i)
            if (turns(half_rate_[i]) * static_cast<double>(length) > slow_turn)
                level.slow[i] = level.reach.c[i] = level.reach.s[i] = 0;
        level.centre = level.reach;
        length /= parts;
    }
    is_prepared_ = true;
}

void LowStretches::enter(std::size_t depth, std::uint64_t first) {
    Level& level = levels_[depth];
    if (depth == 0) seed_ = rows_of({2 * first + level.length - 1});
    const Rows& from = depth == 0 ? seed_ : levels_[depth - 1].centre;
    const std::size_t stride = level.slow.size(),
                      row = depth == 0 ? 0 : first / level.length % parts * stride;
    const float bound = kernels().sums->turned_bound(
        stride, {from.c.data(), from.s.data()}, {&level.centres.c[row], &level.centres.s[row]},
        {level.reach.c.data(), level.reach.s.data(), level.slow.data()}, level.centre.c.data(),
        level.centre.s.data());
    level.first = first;
    level.low = bound + constant_;
}

// Of the longest stretch around a block that is above the limit; 0 if not even the block is.
std::uint64_t LowStretches::end_of_high(std::uint64_t first, double limit) {
    if (!is_prepared_) prepare();
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
        const Level& level = levels_[depth];
        const std::uint64_t start = first / level.length * level.length;
        if (level.first != start) enter(depth, start);
        if (level.low > limit) return start + level.length;
    }
    return 0;
}

std::optional<LowBlock> LowStretches::next(std::uint64_t first, std::uint64_t end, double limit) {
    while (first < end) {
        const bool is_near = first < always_low || end <= short_end;
        if (const std::uint64_t above = is_near ? 0 : end_of_high(first, limit)) {
            first = above;
            continue;
        }
        const Rows& centre = levels_.back().centre;
        const double low = is_near
                               ? scan_.lower_bound(first)
                               : scan_.least_about(centre.c.data(), centre.s.data()) + constant_;
        if (low <= limit) return LowBlock{first, low};
        first += CosineScan::size;
    }
    return std::nullopt;
}

}  // namespace rope
