// ALiBi's bias and sinusoidal tables are named; rotary caches are not mistaken for either.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/dump/dump.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"

namespace rope::io {
namespace other_encodings_test {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const NamedArray& array) {
    return error_message<InputError>([&] { refuse_other_encodings(array); });
}

// 2^(−8h/n), h = 1 … n (Press et al., arXiv 2108.12409, §3)
double slope(int head, int heads) { return std::exp2(-8.0 * head / heads); }

enum class Future { mirrored, masked, zero, rising };

NamedArray alibi(int heads, int length, Future future) {
    std::vector<double> values;
    for (int h = 1; h <= heads; ++h)
        for (int i = 0; i < length; ++i)
            for (int j = 0; j < length; ++j) {
                const double past = -slope(h, heads) * (i - j);
                if (j <= i)
                    values.push_back(past == 0 ? 0 : past);
                else if (future == Future::mirrored)
                    values.push_back(-past);
                else if (future == Future::rising)
                    values.push_back(past);
                else
                    values.push_back(future == Future::masked ? -infinity : 0);
            }
    for (std::size_t k = 0; future == Future::mirrored && k < values.size(); ++k)
        values[k] = -std::abs(values[k]);
    const auto n = static_cast<std::uint64_t>(length);
    return floats("bias.npy", {static_cast<std::uint64_t>(heads), n, n}, values);
}

TEST(OtherEncodings, AnAlibiBiasIsRecognizedWithAnyMaskOfTheFuture) {
    for (const Future future : {Future::mirrored, Future::masked, Future::zero, Future::rising})
        EXPECT_EQ(
            refusal(alibi(8, 16, future)),
            "bias.npy: is a bias of ALiBi, slopes 0.5 to 0.00390625, those of its paper for 8 "
            "heads; it is added to scores and rotates nothing, so there is no rotary table to "
            "check")
            << static_cast<int>(future);
    EXPECT_NE(refusal(alibi(1, 32, Future::masked)).find("slope 0.00390625;"), std::string::npos);
}

// BLOOM's: slope·j for key j, the same for every query
TEST(OtherEncodings, ABiasOfKeysOnlyIsRecognized) {
    std::vector<double> values;
    for (int h = 1; h <= 2; ++h)
        for (int j = 0; j < 8; ++j) values.push_back(slope(h, 16) * j);
    EXPECT_NE(
        refusal(floats("a.npy", {2, 1, 8}, values)).find("not those of its paper for 2 heads"),
        std::string::npos);
}

// rows × dimensions at positions 0, 1, …; `dimension_at` computes each from the angle pθ and its
// parity
template <class Dimension>
NamedArray table(int rows, int dimensions, Dimension dimension_at) {
    std::vector<double> values;
    for (int p = 0; p < rows; ++p)
        for (int dimension = 0; dimension < dimensions; ++dimension)
            values.push_back(dimension_at(p, dimension));
    return floats("pe.npy",
                  {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(dimensions)},
                  values);
}

double angle(int p, int pair, int dimensions) {
    return p * std::pow(10000.0, -2.0 * pair / dimensions);
}

// Vaswani et al., §3.5: PE(p, 2i) = sin(p/10000^(2i/d)), PE(p, 2i + 1) = cos(…)
TEST(OtherEncodings, AnAlternatingSinusoidalTableIsRecognized) {
    const NamedArray turns = table(64, 32, [](int p, int dimension) {
        const double phi = angle(p, dimension / 2, 32);
        return dimension % 2 == 0 ? std::sin(phi) : std::cos(phi);
    });
    EXPECT_NE(refusal(turns).find("pe.npy: is a sinusoidal position encoding"), std::string::npos);
}

TEST(OtherEncodings, RotaryCachesAreNeither) {
    const auto cos_sin = [](int p, int dimension) {  // ggml's row
        const double phi = angle(p, dimension / 2, 16);
        return dimension % 2 == 0 ? std::cos(phi) : std::sin(phi);
    };
    const auto halves = [](int p, int dimension) {  // GPT-J's sin‖cos, and two halves of a square
        const double phi = angle(p, dimension % 8, 16);
        return dimension < 8 ? std::sin(phi) : std::cos(phi);
    };
    const auto angles = [](int p, int dimension) { return angle(p, dimension, 32); };
    for (const int rows : {2, 16, 40}) {
        EXPECT_EQ(refusal(table(rows, 16, cos_sin)), "[no error]");
        EXPECT_EQ(refusal(table(rows, 16, halves)), "[no error]");
        EXPECT_EQ(refusal(table(rows, 16, angles)), "[no error]");
    }
    EXPECT_EQ(refusal(floats("zero.npy", {8, 8}, std::vector<double>(64))), "[no error]");
    EXPECT_EQ(refusal(floats("inv_freq.npy", {4}, {1, 0.1, 0.01, 0.001})), "[no error]");
    EXPECT_EQ(refusal(floats("empty.npy", {0, 8}, {})), "[no error]");
}

}  // namespace other_encodings_test
}  // namespace rope::io
