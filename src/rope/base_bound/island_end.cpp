#include "rope/base_bound/island_end.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "rope/base_bound/cosine_scan.hpp"

namespace rope {
namespace {

// The blocks of distances where B is least. What fails a base just below is among them, mostly.
std::vector<std::uint64_t> low_blocks(const CosineSum& sum, std::uint64_t context) {
    constexpr std::size_t most = 1024;
    struct Block {
        double low;
        std::uint64_t first;
    };
    std::vector<Block> found;
    CosineScan scan(sum);
    for (std::uint64_t first = 0; first <= context; first += CosineScan::size) {
        found.push_back({scan.lower_bound(first), first});
        if (found.size() < 2 * most && first + CosineScan::size <= context) continue;
        const std::size_t kept = std::min(most, found.size());
        std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(kept) - 1, {},
                                 &Block::low);
        found.resize(kept);
    }
    std::vector<std::uint64_t> blocks;
    for (const Block& each : found) blocks.push_back(each.first);
    std::ranges::sort(blocks);
    return blocks;
}

// The negative distance whose root is furthest below this base by Newton's method.
std::optional<std::uint64_t> furthest(const CosineSum& sum, std::uint64_t context,
                                      const std::vector<std::uint64_t>& blocks) {
    std::optional<std::uint64_t> best;
    double furthest = 0;
    CosineScan scan(sum);
    std::array<double, CosineScan::size> values;
    for (const std::uint64_t first : blocks) {
        if (scan.lower_bound(first) > 0 || scan.fill(first, values.data()) > sum.error()) continue;
        for (std::size_t k = 0; k < values.size() && first + k <= context; ++k) {
            if (!sum.is_negative(first + k, values[k])) continue;
            const CosineSum::Local b = sum.at(first + k);
            const double way = b.value / b.slope;
            if (!best || way > furthest) furthest = way, best = first + k;
        }
    }
    return best;
}

}  // namespace

// Where one gap after the other would have to be crossed, half of what is left is taken at a time.
IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails) {
    IslandEnd end{fails, std::nullopt};
    for (bool is_first = true; end.base > holds; is_first = false) {
        const CosineSum sum(pairs, ln(end.base));
        const std::vector<std::uint64_t> blocks = low_blocks(sum, context);
        auto s = furthest(sum, context, blocks);
        if (!s) s = first_negative(sum, context);
        if (!s) break;
        for (; s && end.base > holds; s = furthest({pairs, ln(end.base)}, context, blocks))
            end = {sign_change(pairs, *s, holds, end.base).below, s};
        const double middle = holds + (end.base - holds) / 2;
        if (is_first || !(holds < middle && middle < end.base)) continue;
        if (is_ever_negative({pairs, ln(middle)}, context))
            end.base = middle;
        else
            holds = middle;
    }
    return end;
}

}  // namespace rope
