// inv_freq as transformers computes it, recorded bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rope/golden_specs.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace frequency_golden_test {

using nlohmann::json;

// The distance of positive numbers in float32 spacings.
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

TEST(FrequencyGolden, EveryGoldenOfTransformers) {
    const json recordings =
        json::parse(std::ifstream(ROPE_CHECK_TESTS "/golden/hf_rope_init/cases.json"));
    EXPECT_EQ(recordings["cases"].size(), 39);
    for (const json& golden : recordings["cases"]) {
        const std::string id = golden["id"];
        Spec spec = golden_spec(golden["config"],
                                2 * golden["rotary_dim_frequencies"].get<std::uint32_t>());
        ASSERT_EQ(spec.scaling.rope_type, golden["rope_type"].get<std::string>()) << id;
        if (!golden["seq_len"].is_null()) spec.seq_len = golden["seq_len"];
        validate(spec);
        const json& hex = golden["inv_freq_f32_hex"];
        // recorded: torch's distance from the correctly rounded formula in the worst pair
        const int recorded = golden["max_ulp_vs_50digit_formula"];
        EXPECT_EQ(worst_ulps(spec, exact_precision, hex), recorded) << id;
        // The same steps as torch's; only torch's pow is not correctly rounded, so that a later
        // step may round to the other side.
        EXPECT_LE(worst_ulps(spec, float32_precision, hex), recorded + 1) << id;
        EXPECT_NEAR(plan_frequencies(spec, exact_precision).attention_factor,
                    golden["attention_factor"].get<double>(), 1e-12)
            << id;
    }
}

}  // namespace frequency_golden_test
}  // namespace rope
