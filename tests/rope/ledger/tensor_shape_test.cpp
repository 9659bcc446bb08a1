#include <gtest/gtest.h>

#include "rope/claims/quantities.hpp"

namespace rope::ledger {
namespace tensor_shape_test {

TEST(Shapes, BroadcastFromTheLastAxis) {
    EXPECT_EQ(broadcast({2, 3, 4}, {4}), (Shape{2, 3, 4}));
    EXPECT_EQ(broadcast({3, 1}, {2, 1, 4}), (Shape{2, 3, 4}));
    EXPECT_EQ(broadcast({2, 3}, {2, 4}), std::nullopt);
    EXPECT_EQ(broadcast({2, 3}, {2}), std::nullopt);
}

TEST(Shapes, KeepTheirNumbersInAView) {
    EXPECT_TRUE(can_view({2, 3, 8}, {6, 4, 2}));
    EXPECT_FALSE(can_view({2, 3, 8}, {6, 4}));
    EXPECT_TRUE(can_view({2, 3, 8}, {0, 24}));
    EXPECT_FALSE(can_view({2, 3, 8}, {0, 9}));
}

TEST(Shapes, AreCutToNoMoreThanTheyHave) {
    EXPECT_EQ(cut({10, 4}, 0, 3), (Shape{3, 4}));
    EXPECT_EQ(cut({10, 4}, 0, 30), (Shape{10, 4}));
}

TEST(Shapes, MultiplyAsMatricesIfTheInnerSidesAgree) {
    EXPECT_EQ(matrix_product({1, 2}, {2, 3}), (Shape{1, 3}));
    EXPECT_EQ(matrix_product({2, 1}, {2, 3}), std::nullopt);
}

}  // namespace tensor_shape_test
}  // namespace rope::ledger
