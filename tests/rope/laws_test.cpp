// Theorems: right tables pass with any Spec. Tolerances are derived, so a failure here is a wrong
// formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/seeded.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/specs.hpp"
#include "rope/verdicts.hpp"
#include "tests/rope/dumps.hpp"

namespace rope::laws_test {

double log_uniform(Seeded& random, double low, double high) {
    return low * std::exp(random.unit() * std::log(high / low));
}

constexpr const char* types[] = {"default", "linear", "dynamic",  "ntk",         "he_xu",
                                 "llama3",  "yarn",   "longrope", "proportional"};

Scaling random_scaling(Seeded& random, std::string_view type, std::uint64_t pairs) {
    const double factor = log_uniform(random, 0.5, 64);
    if (type == "linear") return linear(factor);
    if (type == "llama3") {
        const double low = log_uniform(random, 0.25, 4);
        const double high = random.below(8) == 0 ? low : low * log_uniform(random, 1.01, 16);
        return llama3(factor, low, high, 256 + random.below(131072));
    }
    Scaling scaling{.rope_type = std::string(type)};
    if (type == "dynamic" || type == "ntk" || type == "yarn")
        scaling.factor = std::max(factor, 1.1);
    if (type == "yarn" || type == "longrope")
        scaling.original_max_position_embeddings = 64 + random.below(40000);
    if (type == "yarn") {
        if (random.below(2) == 0) scaling.truncate = random.below(2) == 0;
        if (random.below(2) == 0) scaling.mscale = scaling.mscale_all_dim = random.within(0.5, 1.5);
        if (random.below(3) == 0) scaling.attention_factor = random.within(0.5, 3);
    }
    for (std::uint64_t i = 0; type == "longrope" && i < pairs; ++i) {
        scaling.short_factor.push_back(random.within(1, 3));
        scaling.long_factor.push_back(random.within(1, 70));
    }
    if (type == "proportional") scaling.partial_rotary_factor = random.within(0.1, 1);
    return scaling;
}

Spec random_spec(Seeded& random) {
    const std::uint64_t pairs =
        random.below(8) == 0 ? 512 : 1 + random.below(random.below(2) == 0 ? 8 : 200);
    const auto d = static_cast<std::uint32_t>(2 * pairs);
    const std::uint64_t n = random.below(2) == 0 ? 3000 : 64 + random.below(200000);
    const char* type = pairs == 1 ? "default" : types[random.below(std::size(types))];
    Spec spec = spec_of(d, log_uniform(random, 2, 1e9), random_scaling(random, type, pairs), n);
    if (spec.scaling.rope_type == "dynamic" || spec.scaling.rope_type == "longrope")
        spec.seq_len = 1 + random.below(200000);
    if (type != std::string_view("proportional") && random.below(2) == 0)
        spec.head_dim += 2 * static_cast<std::uint32_t>(random.below(64));
    if (random.below(2) == 0) spec.layout = PairLayout::interleaved;
    validate(spec);
    return spec;
}

// Mostly a few tiles; sometimes as far as the width allows in a short time.
std::uint64_t random_context(Seeded& random, const Spec& spec) {
    const std::uint64_t most = std::max<std::uint64_t>(64, 400'000 / spec.pairs());
    return 2 + random.below(random.below(4) == 0 ? most : std::min<std::uint64_t>(most, 1000));
}

std::string describe(const Spec& spec, std::uint64_t context) {
    return spec.scaling.rope_type + ", head_dim " + std::to_string(spec.head_dim) +
           ", rotary_dim " + std::to_string(spec.rotary_dim) + ", base " +
           std::to_string(spec.rope_theta) + ", n " + std::to_string(spec.max_position_embeddings) +
           ", context " + std::to_string(context);
}

std::string holds(const Spec& spec) {
    return spec.rotary_dim < spec.head_dim ? ". . . . . . . . ." : ". . . . . . . . -";
}

// Every check passes, except those that float32 cannot resolve in this context.
std::string holds_as_carried(const Spec& spec, const std::string& found) {
    std::string all = holds(spec);
    if (found[0] == '-')
        for (const std::size_t check : {0U, 1U, 6U, 7U}) all[2 * check] = '-';
    return all;
}

std::string marks_of(const Spec& spec, std::string_view pipeline, std::uint64_t context) {
    return marks(spec, *emulate(spec, find_pipeline(pipeline), context));
}

constexpr const char* sound[] = {"hf-fp32", "exact", "ggml", "bf16-table", "fp16-table"};

// ---- right pipelines --------------------------------------------------------------------------

class SoundPipeline : public testing::TestWithParam<const char*> {};

TEST_P(SoundPipeline, SatisfiesEveryLawAndConformanceForAnySpec) {
    Seeded random(1);
    for (int round = 0; round < 150; ++round) {
        const Spec spec = random_spec(random);
        const std::uint64_t context = random_context(random, spec);
        const std::string found = marks_of(spec, GetParam(), context);
        EXPECT_EQ(found, holds_as_carried(spec, found)) << describe(spec, context);
    }
}

TEST_P(SoundPipeline, SatisfiesThemAtEverySizeOfTile) {
    const Spec spec = spec_of(64, 10000);
    for (const std::uint64_t context :
         {2U, 3U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 129U, 257U})
        EXPECT_EQ(marks_of(spec, GetParam(), context), holds(spec)) << context;
}

TEST_P(SoundPipeline, SatisfiesThemFarOut) {
    for (const Scaling& scaling : {Scaling{}, linear(8), he_xu(), llama3(8)}) {
        const Spec spec = spec_of(4, 500000, scaling, 3000);
        EXPECT_EQ(marks_of(spec, GetParam(), 300'000), holds(spec)) << scaling.rope_type;
    }
}

INSTANTIATE_TEST_SUITE_P(Laws, SoundPipeline, testing::ValuesIn(sound));

// ---- K ----------------------------------------------------------------------------------------

template <class Value>
Value table_field(const Report& report, std::string_view name) {
    const Finding& finding = report.findings.front();
    for (const Field& field : finding.fields)
        if (field.name == name) return std::get<Value>(field.value);
    ADD_FAILURE() << finding.check << " has no " << name;
    return {};
}

TEST(Exact, HasNoAngleErrorAtAll) {
    Seeded random(2);
    for (int round = 0; round < 50; ++round) {
        const Spec spec = random_spec(random);
        const std::uint64_t context = random_context(random, spec);
        const Report report = judge_subject(spec, *emulate(spec, find_pipeline("exact"), context));
        EXPECT_EQ(table_field<double>(report, "K"), 0) << describe(spec, context);
        EXPECT_EQ(table_field<std::string>(report, "class"), "exact");
    }
}

TEST(Bf16Positions, HoldToTheLastIntegerOfEightBits) {
    for (const Scaling& scaling : {Scaling{}, linear(4), he_xu(), llama3(8)}) {
        const Spec spec = spec_of(32, 10000, scaling);
        EXPECT_EQ(marks_of(spec, "bf16-positions", 257), holds(spec)) << scaling.rope_type;
        EXPECT_EQ(marks_of(spec, "bf16-positions", 258).front(), 'X') << scaling.rope_type;
        EXPECT_EQ(marks_of(spec, "bf16-positions", 600).substr(12), "X X -") << scaling.rope_type;
    }
}

// ---- dumps ------------------------------------------------------------------------------------

// The same rows in another order.
OwnTable permuted(const OwnTable& dump, Seeded& random) {
    std::vector<std::size_t> order(dump.positions.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        order[k] = k;
        std::swap(order[k], order[random.below(k + 1)]);
    }
    OwnTable other = dump;
    for (std::size_t row = 0; row < order.size(); ++row) {
        other.positions[row] = dump.positions[order[row]];
        for (std::size_t i = 0; i < dump.pairs; ++i) {
            other.cos[row * dump.pairs + i] = dump.cos[order[row] * dump.pairs + i];
            other.sin[row * dump.pairs + i] = dump.sin[order[row] * dump.pairs + i];
        }
    }
    return other;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_equal(const Finding& a, const Finding& b) {
    SCOPED_TRACE(a.check);
    EXPECT_EQ(a.verdict, b.verdict);
    EXPECT_TRUE(is_same(a.observed, b.observed)) << a.observed << " " << b.observed;
    EXPECT_TRUE(is_same(a.allowed, b.allowed));
    EXPECT_EQ(a.samples, b.samples);
    EXPECT_EQ(a.fields, b.fields);
    EXPECT_EQ(a.note, b.note);
    ASSERT_EQ(a.worst.has_value(), b.worst.has_value());
    if (a.worst) {
        EXPECT_EQ(a.worst->positions, b.worst->positions);
        EXPECT_EQ(a.worst->pair, b.worst->pair);
        EXPECT_TRUE(is_same(a.worst->got, b.worst->got));
        EXPECT_TRUE(is_same(a.worst->want, b.worst->want));
    }
    ASSERT_EQ(a.violations.has_value(), b.violations.has_value());
    if (a.violations) {
        EXPECT_EQ(a.violations->count, b.violations->count);
        EXPECT_EQ(a.violations->first_position, b.violations->first_position);
        EXPECT_EQ(a.violations->first_pair, b.violations->first_pair);
    }
}

void expect_equal(const Report& a, const Report& b) {
    ASSERT_EQ(a.findings.size(), b.findings.size());
    for (std::size_t k = 0; k < a.findings.size(); ++k) expect_equal(a.findings[k], b.findings[k]);
}

class EveryPipeline : public testing::TestWithParam<Pipeline> {};

TEST_P(EveryPipeline, GetsTheSameVerdictsAsADumpOfItsRows) {
    for (const Scaling& scaling : {Scaling{}, linear(4), he_xu(), llama3(8)}) {
        const Spec spec = spec_of(64, 10000, scaling);
        EXPECT_EQ(
            marks(spec, *table_rows(spec, table_of_pipeline(spec, GetParam(), counted(4200)))),
            marks_of(spec, GetParam().name, 4200))
            << scaling.rope_type;
    }
}

TEST_P(EveryPipeline, IsReportedAlikeInAnyOrderOfRows) {
    const Spec spec = spec_of(64, 10000);
    Seeded random(1);
    std::vector<std::uint64_t> positions = random.positions(500, 3000);  // some of them twice
    positions.push_back(0);
    OwnTable dump = table_of_pipeline(spec, GetParam(), positions);
    for (double& value : dump.cos) value += random.within(-1e-6, 1e-6);  // with different errors
    const Report report = judge_subject(spec, *table_rows(spec, dump));
    for (int round = 0; round < 5; ++round)
        expect_equal(judge_subject(spec, *table_rows(spec, permuted(dump, random))), report);
}

INSTANTIATE_TEST_SUITE_P(Dump, EveryPipeline,
                         testing::ValuesIn(pipelines().begin(), pipelines().end()),
                         [](const auto& row) {
                             std::string name(row.param.name);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(Dump, MayHoldAPositionTwice) {
    const Spec spec = spec_of(64, 10000);
    const OwnTable dump = table_of_pipeline(spec, find_pipeline("hf-fp32"),
                                            {0, 0, 1, 2, 2, 2, 3, 100, 100, 4095, 4097, 4097});
    EXPECT_EQ(marks(spec, *table_rows(spec, dump)), holds(spec));
}

TEST(Dump, OfOnePositionTwiceMustAgreeWithItself) {
    const Spec spec = spec_of(2, 10000);
    const OwnTable dump{{0, 1, 1, 2},
                        1,
                        {1, std::cos(1), std::cos(1.1), std::cos(2)},
                        {0, std::sin(1), std::sin(1.1), std::sin(2)},
                        Format::float32,
                        "a test"};
    EXPECT_EQ(marks(spec, *table_rows(spec, dump)).substr(14, 1), "X");
}

// A line through the first rows does not determine the turns to the last.
TEST(Dump, OfDistantRowsInSixteenBitsPasses) {
    const Spec spec = spec_of(64, 10000);
    for (const char* name : {"bf16-table", "fp16-table"}) {
        const OwnTable dump =
            table_of_pipeline(spec, find_pipeline(name), {0, 57, 100'000, 1'000'000});
        EXPECT_EQ(marks(spec, *table_rows(spec, dump)), holds(spec)) << name;
    }
}

// Rounding accumulates from pair to pair: K reaches the number of dimensions.
TEST(Dump, OfAWideIterativeTablePasses) {
    const Spec spec = spec_of(2048, 10000);
    const OwnTable dump =
        table_of_pipeline(spec, find_pipeline("ggml"), {0, 1, 2, 100, 5000, 10'000});
    const Report report = judge_subject(spec, *table_rows(spec, dump));
    EXPECT_EQ(marks(report), holds(spec));
    EXPECT_GT(table_field<double>(report, "K"), 256);
    EXPECT_EQ(table_field<std::string>(report, "class"), "iterative");
}

// If rounding may move a pair by a tenth, a tolerance excludes nothing; the laws of each
// position pass, and a value beyond the tolerance is still violated.
TEST(Dump, BeyondFloat32sResolutionDoesNotPass) {
    const Spec spec = spec_of(128, 10000);
    for (const double last : {1e5, 1e6}) {
        OwnTable dump = table_of_pipeline(spec, find_pipeline("ggml"), {0, 1, 2, 3, 5, last});
        const Report report = judge_subject(spec, *table_rows(spec, dump));
        if (last == 1e5) {
            EXPECT_EQ(marks(report), holds(spec));
            continue;
        }
        EXPECT_EQ(marks(report), "- - . . . . - - -");
        EXPECT_LT(table_field<std::uint64_t>(report, "carried_to"), last);
        EXPECT_NE(report.findings[0].note.find("the tolerance of a float32 angle exceeds"),
                  std::string::npos);
        dump.cos.back() += 0.5;
        EXPECT_EQ(marks(spec, *table_rows(spec, dump)).front(), 'X');
    }
    const OwnTable exact =
        table_of_pipeline(spec, find_pipeline("exact"), {0, 1, 2, 3, 5, 1'000'000});
    EXPECT_EQ(marks(spec, *table_rows(spec, exact)), holds(spec));
}

TEST(Dump, OfAFewPositionsOfARightTablePasses) {
    Seeded random(3);
    for (int round = 0; round < 300; ++round) {
        const Spec spec = random_spec(random);
        std::vector<std::uint64_t> positions =
            random.positions(1 + random.below(50), std::uint64_t{1} << (1 + random.below(20)));
        positions.push_back(0);
        positions.push_back(1 + random.below(100));
        Spec table = spec;
        table.head_dim = table.rotary_dim;
        const Pipeline& pipeline = find_pipeline(sound[random.below(std::size(sound))]);
        const std::string found =
            marks(table, *table_rows(table, table_of_pipeline(table, pipeline, positions)));
        EXPECT_EQ(found, holds_as_carried(table, found))
            << pipeline.name << " " << describe(table, std::ranges::max(positions) + 1);
    }
}

// ---- rotated vectors --------------------------------------------------------------------------

// y1 = x1·c − x2·s and y2 = x2·c + x1·s with every step rounded, for two heads at each position.
OwnVectors rotate_rows(const Spec& spec, const OwnTable& table, Format format, Seeded& random) {
    const auto fl = [format](double x) { return round_to(format, x); };
    OwnVectors dump;
    dump.format = format;
    for (std::size_t k = 0; k < 2 * table.positions.size(); ++k) {
        const std::size_t row = k / 2 * table.pairs;
        dump.positions.push_back(table.positions[k / 2]);
        Vector x = random.vector(spec.head_dim);
        std::ranges::transform(x, x.begin(), fl);
        Vector y = x;
        for (std::size_t i = 0; i < table.pairs; ++i) {
            const auto [first, second] = dimensions_of_pair(spec.layout, spec.rotary_dim, i);
            const double c = fl(table.cos[row + i]), s = fl(table.sin[row + i]);
            y[first] = fl(fl(x[first] * c) - fl(x[second] * s));
            y[second] = fl(fl(x[second] * c) + fl(x[first] * s));
        }
        dump.before.insert(dump.before.end(), x.begin(), x.end());
        dump.after.insert(dump.after.end(), y.begin(), y.end());
    }
    return dump;
}

TEST(Vectors, RotatedInAnyFormatHold) {
    Seeded random(4);
    for (int round = 0; round < 100; ++round) {
        const Spec spec = random_spec(random);
        std::vector<std::uint64_t> positions = random.positions(1 + random.below(50), 8192);
        positions.insert(positions.end(), {0, 1});
        const OwnTable table = table_of_pipeline(spec, find_pipeline("hf-fp32"), positions);
        for (const Format format : {Format::float32, Format::bfloat16, Format::float16})
            EXPECT_EQ(marks(spec, *rotated_rows(spec, rotate_rows(spec, table, format, random))),
                      holds(spec))
                << to_string(format) << " " << describe(spec, 8192);
    }
}

// ---- position 0 -------------------------------------------------------------------------------

TEST(PositionZero, ProvesOnlyTheIdentity) {
    const Spec spec = spec_of(64, 10000);
    EXPECT_EQ(marks_of(spec, "hf-fp32", 1), "- - . - - - - - -");
    EXPECT_EQ(
        marks(spec, *table_rows(spec, table_of_pipeline(spec, find_pipeline("exact"), {0, 0}))),
        "- - . - - - - - -");
}

TEST(PositionZero, CanBeWrong) {
    const Spec spec = spec_of(2, 10000);
    const OwnTable dump{{0}, 1, {0.5}, {0}, Format::float32, "a test"};
    const std::string found = marks(spec, *table_rows(spec, dump));
    EXPECT_EQ(found.front(), 'X');
    EXPECT_EQ(found[4], 'X');
}

TEST(PositionZero, IsNotNeeded) {
    const Spec spec = spec_of(64, 10000);
    const OwnTable dump = table_of_pipeline(spec, find_pipeline("hf-fp32"), {5, 6, 7, 4097});
    EXPECT_EQ(marks(spec, *table_rows(spec, dump)), ". . - . . . - . -");
}

}  // namespace rope::laws_test
