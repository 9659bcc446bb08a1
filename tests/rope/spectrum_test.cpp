#include "rope/spec/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "rope/specs.hpp"

namespace rope {
namespace spectrum_test {

// "unscaled 0-28, blended 29-34, interpolated 35-63"
std::string bands(const Spec& spec) {
    std::string text;
    for (const BandRun& run : band_runs(spectrum(spec)))
        text += (text.empty() ? "" : ", ") + std::string(to_string(run.band)) + " " +
                std::to_string(run.first) + "-" + std::to_string(run.last);
    return text;
}

Spec scaled(std::string type, double factor, std::uint64_t length = 4096) {
    Spec spec = spec_of(128, 1e4, linear(factor), length);
    spec.scaling.rope_type = std::move(type);
    return spec;
}

Spec gemma_4() {
    Spec spec = spec_of(512, 1e6, {}, 131072);
    spec.scaling = {.rope_type = "proportional", .partial_rotary_factor = 0.25};
    return spec;
}

TEST(Spectrum, BandsAreThoseOfTheModels) {
    EXPECT_EQ(bands(spec_of(128, 5e5, llama3(8), 131072)),  // Llama-3.1-8B
              "unscaled 0-28, blended 29-34, interpolated 35-63");
    EXPECT_EQ(bands(spec_of(64, 5e5, llama3(32), 131072)),  // Llama-3.2-1B
              "unscaled 0-14, blended 15-17, interpolated 18-31");
    EXPECT_EQ(bands(gemma_4()), "unscaled 0-63, still 64-255");
}

TEST(Spectrum, BandsAreThoseOfTheRopeTypes) {
    EXPECT_EQ(bands(scaled("linear", 4)), "interpolated 0-63");
    EXPECT_EQ(bands(scaled("linear", 1)), "unscaled 0-63");
    // θ_0 does not change, and θ_last is divided by exactly the factor
    EXPECT_EQ(bands(scaled("ntk", 4)), "unscaled 0-0, interpolated 1-63");
    EXPECT_EQ(bands(scaled("dynamic", 2)), "unscaled 0-63");
    Spec longer = scaled("dynamic", 2);
    longer.seq_len = 8192;
    EXPECT_EQ(bands(longer), "unscaled 0-0, interpolated 1-63");
    Spec yarn = scaled("yarn", 16, 65536);
    yarn.scaling.original_max_position_embeddings = 4096;
    EXPECT_EQ(bands(yarn), "unscaled 0-20, blended 21-45, interpolated 46-63");
}

TEST(Spectrum, EachPairOfLongropeHasADifferentDivisor) {
    Spec spec = spec_of(8, 1e4, {}, 8192);
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 4096,
                    .short_factor = {1, 1, 1.5, 2},
                    .long_factor = {1, 2, 3, 4}};
    const std::vector<BandRun> runs = band_runs(spectrum(spec));
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].first, 2U);
    EXPECT_EQ(runs[1].band, Band::interpolated);
    EXPECT_DOUBLE_EQ(runs[1].least, 1.5);
    EXPECT_DOUBLE_EQ(runs[1].most, 2);
}

TEST(Spectrum, TellsWavelengthsAndTurns) {
    const auto pairs = spectrum(spec_of(128, 5e5, llama3(8), 131072));
    ASSERT_EQ(pairs.size(), 64U);
    EXPECT_EQ(pairs[0].inv_freq, 1);
    EXPECT_DOUBLE_EQ(pairs[0].wavelength, 2 * std::numbers::pi);
    EXPECT_DOUBLE_EQ(pairs[0].turns(2 * std::numbers::pi), 1);
    EXPECT_DOUBLE_EQ(pairs[63].divisor, 8);
    EXPECT_DOUBLE_EQ(pairs[63].unscaled / pairs[63].inv_freq, 8);
    const SpectralPair still = spectrum(gemma_4()).back();
    EXPECT_EQ(still.inv_freq, 0);
    EXPECT_TRUE(std::isinf(still.wavelength));
    EXPECT_EQ(still.turns(131072), 0);
}

TEST(CriticalDimension, IsThePapersFormula) {
    struct Row {
        std::uint32_t rotary_dim;
        double base;
        std::uint64_t length;
        std::uint32_t dimensions;
    };
    // clang-format off
    for (const auto& [rotary_dim, base, length, dimensions] : {
             Row{128, 1e4, 2048, 82},    Row{128, 1e4, 4096, 92},   Row{128, 1e4, 8192, 100},
             Row{128, 1e4, 16384, 110},  Row{128, 1e4, 32768, 120}, Row{128, 5e5, 8192, 70},
             Row{128, 1e6, 32768, 80},   Row{64, 1e4, 2048, 42},    Row{128, 5e6, 131072, 84},
             Row{128, 500, 4096, 128},   Row{128, 1e4, 6, 0},       Row{128, 1, 6, 0},
             Row{128, 1, 7, 128}}) {
        EXPECT_EQ(critical_dimension(rotary_dim, base, length), dimensions) << base << " " << length;
        const Spec spec = spec_of(rotary_dim, base, {}, length);
        EXPECT_EQ(critical_dimension(spec, spectrum(spec)).counted, dimensions) << base << " " << length;
    }
    // clang-format on
}

TEST(CriticalDimension, UsesTheTrainedLength) {
    const Spec llama = spec_of(128, 5e5, llama3(8), 131072);
    const CriticalDimension unscaled = critical_dimension(llama, spectrum(llama));
    EXPECT_EQ(unscaled.trained_length, 8192U);
    EXPECT_EQ(unscaled.counted, 70U);
    ASSERT_EQ(unscaled.never_turn.size(), 29U);
    EXPECT_EQ(unscaled.never_turn.front(), 35U);
    EXPECT_EQ(unscaled.formula, 70U);

    // linear by 4 at 16384 rotates like θ at 4096; the formula is about θ
    const Spec stretched = scaled("linear", 4, 16384);
    const CriticalDimension linear = critical_dimension(stretched, spectrum(stretched));
    EXPECT_EQ(linear.trained_length, 16384U);
    EXPECT_EQ(linear.counted, 92U);
    EXPECT_FALSE(linear.formula);

    // two halves of 64 dimensions, each with 42 by the formula
    Spec halves = spec_of(128, 1e4);
    halves.axes.scheme = AxisScheme::halves;
    const CriticalDimension both = critical_dimension(halves, spectrum(halves));
    EXPECT_EQ(both.counted, 84U);
    EXPECT_EQ(both.formula, 84U);

    // no pair of He & Xu rotates more than a quarter turn
    const Spec quarter = spec_of(128, 1e4, he_xu());
    EXPECT_EQ(critical_dimension(quarter, spectrum(quarter)).counted, 0U);
    // a pair with θ = 0 never makes a turn
    EXPECT_LE(critical_dimension(gemma_4(), spectrum(gemma_4())).counted, 128U);
}

}  // namespace spectrum_test
}  // namespace rope
