#include "rope/cosine_sum/low_blocks.hpp"

#include <algorithm>
#include <array>

#include "rope/cosine_sum/best_blocks.hpp"

namespace rope {
namespace {

constexpr std::size_t most = 1024;

}  // namespace

LowBlocks::LowBlocks(PairCounts pairs, std::uint64_t context, double base)
    : pairs_(pairs), context_(context) {
    const BestBlocks lowest = best_blocks({pairs, ln(base)}, context, most, Merit::depth);
    for (const RatedBlock& each : lowest.blocks) blocks_.push_back({each.first, each.low, base});
    has_all_ = lowest.has_all;
    std::ranges::sort(blocks_, {}, &Block::first);
}

// From ln b down to ln b', B falls by at most s·steepest·(ln b − ln b') at b'; most blocks stay
// above 0.
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
