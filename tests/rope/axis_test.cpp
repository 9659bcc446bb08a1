// The axis that each pair follows.
#include "rope/spec/axis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "rope/checks/report.hpp"
#include "rope/dumps.hpp"
#include "rope/golden_specs.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

namespace rope::axis_test {

Spec axes_spec(std::uint32_t d, AxisMap axes) {
    return on_axes(spec_of(d, 10000), std::move(axes));
}

std::string digits(const AxisMap& axes, std::uint32_t pairs) {
    std::string text;
    for (const std::uint32_t axis : axis_of_pairs(axes, pairs))
        text += static_cast<char>('0' + axis);
    return text;
}

TEST(Axis, SectionsAreContiguous) {
    EXPECT_EQ(digits({AxisScheme::sectioned, {2, 3, 3}}, 8), "00111222");
}

// Qwen3-VL, D = 64, [24, 20, 20]: THW twenty times and then TTTT
TEST(Axis, InterleavedTakesTurnsAndLeavesTheRestToTime) {
    std::string want;
    for (int k = 0; k < 20; ++k) want += "012";
    EXPECT_EQ(digits({AxisScheme::interleaved, {24, 20, 20}}, 64), want + "0000");
}

// ggml_mrope_cache_init of llama.cpp f12cc6d0f with is_imrope, compiled and run: cos and sin of
// each pair at (t, h, w, e) = (3, 17, 64, 1000)
TEST(Axis, InterleavedOfFourEqualsGgmlsRecording) {
    for (const auto& one : recorded_json("ggml/imrope.json")) {
        const AxisMap axes{AxisScheme::interleaved4, one["sections"]};
        const Spec spec = on_axes(spec_of(one["rotary_dim"], one["base"]), axes);
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        const auto axis = axis_of_pairs(axes, spec.pairs());
        ASSERT_EQ(one["cos_sin"].size(), spec.rotary_dim);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double angle =
                one["positions"][axis[i]].get<double>() * plan.pairs[i].inv_freq.to_double();
            // ggml's recurrence is off by up to 1.1·rotary_dim in units of 2^-24
            const double allowed = angle * 1.1 * spec.rotary_dim * 0x1p-24 + 0x1p-24;
            EXPECT_NEAR(one["cos_sin"][2 * i].get<double>(), std::cos(angle), allowed) << i;
            EXPECT_NEAR(one["cos_sin"][2 * i + 1].get<double>(), std::sin(angle), allowed) << i;
        }
    }
}

TEST(Axis, MapsThatDoNotFitAreRefused) {
    EXPECT_THROW(axis_of_pairs({AxisScheme::sectioned, {16, 24}}, 64), InputError);
    EXPECT_THROW(axis_of_pairs({AxisScheme::interleaved, {32, 32}}, 64), InputError);
    EXPECT_THROW(axis_of_pairs({AxisScheme::sectioned, {}}, 64), InputError);
    EXPECT_THROW(validate(axes_spec(6, {AxisScheme::axial, {}})), InputError);
    EXPECT_THROW(parse_axis_scheme("mrope"), InputError);
    try {
        axis_of_pairs({AxisScheme::height_width_time, {20, 24, 8}}, 52);
        ADD_FAILURE() << "20 and 24 cannot take turns";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "mrope_section has 20 pairs of height and 24 of width; they take turns, so "
                     "they must be as many");
    }
}

// ChatGLM-6B: dimensions (i, i + 32) of the first half, (64 + i, 96 + i) of the second
TEST(Axis, HalvesPairWithinTheirHalf) {
    const Spec spec = axes_spec(128, {AxisScheme::halves, {}});
    EXPECT_EQ(dimensions_of_pair(spec, 5).first, 5);
    EXPECT_EQ(dimensions_of_pair(spec, 5).second, 37);
    EXPECT_EQ(dimensions_of_pair(spec, 32 + 5).first, 69);
    EXPECT_EQ(dimensions_of_pair(spec, 32 + 5).second, 101);
}

std::vector<double> numbers_of(const Spec& spec) {
    const auto rows = emulate(spec, find_pipeline("hf-fp32"), 600);
    std::vector<double> numbers;
    for (const Finding& finding : judge(spec, *rows, {}).findings) {
        numbers.push_back(finding.observed);
        numbers.push_back(finding.allowed);
    }
    return numbers;
}

// He & Xu's fractions of a turn follow inv_freq, which restarts on each axis.
TEST(Axis, FractionsOfATurnAreThoseOfTheFrequencies) {
    for (const AxisScheme scheme : {AxisScheme::single, AxisScheme::axial, AxisScheme::halves,
                                    AxisScheme::even_odd, AxisScheme::alternating}) {
        const Spec spec = on_axes(spec_of(32, 10000, he_xu()), {scheme});
        int fractions = 0;
        for (const PlannedFrequency& pair : plan_frequencies(spec, exact_precision).pairs) {
            if (!pair.turn) continue;
            ++fractions;
            const double turn = static_cast<double>(pair.turn->numerator) /
                                static_cast<double>(pair.turn->denominator);
            EXPECT_DOUBLE_EQ(turn, pair.inv_freq.to_double() / (2 * std::numbers::pi))
                << to_string(scheme);
        }
        EXPECT_GT(fractions, 2) << to_string(scheme);
    }
}

