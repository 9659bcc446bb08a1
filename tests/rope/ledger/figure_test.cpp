#include <gtest/gtest.h>

#include <cmath>

#include "rope/claims/derivation.hpp"
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

}  // namespace figure_test
}  // namespace rope::ledger
