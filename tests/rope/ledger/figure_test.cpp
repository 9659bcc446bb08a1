#include <gtest/gtest.h>

#include <cmath>

#include "rope/claims/derivation.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {
namespace figure_test {

BigReal third() { return real(1) / 3.0; }

TEST(Figure, RoundsANumberToItsOwnLastDigit) {
    EXPECT_EQ(Figure("0.3333").rounded(third()), "0.3333");
    EXPECT_EQ(Figure("-0.25").rounded(-1.0 * third()), "-0.33");
    EXPECT_EQ(Figure("3.3e-1").rounded(third()), "3.3e-1");
    EXPECT_EQ(Figure("33.00e-2").rounded(third()), "33.33e-2");
    EXPECT_EQ(Figure("0.0010").rounded(third() / 1000.0), "0.0003");
    EXPECT_EQ(Figure("12").rounded(real(2048)), "2048");
    EXPECT_EQ(Figure("4.3e3").rounded(real(27000)), "27.0e3");
    EXPECT_EQ(Figure("0").rounded(real(0)), "0");
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
    EXPECT_EQ(Figure("2049").rounded(real(2049.25)), "2049.25");
}

TEST(Figure, IsNotMetByWhatIsNoNumber) {
    for (const double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        EXPECT_FALSE(Figure("1").is_met_by(real(x)));
        EXPECT_FALSE(Figure("1.0").is_met_by(real(x)));
    }
    EXPECT_EQ(Figure("1.0").rounded(real(HUGE_VAL)), "inf");
}

}  // namespace figure_test
}  // namespace rope::ledger