TEST(Axis, EqualPositionsCollapseToOneAxisWhereFrequenciesRunOn) {
    EXPECT_EQ(numbers_of(axes_spec(64, {AxisScheme::sectioned, {8, 12, 12}})),
              numbers_of(spec_of(64, 10000)));
    EXPECT_EQ(numbers_of(axes_spec(64, {AxisScheme::interleaved, {12, 10, 10}})),
              numbers_of(spec_of(64, 10000)));
    EXPECT_NE(numbers_of(axes_spec(64, {AxisScheme::axial, {}})), numbers_of(spec_of(64, 10000)));
}

// One frame of an image of width 8, whose pair i follows the axis `turns_by(i)`.
template <class TurnsBy>
Report report_on_image(const Spec& spec, TurnsBy turns_by) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    std::vector<std::vector<double>> positions(3);
    for (std::uint64_t t = 0; t < 64; ++t)
        for (const auto& [axis, position] :
             {std::pair{0U, std::uint64_t{0}}, {1U, t / 8}, {2U, t % 8}})
            positions[axis].push_back(static_cast<double>(position));
    OwnTable own =
        table_of_angles(counted(64), spec.pairs(), Format::float32, [&](double t, std::uint32_t i) {
            return positions[turns_by(i)][static_cast<std::size_t>(t)] *
                   plan.pairs[i].inv_freq.to_double();
        });
    own.positions = positions[0];
    TableDump dump = own;
    dump.more_positions = {positions[1], positions[2]};
    return judge(spec, *table_rows(spec, std::move(dump)), {});
}

const Finding& found(const Report& report, std::string_view check) {
    return *std::ranges::find(report.findings, check, &Finding::check);
}

// Every row of the image is at 0 on the axis of frames, and only the first row on all axes.
TEST(Axis, ARowAtZeroOnOneAxisIsNotAtZero) {
    const Spec spec = axes_spec(64, {AxisScheme::sectioned, {8, 12, 12}});
    const Report other_map = report_on_image(spec, [](std::uint32_t i) { return i % 3; });
    EXPECT_EQ(found(other_map, "identity-at-zero").verdict, Verdict::holds);
    EXPECT_EQ(found(other_map, "identity-at-zero").samples, 64);
    EXPECT_EQ(found(other_map, "table-accuracy").verdict, Verdict::violated);

    const auto axis = axis_of_pairs(spec.axes, spec.pairs());
    const Report right = report_on_image(spec, [&](std::uint32_t i) { return axis[i]; });
    EXPECT_EQ(summarize(right).violated, 0);
    EXPECT_EQ(found(right, "identity-at-zero").samples, 64);
}

TEST(Axis, PositionsAreDistinctWhereOneAxisTellsThem) {
    const Spec spec = axes_spec(64, {AxisScheme::sectioned, {8, 12, 12}});
    const Report image = report_on_image(spec, [](std::uint32_t) { return 0U; });
    for (const Field& field : found(image, "relative-position").fields)
        EXPECT_NE(field.name, "distinct_positions");  // one for each row
}

// Axis schemes and rope types, compared with recordings of real implementations.

using nlohmann::json;

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
    const json recording = recorded_json("mrope/axis_schemes.json");
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
    OwnTable table{one["positions"][0], one["rotary_dim"].get<std::uint32_t>() / 2, {}, {}};
    for (const auto& [name, values] : {std::pair("cos", &table.cos), {"sin", &table.sin}})
        for (const json& row : one[name]) values->insert(values->end(), row.begin(), row.end());
    TableDump dump = table;
    for (std::size_t axis = 1; axis < one["positions"].size(); ++axis)
        dump.more_positions.push_back(one["positions"][axis].get<std::vector<double>>());
    return dump;
}

// EVA-02 with 24 x 24 patches keeps the positions of the 16 x 16 patches in its training.
TEST(RecordedVariants, CompareFindsEvaAtWholePositionsViolated) {
    const json all = recorded_json("mrope/axis_schemes.json");
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
    for (const json& one : recorded_json("mrope/axis_schemes.json")) {
        SCOPED_TRACE(one["id"].get<std::string>());
        const Spec spec = spec_of_recording(one);
        for (const char* name : {"hf-fp32", "ggml", "exact"}) {
            SCOPED_TRACE(name);
            EXPECT_EQ(summarize(verify(spec, find_pipeline(name), 700)).violated, 0U);
        }
    }
}

TEST(RecordedVariants, TypesHaveTheFrequenciesOfTheirSources) {
    for (const json& one : recorded_json("frequencies/resonance_qwen.json")) {
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

}  // namespace rope::axis_test
