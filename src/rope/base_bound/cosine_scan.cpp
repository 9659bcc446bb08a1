#include "rope/base_bound/cosine_scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"

namespace rope {
namespace {

constexpr double slow_turn = 1. / 6;        // in turns: hθ ≤ π/3
constexpr std::uint64_t always_low = 4096;  // below it few pairs have rotated far, and B is high
constexpr std::uint64_t short_end = 16384;  // below it scanning all blocks is faster
constexpr double slow_offset = 1. / 16;     // in radians, of NearPairs
constexpr std::size_t lanes = 16;           // of the kernel; rows are padded with zeros

std::size_t stride_of(std::size_t pairs) { return (pairs + lanes - 1) / lanes * lanes; }

float to_float(double x) { return static_cast<float>(x); }

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
// times that and 6u; its value at one distance has that, √2u for an offset and 2u, or 13u for a
// slow pair: < 46u in both directions. The sum of P terms, each at most √2, adds P·u·1.5P.
LowStretches::LowStretches(CosineScan& scan)
    : scan_(scan), half_rate_(scan.sum().half_rates()), constant_(scan.sum().pairs().passing) {
    const auto pairs = static_cast<double>(half_rate_.size());
    constant_ -= pairs * (1.5 * pairs + 46) * 0x1p-24;
}

void LowStretches::prepare() {
    constexpr std::uint64_t parts = 1 << log_parts;
    std::uint64_t length = longest;
    for (Level& level : levels_) {
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

void LowStretches::enter(std::size_t depth, std::uint64_t number) {
    Level& level = levels_[depth];
    level.number = number;
    if (depth == 0) seed_ = rows_of({(2 * number + 1) * longest - 1});
    const Rows& from = depth == 0 ? seed_ : levels_[depth - 1].centre;
    const std::size_t stride = level.slow.size(),
                      row = depth == 0 ? 0 : number % (1 << log_parts) * stride;
    const float bound = kernels().sums->turned_bound(
        stride, {from.c.data(), from.s.data()}, {&level.centres.c[row], &level.centres.s[row]},
        {level.reach.c.data(), level.reach.s.data(), level.slow.data()}, level.centre.c.data(),
        level.centre.s.data());
    level.low = bound + constant_;
}

// Returns the end of the longest stretch around the block that exceeds the limit, or 0 if even the
// block does not.
std::uint64_t LowStretches::end_of_high(std::uint64_t first, double limit) {
    if (!is_prepared_) prepare();
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
        const Level& level = levels_[depth];
        const std::size_t log_length = log_longest - log_parts * depth;
        const std::uint64_t number = first >> log_length;
        if (level.number != number) enter(depth, number);
        if (level.low > limit) return (number + 1) << log_length;
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

CosineScan::CosineScan(const CosineSum& sum) : sum_(sum) {
    const std::vector<Phase>& half_rate = sum.half_rates();
    const std::size_t pairs = half_rate.size(), padded = stride_of(pairs);
    seed_.resize(pairs);
    centre_.resize(pairs);
    near_cosine_.resize(padded);
    near_sine_.resize(padded);
    slow_.resize(padded);
    turned_.resize(padded);
    for (fast_ = pairs; fast_ > 0; --fast_) {
        const double turned = half * 4 * std::numbers::pi * turns(half_rate[fast_ - 1]);
        if (turned > slow_offset) break;
        slow_[fast_ - 1] = 1;
        turned_[fast_ - 1] = static_cast<float>(turned);
    }
    near_offsets_ = offsets_of<float>(fast_);
}

template <class Number>
AlignedVector<Number> CosineScan::offsets_of(std::size_t pairs) const {
    AlignedVector<Number> offsets(pairs * size);
    std::array<std::uint64_t, half> turn;
    std::array<double, half> cosine, sine;
    for (std::size_t i = 0; i < pairs; ++i) {
        // truncated to 64 bits: an error of 2^-58 turn
        const std::uint64_t rate = turn_of(sum_.half_rates()[i]);
        for (std::size_t b = 0; b < half; ++b) turn[b] = rate * (2 * b + 1);
        kernels().cos_sin_of_turns(half, turn.data(), cosine.data(), sine.data());
        for (std::size_t b = 0; b < half; ++b) {
            offsets[i * size + b] = static_cast<Number>(cosine[b]);
            offsets[i * size + half + b] = static_cast<Number>(sine[b]);
        }
    }
    return offsets;
}

// Computes only the first row until a second one is needed: many bases fail within 64 distances.
void CosineScan::prepare_rows() {
    const std::size_t pairs = seed_.cosine.size(), count = rows_.cosine.empty() ? 1 : rows;
    std::vector<std::uint64_t> turn(count * pairs);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < pairs; ++i)
            turn[r * pairs + i] = turn_of(sum_.half_rates()[i] * (2 * size * r + size - 1));
    rows_.resize(turn.size());
    kernels().cos_sin_of_turns(turn.size(), turn.data(), rows_.cosine.data(), rows_.sine.data());
}

void CosineScan::seed(std::uint64_t first, std::uint64_t twice) {
    seeded_ = first;
    const std::size_t pairs = seed_.cosine.size();
    std::vector<std::uint64_t> turn(pairs);
    for (std::size_t i = 0; i < pairs; ++i) turn[i] = turn_of(sum_.half_rates()[i] * Phase{twice});
    kernels().cos_sin_of_turns(pairs, turn.data(), seed_.cosine.data(), seed_.sine.data());
}

// Returns the centre of a block: that of its run, rotated by a row. A block that does not follow
// the one before is its own seed.
const CosineScan::Angles& CosineScan::centre_of(std::uint64_t first) {
    const std::size_t pairs = seed_.cosine.size(), row = first / size % rows;
    const std::uint64_t run = first - row * size;
    if (row == 0 && run != seeded_) seed(run, 2 * run);
    if (run != seeded_) {
        seed(~std::uint64_t{0}, 2 * first + size - 1);
        return seed_;
    }
    if (rows_.cosine.size() <= row * pairs) prepare_rows();
    kernels().add_angles(1, pairs, {seed_.cosine.data(), seed_.sine.data()},
                         {&rows_.cosine[row * pairs], &rows_.sine[row * pairs]},
                         {centre_.cosine.data(), centre_.sine.data()});
    return centre_;
}

double CosineScan::fill(std::uint64_t first, double* values) {
    if (offsets_.empty()) offsets_ = offsets_of<double>(seed_.cosine.size());
    const Angles& centre = centre_of(first);
    return kernels().sums->cosine_sums(seed_.cosine.size(), sum_.pairs().passing,
                                       centre.cosine.data(), centre.sine.data(), offsets_.data(),
                                       values);
}

double CosineScan::lower_bound(std::uint64_t first) {
    const Angles& centre = centre_of(first);
    std::ranges::transform(centre.cosine, near_cosine_.begin(), to_float);
    std::ranges::transform(centre.sine, near_sine_.begin(), to_float);
    return least_about(near_cosine_.data(), near_sine_.data()) + sum_.pairs().passing -
           near_error();
}

// With u = 2^-24, and |c·c'| + |s·s'| ≤ 1 for cosines and sines of any two angles:
//   c·c' and s·s' of a pair, with both factors rounded   3u
//   or the powers of a slow pair                         13u
//   two sums of P terms and the sum of both              P·u·P
// and 0.01·P²u for terms of u², P < 2^17.
double CosineScan::near_error() const {
    const double pairs = sum_.pairs().rotating;
    return pairs * (1.01 * pairs + 20) * 0x1p-24;
}

double CosineScan::least_about(const float* cosine, const float* sine) {
    return kernels().sums->near_cosine_sums(
        {fast_, slow_.size(), slow_.data(), turned_.data(), near_offsets_.data()}, {cosine, sine},
        near_values_.data());
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
    const BestBlocks lowest = best_blocks({pairs, base}, context, most, Merit::depth);
    for (const RatedBlock& each : lowest.blocks) blocks_.push_back({each.first, each.low, base});
    has_all_ = lowest.has_all;
    std::ranges::sort(blocks_, {}, &Block::first);
}

// From ln b down to ln b', B decreases by at most s·steepest·(ln b − ln b') at b', so most blocks
// stay above 0.
std::optional<std::uint64_t> LowBlocks::furthest(double base) {
    const CosineSum sum(pairs_, base);
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
