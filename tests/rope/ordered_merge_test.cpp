#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rope/session/judge.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace ordered_merge_test {

// Records its blocks and their number.
class Blockwise final : public RowCheck {
  public:
    Blockwise(std::uint64_t block, int& alive) : blocks_{block}, alive_(alive) { ++alive_; }
    ~Blockwise() override { --alive_; }

    void observe(const Tile&) override {}
    void merge(RowCheck& next) override {
        const auto& later = static_cast<Blockwise&>(next).blocks_;
        blocks_.insert(blocks_.end(), later.begin(), later.end());
    }
    void report_to(Finding&) override {}

    const std::vector<std::uint64_t>& blocks() const { return blocks_; }

  private:
    std::vector<std::uint64_t> blocks_;
    int& alive_;
};

TEST(OrderedMerge, IsInOrderAndKeepsOnlyBlocksThatWaitForEarlierOnes) {
    constexpr std::uint64_t count = 1000, ahead = 8;
    std::vector<std::uint64_t> order(count);
    for (std::uint64_t k = 0; k < count; ++k) order[k] = k;
    Seeded random(1);  // eight threads' blocks, ending in any order
    for (std::uint64_t k = 0; k < count; k += ahead)
        for (std::uint64_t j = ahead; j > 1; --j)
            std::swap(order[k + j - 1], order[k + random.below(j)]);
    int alive = 0, most = 0;
    OrderedMerge merge;
    for (const std::uint64_t k : order) {
        RowChecks checks;
        for (int c = 0; c < 2; ++c) checks.push_back(std::make_unique<Blockwise>(k, alive));
        merge.add(k, std::move(checks));
        most = std::max(most, alive);
    }
    EXPECT_LE(most, 2 * static_cast<int>(ahead + 1));
    const RowChecks merged = merge.take();
    ASSERT_EQ(merged.size(), 2u);
    for (const auto& check : merged) {
        const auto& blocks = static_cast<const Blockwise&>(*check).blocks();
        EXPECT_EQ(blocks.size(), count);
        EXPECT_TRUE(std::ranges::is_sorted(blocks));
    }
}

TEST(OrderedMerge, OfNoBlocksIsNothing) { EXPECT_TRUE(OrderedMerge().take().empty()); }

}  // namespace ordered_merge_test
}  // namespace rope
