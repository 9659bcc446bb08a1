#include "rope/cosine_sum/best_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "rope/cosine_sum/cosine_scan.hpp"
#include "rope/cosine_sum/low_stretches.hpp"

namespace rope {
namespace {

constexpr std::uint64_t sampled_of = 251;  // blocks
constexpr std::uint64_t least_samples = 32;

double square_of_centre(std::uint64_t first) {
    const double centre = static_cast<double>(first) + static_cast<double>(CosineScan::size) / 2;
    return centre * centre;
}

double merit_of(Merit kind, std::uint64_t first, double low) {
    return kind == Merit::reach && low < 0 ? -low / square_of_centre(first) : -low;
}

// At most what B must be for this merit, from a block on.
double highest_for(Merit kind, std::uint64_t first, double merit) {
    return kind == Merit::reach && merit > 0 ? -merit * square_of_centre(first) : -merit;
}

// What about twice as many as `most` have, by a sample.
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

}  // namespace

BestBlocks best_blocks(const CosineSum& sum, std::uint64_t context, std::size_t most, Merit kind) {
    CosineScan scan(sum);
    LowStretches stretches(scan);
    std::vector<RatedBlock> found;
    double needed = usual_merit(scan, context, most, kind), best = 0;
    const auto keep_most = [&] {
        if (found.size() <= most) return;
        const auto end = found.begin() + static_cast<std::ptrdiff_t>(most);
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
        if (found.size() == 2 * most) keep_most();
    }
    keep_most();
    std::ranges::sort(found, std::greater{}, &RatedBlock::merit);
    return {found, first > context && needed < 0, first / CosineScan::size};
}

}  // namespace rope
