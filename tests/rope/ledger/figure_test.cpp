#include <gtest/gtest.h>

#include <cmath>

#include "rope/claims/derivation.hpp"
#include "rope/claims/quantities.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace figure_test {

BigReal third() { return real(1) / 3.0; }

// The text that a derivation prints for a number.
TEST(Number, ShowsTheRecordedDigitsUnlessTheyAreWrong) {
    const auto shown = [](const BigReal& computed, const char* recorded) {
        return Number{"", computed, Figure(recorded), ""}.text();
    };
    EXPECT_EQ(shown(third(), "0.3333"), "0.3333");
    EXPECT_EQ(shown(third(), "3.3e-1"), "3.3e-1");
    EXPECT_EQ(shown(real(2048), "2048"), "2048");
    EXPECT_EQ(shown(real(2049.25), "2049"), "2049.25");
    EXPECT_EQ(shown(real(0.25), "0.26"), "0.25");
    EXPECT_EQ(shown(real(HUGE_VAL), "1.0"), "inf");
}

TEST(Figure, IsMetWithinHalfAUnitOfItsLastDigit) {
    EXPECT_TRUE(Figure("0.3333").is_met_by(third()));
    EXPECT_FALSE(Figure("0.3332").is_met_by(third()));
    EXPECT_FALSE(Figure("0.3334").is_met_by(third()));
    EXPECT_TRUE(Figure("4.3e3").is_met_by(real(4349)));
    EXPECT_FALSE(Figure("4.3e3").is_met_by(real(4351)));
    EXPECT_TRUE(Figure("-1.5e-3").is_met_by(real(-0.0015)));
}

TEST(Figure, IsMetExactlyIfItIsWhole) {
    EXPECT_TRUE(Figure("2049").is_met_by(real(2049)));
    EXPECT_FALSE(Figure("2049").is_met_by(real(2049.25)));
}

TEST(Figure, IsNotMetByNaN) {
    for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        EXPECT_FALSE(Figure("1").is_met_by(real(x)));
        EXPECT_FALSE(Figure("1.0").is_met_by(real(x)));
    }
}

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

}  // namespace figure_test
}  // namespace rope::ledger
