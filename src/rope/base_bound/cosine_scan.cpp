#include "rope/base_bound/cosine_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"

namespace rope {
namespace {

constexpr std::uint64_t parts = 8;          // of a stretch, at the next level
constexpr double slow_turn = 1. / 6;        // in turns: hθ ≤ π/3
constexpr std::uint64_t always_low = 4096;  // below it few pairs have rotated far, and B is high
constexpr std::uint64_t short_end = 16384;  // below it scanning all blocks is faster
constexpr std::size_t lanes = 16;           // of the kernel; rows are padded with zeros

std::size_t stride_of(std::size_t pairs) { return (pairs + lanes - 1) / lanes * lanes; }

void narrow(const AlignedVector<double>& from, AlignedVector<float>& to) {
    to.resize(from.size());
    std::ranges::transform(from, to.begin(), [](double x) { return static_cast<float>(x); });
}

// Returns the first s in [first, end) with B(s) < 0.
std::optional<std::uint64_t> negative_within(CosineScan& scan, LowStretches& stretches,
                                             std::uint64_t first, std::uint64_t end) {
    const CosineSum& sum = scan.sum();
    std::array<double, CosineScan::size> values;
    for (; const auto low = stretches.next(first, end, 0); first += values.size()) {
        first = low->first;
        if (scan.fill(first, values.data()) > sum.error()) continue;
        for (std::size_t k = 0; k < values.size() && first + k < end; ++k)
            if (sum.is_negative(first + k, values[k])) return first + k;
    }
    return std::nullopt;
}

constexpr std::uint64_t sampled_of = 251;  // blocks
constexpr std::uint64_t least_samples = 32;

double square_of_centre(std::uint64_t first) {
    const double centre = static_cast<double>(first) + static_cast<double>(CosineScan::size) / 2;
    return centre * centre;
}

double merit_of(Merit kind, std::uint64_t first, double low) {
    return kind == Merit::reach && low < 0 ? -low / square_of_centre(first) : -low;
}

// Returns the largest B that a block from `first` on may have to reach this merit.
double highest_for(Merit kind, std::uint64_t first, double merit) {
    return kind == Merit::reach && merit > 0 ? -merit * square_of_centre(first) : -merit;
}

// Returns, from a sample, a merit that about twice as many blocks as `most` reach.
double usual_merit(CosineScan& scan, std::uint64_t context, std::size_t most, Merit kind) {
    const std::uint64_t blocks = context / CosineScan::size + 1, samples = blocks / sampled_of;
    const std::uint64_t better = 2 * most / sampled_of + 3;
    if (samples < least_samples || samples <= better) return -HUGE_VAL;
    std::vector<double> merits;
    for (std::uint64_t k = 0; k < samples; ++k) {
        const std::uint64_t first = k * sampled_of * CosineScan::size;
        merits.push_back(merit_of(kind, first, scan.lower_bound(first)));
    }
    const auto last = merits.begin() + static_cast<std::ptrdiff_t>(better);
    std::ranges::nth_element(merits, last, std::greater{});
    return *last;
}

constexpr std::size_t most = 1024;

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

// With u = 2^-24 and lengths in the plane: a seed has an error < √2u, and each of four rotations
// adds √2u for its row and 2√2u for products and sums, in all < 19u. The bound of a pair has √2
// times that and 6u; its value at one distance has that, √2u for an offset and 2u: < 33u in both
// directions. The sum of P terms, each at most √2, adds P·u·1.5P.
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

// Returns the end of the longest stretch around the block that exceeds the limit, or 0 if even the
// block does not.
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

CosineScan::CosineScan(const CosineSum& sum) : sum_(sum), offsets_(sum.half_rates().size()) {
    const std::size_t pairs = offsets_.size();
    seed_.resize(pairs);
    centre_.resize(pairs);
    std::array<std::uint64_t, half> turn;
    for (std::size_t i = 0; i < pairs; ++i) {
        // truncated to 64 bits: an error of 2^-58 turn
        for (std::size_t b = 0; b < half; ++b) turn[b] = turn_of(sum.half_rates()[i]) * (2 * b + 1);
        kernels().cos_sin_of_turns(half, turn.data(), offsets_[i].cosine, offsets_[i].sine);
    }
}

// Computes only the first row until a second one is needed: many bases fail within 64 distances.
void CosineScan::prepare_rows() {
    const std::size_t pairs = offsets_.size(), count = rows_.cosine.empty() ? 1 : rows;
    std::vector<std::uint64_t> turn((1 + count) * pairs);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < pairs; ++i)
            turn[(1 + r) * pairs + i] = turn_of(sum_.half_rates()[i] * (2 * size * r + size - 1));
    rows_.resize(turn.size());
    kernels().cos_sin_of_turns(turn.size(), turn.data(), rows_.cosine.data(), rows_.sine.data());
}

void CosineScan::prepare_near_offsets() {
    if (!near_offsets_.empty()) return;
    near_offsets_.resize(offsets_.size());
    for (std::size_t i = 0; i < offsets_.size(); ++i)
        for (std::size_t b = 0; b < half; ++b) {
            near_offsets_[i].cosine[b] = static_cast<float>(offsets_[i].cosine[b]);
            near_offsets_[i].sine[b] = static_cast<float>(offsets_[i].sine[b]);
        }
    none_.cosine.assign(offsets_.size(), 1);
    none_.sine.assign(offsets_.size(), 0);
}

void CosineScan::prepare_floats() {
    prepare_near_offsets();
    if (near_rows_.cosine.size() != rows_.cosine.size()) {
        narrow(rows_.cosine, near_rows_.cosine);
        narrow(rows_.sine, near_rows_.sine);
    }
    if (is_near_seed_) return;
    narrow(seed_.cosine, near_seed_.cosine);
    narrow(seed_.sine, near_seed_.sine);
    is_near_seed_ = true;
}

void CosineScan::seed(std::uint64_t first, std::uint64_t twice) {
    seeded_ = first;
    is_near_seed_ = false;
    const std::size_t pairs = offsets_.size();
    std::vector<std::uint64_t> turn(pairs);
    for (std::size_t i = 0; i < pairs; ++i) turn[i] = turn_of(sum_.half_rates()[i] * Phase{twice});
    kernels().cos_sin_of_turns(pairs, turn.data(), seed_.cosine.data(), seed_.sine.data());
}

// Returns the index in rows_ of the rotation from the seed to the centre of a block. A block that
// does not follow the one before is its own seed.
std::size_t CosineScan::row_of(std::uint64_t first) {
    const std::size_t pairs = offsets_.size(), row = first / size % rows;
    const std::uint64_t run = first - row * size;
    if (row == 0 && run != seeded_) seed(run, 2 * run);
    const bool is_alone = run != seeded_;
    if (is_alone) seed(~std::uint64_t{0}, 2 * first + size - 1);
    const std::size_t at = is_alone ? 0 : (1 + row) * pairs;
    if (rows_.cosine.size() <= at) prepare_rows();
    return at;
}

double CosineScan::fill(std::uint64_t first, double* values) {
    const std::size_t pairs = offsets_.size(), row = row_of(first);
    kernels().add_angles(1, pairs, {seed_.cosine.data(), seed_.sine.data()},
                         {&rows_.cosine[row], &rows_.sine[row]},
                         {centre_.cosine.data(), centre_.sine.data()});
    return kernels().sums->cosine_sums(pairs, sum_.pairs().passing, centre_.cosine.data(),
                                       centre_.sine.data(), offsets_.front().cosine, values);
}

// With u = 2^-24, and |c·c'| + |s·s'| ≤ 1 for cosines and sines of any two angles:
//   seed, row, offset rounded                      u each
//   a centre's cosine and its sine                 2u of those, 2u of products and sum
//   c·c' and s·s' of a pair                        4u(|c'| + |s'|) + u + u < 8u
//   two sums of P terms and the sum of both        P·u·P
// and 0.01·P²u for terms of u², P < 2^17.
double CosineScan::lower_bound(std::uint64_t first) {
    const std::size_t pairs = offsets_.size(), row = row_of(first);
    prepare_floats();
    const double least = kernels().sums->least_cosine_sum(
        pairs, near_seed_.cosine.data(), near_seed_.sine.data(), &near_rows_.cosine[row],
        &near_rows_.sine[row], near_offsets_.front().cosine);
    const auto all = static_cast<double>(pairs);
    return least + sum_.pairs().passing - all * (1.01 * all + 10) * 0x1p-24;
}

double CosineScan::least_about(const float* cosine, const float* sine) {
    prepare_near_offsets();
    return kernels().sums->least_cosine_sum(offsets_.size(), cosine, sine, none_.cosine.data(),
                                            none_.sine.data(), near_offsets_.front().cosine);
}

std::optional<std::uint64_t> first_negative(const CosineSum& sum, std::uint64_t last) {
    CosineScan scan(sum);
    LowStretches stretches(scan);
    return negative_within(scan, stretches, 0, last + 1);
}

bool is_ever_negative(const CosineSum& sum, std::uint64_t last) {
    CosineScan scan(sum);
    LowStretches stretches(scan);
    for (std::uint64_t end = last + 1; end > 0;) {
        const std::uint64_t first = (end - 1) / LowStretches::longest * LowStretches::longest;
        if (negative_within(scan, stretches, first, end)) return true;
        end = first;
    }
    return false;
}

BestBlocks best_blocks(const CosineSum& sum, std::uint64_t context, std::size_t count, Merit kind) {
    CosineScan scan(sum);
    LowStretches stretches(scan);
    std::vector<RatedBlock> found;
    double needed = usual_merit(scan, context, count, kind), best = 0;
    const auto keep_most = [&] {
        if (found.size() <= count) return;
        const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
        std::ranges::nth_element(found, end, std::greater{}, &RatedBlock::merit);
        needed = std::max(needed, end->merit);
        found.erase(end, found.end());
    };
    std::uint64_t first = 0;
    for (;; first += CosineScan::size) {
        const auto block = stretches.next(first, context + 1, highest_for(kind, first, needed));
        first = block ? block->first : context + 1;
        const auto distance = static_cast<double>(first);
        if (!block || sum.pairs().rotating < best * distance * distance) break;  // |B| ≤ P
        const double merit = merit_of(kind, first, block->low);
        if (kind == Merit::reach) best = std::max(best, merit);
        found.push_back({first, block->low, merit});
        if (found.size() == 2 * count) keep_most();
    }
    keep_most();
    std::ranges::sort(found, std::greater{}, &RatedBlock::merit);
    return {found, first > context && needed < 0, first / CosineScan::size};
}

LowBlocks::LowBlocks(PairCounts pairs, std::uint64_t context, double base)
    : pairs_(pairs), context_(context) {
    const BestBlocks lowest = best_blocks({pairs, ln(base)}, context, most, Merit::depth);
    for (const RatedBlock& each : lowest.blocks) blocks_.push_back({each.first, each.low, base});
    has_all_ = lowest.has_all;
    std::ranges::sort(blocks_, {}, &Block::first);
}

// From ln b down to ln b', B decreases by at most s·steepest·(ln b − ln b') at b', so most blocks
// stay above 0.
std::optional<std::uint64_t> LowBlocks::furthest(double base) {
    const CosineSum sum(pairs_, ln(base));
    const double steepest = sum.steepest() * (1 + 0x1p-30);
    std::optional<std::uint64_t> best;
    double furthest = 0;
    CosineScan scan(sum);
    std::array<double, CosineScan::size> values;
    for (Block& block : blocks_) {
        const auto last = static_cast<double>(block.first + CosineScan::size);
        if (block.low > steepest * last * (block.base - base) / base) continue;
        block = {block.first, scan.lower_bound(block.first), base};
        if (block.low > 0 || scan.fill(block.first, values.data()) > sum.error()) continue;
        for (std::size_t k = 0; k < values.size() && block.first + k <= context_; ++k) {
            const std::uint64_t s = block.first + k;
            if (!sum.is_negative(s, values[k])) continue;
            const CosineSum::Local b = sum.at(s);
            const double way = b.value / b.slope;
            if (!best || way > furthest) furthest = way, best = s;
        }
    }
    return best;
}

}  // namespace rope
