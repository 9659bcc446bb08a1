// Axis schemes and rope types, compared with recordings of real implementations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "rope/dumps.hpp"
#include "rope/report/report.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {
namespace recorded_variants_test {

using nlohmann::json;

json golden(const char* path) {
    return json::parse(std::ifstream(std::string(ROPE_CHECK_TESTS "/golden/") + path));
}

Spec spec_of_recording(const json& one) {
    Spec spec = spec_of(one["rotary_dim"], one["base"]);
    spec.layout = parse_pair_layout(one["layout"].get<std::string>());
    spec.axes = {parse_axis_scheme(one["scheme"].get<std::string>()), one["sections"]};
    if (one.contains("inv_freq"))
        spec.scaling = {.rope_type = "given", .given_inv_freq = one["inv_freq"]};
    if (one.contains("alpha")) spec.scaling = {.rope_type = "ntk", .factor = one["alpha"]};
    validate(spec);
    return spec;
}

// A float32 power and a float32 product: 16 units of 2^-24 of the angle.
double allowed(double angle) { return std::abs(angle) * 0x1p-20 + 0x1p-23; }

TEST(RecordedVariants, AxisSchemesTurnEachPairAsItsModelDoes) {
    const json recording = golden("mrope/axis_schemes.json");
    EXPECT_EQ(recording.size(), 12U);
    for (const json& one : recording) {
        SCOPED_TRACE(one["id"].get<std::string>());
        const Spec spec = spec_of_recording(one);
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        const auto axis = axis_of_pairs(spec.axes, spec.pairs());
        ASSERT_EQ(one["positions"].size(), axis_count(spec.axes));
        for (std::size_t row = 0; row < one["cos"].size(); ++row)
            for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
                const double angle = one["positions"][axis[i]][row].get<double>() *
                                     plan.pairs[i].inv_freq.to_double();
                EXPECT_NEAR(one["cos"][row][i].get<double>(), std::cos(angle), allowed(angle))
                    << row << ' ' << i;
                EXPECT_NEAR(one["sin"][row][i].get<double>(), std::sin(angle), allowed(angle))
                    << row << ' ' << i;
            }
    }
}

TableDump dump_of_recording(const json& one) {
    OwnTable table;
    table.positions = one["positions"][0].get<std::vector<double>>();
    table.pairs = one["rotary_dim"].get<std::uint32_t>() / 2;
    for (const json& row : one["cos"])
        for (const double value : row) table.cos.push_back(value);
    for (const json& row : one["sin"])
        for (const double value : row) table.sin.push_back(value);
    TableDump dump = table;
    for (std::size_t axis = 1; axis < one["positions"].size(); ++axis)
        dump.more_positions.push_back(one["positions"][axis].get<std::vector<double>>());
    return dump;
}

TEST(RecordedVariants, ComparePassesForEachModelsRecording) {
    for (const json& one : golden("mrope/axis_schemes.json")) {
        SCOPED_TRACE(one["id"].get<std::string>());
        EXPECT_EQ(
            summarize(compare(spec_of_recording(one), dump_of_recording(one), {}, {})).violated,
            0U);
    }
}

// EVA-02 with 24 x 24 patches keeps the positions of the 16 x 16 patches in its training.
TEST(RecordedVariants, CompareFindsEvaAtWholePositionsViolated) {
    const json all = golden("mrope/axis_schemes.json");
    const auto eva =
        std::ranges::find_if(all, [](const json& one) { return one["id"] == "eva02"; });
    ASSERT_NE(eva, all.end());
    json whole = *eva;
    for (json& axis : whole["positions"])
        for (json& position : axis) position = std::round(position.get<double>() * 1.5);
    const Report report = compare(spec_of_recording(whole), dump_of_recording(whole), {}, {});
    EXPECT_GT(summarize(report).violated, 0U);
}

// Every pipeline emulates every scheme within its tolerance.
TEST(RecordedVariants, AxisSchemesPassWithEveryRightPipeline) {
    for (const json& one : golden("mrope/axis_schemes.json")) {
        SCOPED_TRACE(one["id"].get<std::string>());
        const Spec spec = spec_of_recording(one);
        for (const char* name : {"hf-fp32", "ggml", "exact"}) {
            SCOPED_TRACE(name);
            EXPECT_EQ(summarize(verify(spec, find_pipeline(name), 700)).violated, 0U);
        }
    }
}

TEST(RecordedVariants, TypesHaveTheFrequenciesOfTheirSources) {
    for (const json& one : golden("frequencies/resonance_qwen.json")) {
        SCOPED_TRACE(one["id"].get<std::string>() + one.value("alpha", json()).dump());
        Spec spec = spec_of(one["rotary_dim"], one["base"]);
        spec.scaling.rope_type = one["rope_type"];
        spec.max_position_embeddings = one.value("length", 2048U);
        if (one.contains("seq_len")) spec.seq_len = one["seq_len"];
        validate(spec);
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double want = one["inv_freq"][i];
            EXPECT_NEAR(plan.pairs[i].inv_freq.to_double(), want, want * 0x1p-19) << i;
            if (one.contains("wavelengths")) {
                EXPECT_EQ(plan.pairs[i].turn->denominator, one["wavelengths"][i]) << i;
            }
        }
    }
}

// A whole wavelength returns exactly to its start, which θ rounded to any precision does not.
TEST(RecordedVariants, ResonanceComesBackAfterEveryWavelength) {
    Spec spec = spec_of(128, 10000);
    spec.scaling.rope_type = "resonance";
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    for (const PlannedFrequency& pair : plan.pairs) {
        const TurnRate rate = turn_rate(pair);
        EXPECT_EQ(phase_at(rate, 7 * rate.denominator), Phase{0});
        EXPECT_NE(phase_at(rate, rate.denominator - 1), Phase{0});
    }
    // mathematics.md: pair 2's wavelength, 8.3788, becomes 8: 4.7345 %
    EXPECT_EQ(turn_rate(plan.pairs[2]).denominator, 8U);
}

TEST(RecordedVariants, GivenFrequenciesAreTakenAsTheyAre) {
    Spec spec = spec_of(8, 10000);
    spec.scaling = {.rope_type = "given", .given_inv_freq = {0, 0.3, 7, 1e-9}};
    validate(spec);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(plan.pairs[i].inv_freq.to_double(), spec.scaling.given_inv_freq[i]);
    EXPECT_EQ(summarize(verify(spec, find_pipeline("hf-fp32"), 4096)).violated, 0U);
    spec.scaling.given_inv_freq.pop_back();
    EXPECT_THROW(validate(spec), InputError);
    spec.scaling.given_inv_freq = {0, 0.3, 7, -1};
    EXPECT_THROW(validate(spec), InputError);
}

}  // namespace recorded_variants_test
}  // namespace rope
