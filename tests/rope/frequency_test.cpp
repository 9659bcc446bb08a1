#include "rope/frequency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "rope/seeded.hpp"
#include "rope/specs.hpp"

namespace rope {
namespace {

using nlohmann::json;

std::vector<BigReal> exact(const Spec& spec) {
    validate(spec);
    std::vector<BigReal> theta;
    for (const auto& pair : plan_frequencies(spec, exact_precision).pairs)
        theta.push_back(pair.inv_freq);
    return theta;
}

// |a/b − 1|
double relative(const BigReal& a, const BigReal& b) { return std::abs((a / b - 1.0).to_double()); }

// A golden of transformers.
Spec golden_spec(const json& golden) {
    const json& config = golden["config"];
    Spec spec = spec_of(2 * golden["rotary_dim_frequencies"].get<std::uint32_t>(),
                        config["rope_theta"], {}, config["max_position_embeddings"]);
    spec.head_dim = config["head_dim"];
    spec.scaling.rope_type = golden["rope_type"].get<std::string>();
    if (!config.contains("rope_scaling")) return spec;
    const json& scaling = config["rope_scaling"];
    const auto read = [&](const char* key, auto& field) {
        if (scaling.contains(key)) field.emplace(scaling[key]);
    };
    read("factor", spec.scaling.factor);
    read("low_freq_factor", spec.scaling.low_freq_factor);
    read("high_freq_factor", spec.scaling.high_freq_factor);
    read("original_max_position_embeddings", spec.scaling.original_max_position_embeddings);
    return spec;
}

// Spacings of float32 between positive numbers.
int ulps(const BigReal& x, const std::string& recorded_hex) {
    std::uint32_t recorded = 0;
    std::from_chars(recorded_hex.data(), recorded_hex.data() + recorded_hex.size(), recorded, 16);
    const auto bits = std::bit_cast<std::uint32_t>(mpfr_get_flt(x.raw(), MPFR_RNDN));
    return std::abs(static_cast<int>(bits) - static_cast<int>(recorded));
}

int worst_ulps(const Spec& spec, Precision precision, const json& hex) {
    const FrequencyPlan plan = plan_frequencies(spec, precision);
    EXPECT_EQ(plan.pairs.size(), hex.size());
    int worst = 0;
    for (std::size_t i = 0; i < hex.size(); ++i)
        worst = std::max(worst, ulps(plan.pairs[i].inv_freq, hex[i]));
    return worst;
}

TEST(Frequency, EveryGoldenOfTransformersOfAKnownType) {
    const json recordings =
        json::parse(std::ifstream(ROPE_CHECK_TESTS "/golden/hf_rope_init/cases.json"));
    int used = 0;
    std::map<std::string, int> not_yet_known;
    for (const json& golden : recordings["cases"]) {
        const std::string id = golden["id"], type = golden["rope_type"];
        if (std::ranges::none_of(variants(), [&](const Variant& v) { return v.name == type; })) {
            ++not_yet_known[type];
            continue;
        }
        ++used;
        const Spec spec = golden_spec(golden);
        validate(spec);
        const json& hex = golden["inv_freq_f32_hex"];
        // recorded: how far torch is from the correctly rounded formula, its own worst pair
        const int recorded = golden["max_ulp_vs_50digit_formula"];
        EXPECT_EQ(worst_ulps(spec, exact_precision, hex), recorded) << id;
        // Same steps as torch's; only its pow is not correctly rounded, and a step later on may
        // then round to the other side.
        EXPECT_LE(worst_ulps(spec, float32_precision, hex), recorded + 1) << id;
        EXPECT_NEAR(plan_frequencies(spec, exact_precision).attention_factor,
                    golden["attention_factor"].get<double>(), 1e-12)
            << id;
    }
    EXPECT_EQ(used, 17);
    EXPECT_EQ(not_yet_known,
              (std::map<std::string, int>{
                  {"dynamic", 7}, {"yarn", 7}, {"longrope", 6}, {"proportional", 2}}));
}

TEST(Frequency, BaseFrequenciesAreOneGeometricProgression) {
    Seeded random(1);
    for (const std::uint32_t d : {2U, 4U, 6U, 64U, 80U, 96U, 128U, 256U}) {
        const double base = std::exp(random.within(0.1, 16));
        const auto theta = exact(spec_of(d, base));
        ASSERT_EQ(theta.size(), d / 2);
        EXPECT_EQ(theta[0].to_double(), 1) << d;
        const BigReal inverse_base = 1.0 / BigReal(base, exact_precision);
        for (std::size_t i = 1; i < theta.size(); ++i) {
            EXPECT_LT(theta[i], theta[i - 1]) << d << ' ' << i;
            EXPECT_LT(relative(theta[i] * theta[d / 2 - i], inverse_base), 0x1p-310) << d;
            for (std::size_t j = 1; i + j < theta.size(); ++j)
                ASSERT_LT(relative(theta[i] * theta[j], theta[i + j]), 0x1p-310) << d;
        }
    }
}

TEST(Frequency, BaseOneTurnsEveryPairAlike) {
    for (const BigReal& theta : exact(spec_of(64, 1))) EXPECT_EQ(theta.to_double(), 1);
}

TEST(Frequency, LinearIsDefaultOverFactor) {
    for (const double factor : {1.0, 2.0, 2.5, 8.0, 0.75})
        for (const Precision precision : {exact_precision, float32_precision}) {
            const auto plain = plan_frequencies(spec_of(128, 1e4), precision).pairs;
            const auto scaled =
                plan_frequencies(spec_of(128, 1e4, linear(factor)), precision).pairs;
            for (std::size_t i = 0; i < plain.size(); ++i) {
                const BigReal quotient =
                    plain[i].inv_freq / BigReal(factor, plain[i].inv_freq.precision());
                EXPECT_EQ(mpfr_cmp(scaled[i].inv_freq.raw(), quotient.raw()), 0) << factor;
            }
        }
}

struct Bands {
    std::size_t unchanged = 0, blended = 0, divided = 0;
    bool operator==(const Bands&) const = default;
};

// Counts the bands and holds them to their order and bounds.
Bands bands(const std::vector<BigReal>& theta, const std::vector<BigReal>& scaled, double factor) {
    Bands count;
    for (std::size_t i = 0; i < theta.size(); ++i) {
        const BigReal divided = theta[i] / factor;
        if (scaled[i] == theta[i]) {
            EXPECT_EQ(count.blended + count.divided, 0U) << i;
            ++count.unchanged;
        } else if (scaled[i] == divided) {
            ++count.divided;
        } else {
            EXPECT_EQ(count.divided, 0U) << i;
            EXPECT_TRUE(divided < scaled[i] && scaled[i] < theta[i]) << i;
            ++count.blended;
        }
    }
    return count;
}

TEST(Frequency, Llama3KeepsBlendsAndDivides) {
    const auto large = exact(spec_of(128, 5e5, llama3(8)));  // Llama-3.1-8B
    EXPECT_EQ(bands(exact(spec_of(128, 5e5)), large, 8), (Bands{29, 6, 29}));
    EXPECT_NEAR(large[63].to_double(), 3.06892599e-7, 0.5e-15);
    const auto small = exact(spec_of(64, 5e5, llama3(32)));  // Llama-3.2-1B
    EXPECT_EQ(bands(exact(spec_of(64, 5e5)), small, 32), (Bands{15, 3, 14}));
    EXPECT_NEAR(small[31].to_double(), 9.41830673e-8, 0.5e-16);
}

TEST(Frequency, Llama3WithoutARampBlendsNothing) {
    const auto scaled = exact(spec_of(128, 5e5, llama3(8, 4, 4)));
    EXPECT_EQ(bands(exact(spec_of(128, 5e5)), scaled, 8), (Bands{29, 0, 35}));
}

TEST(Frequency, Llama3IsContinuousAcrossItsRamp) {
    // bounds put right beside pair i's own wavelength: it changes by no more than they move
    const std::uint32_t i = 30;
    const auto theta = exact(spec_of(128, 5e5));
    const double turns = 8192 / (2 * std::numbers::pi / theta[i].to_double());
    for (const double nudge : {1 - 1e-9, 1 + 1e-9}) {
        const auto at_high = exact(spec_of(128, 5e5, llama3(8, 1, turns * nudge)));
        EXPECT_LT(relative(at_high[i], theta[i]), 1e-8);
        const auto at_low = exact(spec_of(128, 5e5, llama3(8, turns * nudge, 40)));
        EXPECT_LT(relative(at_low[i], theta[i] / 8.0), 1e-7);
    }
}

TEST(Frequency, HeXuSpreadsAQuarterTurnOverTheContext) {
    const auto theta = exact(spec_of(128, 1e4, he_xu()));
    EXPECT_DOUBLE_EQ(theta[0].to_double(), 7.66990393942820614859e-4);
    EXPECT_DOUBLE_EQ(theta[63].to_double(), 8.85706689355039773e-8);
    EXPECT_DOUBLE_EQ(exact(spec_of(128, 1e4, he_xu(), 4096))[0].to_double(),
                     3.83495196971410307e-4);
    for (const std::uint64_t n : {1ULL, 7ULL, 3000ULL, 1ULL << 32}) {
        const auto scaled = exact(spec_of(128, 1e4, he_xu(), n)), base = exact(spec_of(128, 1e4));
        for (std::size_t i = 0; i < base.size(); ++i)
            EXPECT_LT(relative(scaled[i] * static_cast<double>(2 * n),
                               BigReal::pi(exact_precision) * base[i]),
                      0x1p-310);
    }
}

}  // namespace
}  // namespace rope
