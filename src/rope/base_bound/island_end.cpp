#include "rope/base_bound/island_end.hpp"

#include "rope/cosine_sum/low_blocks.hpp"
#include "rope/cosine_sum/sign_change.hpp"

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

// The lowest base that was found to fail between two that hold. It is looked for at a few bases, by
// the distances at which B is low at the upper end: B of neighbours moves slowly.
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

// Up to `fails` there may be gaps, and islands beyond them. Halved until the base in the middle
// holds, with no gap below it.
Stretch narrowed(PairCounts pairs, std::uint64_t context, Stretch way) {
    while (way.has_middle()) {
        const double middle = way.middle();
        if (is_ever_negative({pairs, ln(middle)}, context)) {
            way.fails = middle;
            continue;
        }
        const auto gap = gap_between(pairs, context, way.holds, middle);
        if (!gap) return {middle, way.fails};
        way.fails = *gap;
    }
    return way;
}

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
    return end_within(pairs, context, narrowed(pairs, context, {holds, fails}));
}

}  // namespace rope
