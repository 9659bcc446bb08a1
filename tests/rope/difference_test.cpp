#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "rope/spec/frequency.hpp"
#include "rope/spec/spectrum.hpp"
#include "rope/specs.hpp"

namespace rope {
namespace difference_test {

using Names = std::vector<std::string>;

constexpr std::array<std::uint64_t, 2> positions{0, 4096};

TEST(Difference, OfASpecFromItselfIsNothing) {
    for (const Spec& spec :
         {spec_of(128, 1e4), spec_of(64, 5e5, llama3(32), 131072), spec_of(128, 1e4, he_xu())}) {
        const Difference same = difference(spec, spec, positions);
        EXPECT_EQ(differing(same), Names{});
        EXPECT_EQ(same.worst().relative, 0);
        EXPECT_EQ(same.angles[1].worst, 0);
        EXPECT_EQ(same.angles[1].pairs_lost, 0U);
    }
}

TEST(Difference, IsOfTheRotationNotOfTheWords) {
    const Spec plain = spec_of(128, 1e4);
    EXPECT_EQ(differing(difference(plain, spec_of(128, 1e4, linear(1)), positions)), Names{});
    // the context, and digits of θ beyond double's, do not change the rotation
    EXPECT_EQ(differing(difference(plain, spec_of(128, 1e4, {}, 4096), positions)), Names{});
    EXPECT_EQ(differing(difference(plain, spec_of(128, 1e4 * (1 + 1e-15), {}), positions)),
              Names{});
}

// transformers divides by llama3's factors in float64; a GGUF keeps them as float32.
TEST(Difference, OfFactorsRoundedToFloat32IsNoneUnlessExact) {
    const Spec a = spec_of(128, 5e5, llama3(8), 131072);
    Spec b = a;
    b.scaling = {
        .rope_type = "longrope", .original_max_position_embeddings = 8192, .attention_factor = 1};
    const FrequencyPlan plain = plan_frequencies(spec_of(128, 5e5), exact_precision);
    const FrequencyPlan scaled = plan_frequencies(a, exact_precision);
    for (std::size_t i = 0; i < 64; ++i)
        b.scaling.short_factor.push_back(
            static_cast<float>((plain.pairs[i].inv_freq / scaled.pairs[i].inv_freq).to_double()));
    b.scaling.long_factor = b.scaling.short_factor;
    const Difference found = difference(a, b, positions);
    EXPECT_GT(found.worst().relative, 1e-9);
    EXPECT_EQ(differing(found), Names{});
    EXPECT_EQ(differing(found, 0), Names{"inv_freq"});
    b.scaling.short_factor[40] *= 1 + 0x1p-21;
    EXPECT_EQ(differing(difference(a, b, positions)), Names{"inv_freq"});
}

// θ_i ∝ base^(−2i/d): a base larger by 1e−4 lowers the last inv_freq by (126/128)·1e−4
TEST(Difference, OfTheBaseIsLargestInTheLastPair) {
    const Difference bases = difference(spec_of(128, 10000), spec_of(128, 10001), positions);
    EXPECT_EQ(differing(bases), Names{"inv_freq"});
    EXPECT_EQ(bases.worst_pair, 63U);
    EXPECT_NEAR(bases.worst().relative, 1 - std::pow(10000.0 / 10001, 126.0 / 128), 1e-15);
    EXPECT_EQ(bases.inv_freq[0].relative, 0);
}

TEST(Difference, TurnsIntoAnglesWithThePosition) {
    const Difference halved = difference(spec_of(4, 1e4), spec_of(4, 1e4, linear(2)), positions);
    ASSERT_EQ(halved.angles.size(), 2U);
    EXPECT_EQ(halved.angles[0].worst, 0);
    EXPECT_EQ(halved.angles[1].position, 4096U);
    EXPECT_EQ(halved.angles[1].worst, 2048);  // pair 0: 4096·(1 − ½)
    EXPECT_EQ(halved.angles[1].pair, 0U);
    EXPECT_EQ(halved.angles[1].pairs_lost, 2U);  // pair 1: 4096·(0.01 − 0.005) = 20.48
    EXPECT_EQ(halved.worst().relative, 0.5);
}

TEST(Difference, NamesEveryFieldThatDiffers) {
    Spec a = spec_of(64, 1e4), b = spec_of(128, 1e4);
    b.rotary_dim = 64;
    b.layout = PairLayout::interleaved;
    EXPECT_EQ(differing(difference(a, b, positions)), (Names{"head_dim", "layout"}));
    b.rotary_dim = 32;
    EXPECT_EQ(differing(difference(a, b, positions)),
              (Names{"head_dim", "rotary_dim", "layout", "inv_freq"}));
    EXPECT_EQ(difference(a, b, positions).inv_freq.size(), 16U);
}

TEST(Difference, SeesWhichAxisTurnsAPair) {
    const Spec a = spec_of(8, 1e4);
    Spec b = a;
    b.axes = {AxisScheme::sectioned, {2, 1, 1}};
    EXPECT_EQ(differing(difference(a, b, positions)), Names{"axes"});
}

TEST(Difference, SeesTheMagnitudesOfYarn) {
    const Spec a = spec_of(64, 1e4, yarn(40), 163840);
    Spec b = a;
    b.scaling.mscale = b.scaling.mscale_all_dim = 1;
    const Difference magnitudes = difference(a, b, positions);
    EXPECT_EQ(differing(magnitudes),
              Names{"attention_factor"});  // scores are scaled, the vectors' rotations stay
    EXPECT_NEAR(magnitudes.attention_factor.a, 1.3688879454, 1e-10);
    EXPECT_EQ(magnitudes.attention_factor.b, 1);
    EXPECT_NEAR(magnitudes.softmax_scale_factor.b, 1.8738542071, 1e-10);
}

}  // namespace difference_test
}  // namespace rope
