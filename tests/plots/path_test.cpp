#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "plots/svg/ink.hpp"

namespace rope::plots {
namespace path_test {

TEST(Pixels, HaveTwoDecimalsAndNoNegativeZero) {
    EXPECT_EQ(pixels(12.5), "12.5");
    EXPECT_EQ(pixels(-3), "-3");
    EXPECT_EQ(pixels(0.126), "0.13");
    EXPECT_EQ(pixels(1.05), "1.05");
    EXPECT_EQ(pixels(-0.004), "0");
    EXPECT_EQ(pixels(-0.0), "0");
}

TEST(Path, WritesDifferences) {
    Path path;
    path.move_to(1, 2);
    path.line_to(3, 2.5);
    path.line_to(2.75, 0);
    path.close();
    path.dot(9, 9);
    EXPECT_EQ(path.data(), "M1 2l2 0.5 -0.25 -2.5zM9 9h0");
}

TEST(Path, AccumulatesNoRounding) {
    std::mt19937_64 random(1);
    const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    Path path;
    path.move_to(0, 0);
    double x = 0, y = 0;
    for (int i = 0; i < 10000; ++i) path.line_to(x = 760 * unit(), y = 300 * unit());
    std::istringstream differences(path.data().substr(path.data().find('l') + 1));
    long sum_x = 0, sum_y = 0;
    for (double dx = 0, dy = 0; differences >> dx >> dy;) {
        sum_x += std::lround(dx * 100);
        sum_y += std::lround(dy * 100);
    }
    EXPECT_EQ(sum_x, std::lround(x * 100));
    EXPECT_EQ(sum_y, std::lround(y * 100));
}

}  // namespace path_test
}  // namespace rope::plots
