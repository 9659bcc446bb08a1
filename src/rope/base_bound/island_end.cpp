#include "rope/base_bound/island_end.hpp"

#include "rope/base_bound/low_blocks.hpp"
#include "rope/base_bound/sign_change.hpp"

namespace rope {
namespace {

// At all distances.
struct Look {
    Look(PairCounts pairs, std::uint64_t context, double base)
        : blocks(pairs, context, base), negative(blocks.furthest(base)) {
        if (!negative && !blocks.has_all()) negative = first_negative({pairs, ln(base)}, context);
    }

    LowBlocks blocks;
    std::optional<std::uint64_t> negative;
};

struct Stretch {
    double holds, fails;

    double middle() const { return holds + (fails - holds) / 2; }
    bool has_middle() const { return holds < middle() && middle() < fails; }
};

// Every distance that is negative moves the end down; half of what is left is taken at a time where
// one gap after the other would have to be crossed.
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

IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails) {
    return end_within(pairs, context, {holds, fails});
}

}  // namespace rope
