// Injected faults of real implementations, and the names that the diagnosis must give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>

#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/rows/pipeline.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::diagnose_test {

using enum Format;
using Maker = std::function<Dump(const Spec& asked)>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// 0 … 40 and around the powers of 2, to position 2049
std::vector<double> positions_to_2049() {
    std::vector<double> m;
    for (int k = 0; k <= 40; ++k) m.push_back(k);
    m.insert(m.end(), {63, 65, 127, 129, 255, 257, 500, 511, 513, 777, 1000, 1023, 1025});
    m.insert(m.end(), {1200, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2047, 2049});
    return m;
}

Scaling without_truncation(Scaling scaling) {
    scaling.truncate = false;
    return scaling;
}
Scaling with_beta_slow(Scaling scaling, double slow) {
    scaling.beta_slow = slow;
    return scaling;
}
Scaling with_attention_factor(Scaling scaling, double factor) {
    scaling.attention_factor = factor;
    return scaling;
}

// A factor of 4.
Spec grown(double factor) {
    Spec spec = spec_of(64, 10000, dynamic(factor));
    spec.seq_len = 8192;
    return spec;
}
// high_freq_factor changes only pair 2.
Spec short_llama3(double high) { return spec_of(16, 5000000, llama3(8, 1, high, 512)); }
// The long list grows with the pair.
Spec longrope(std::uint64_t original) {
    Scaling scaling{.rope_type = "longrope"};
    for (int i = 0; i < 32; ++i) {
        scaling.short_factor.push_back(1 + i / 64.0);
        scaling.long_factor.push_back(1 + i * i / 16.0);
    }
    scaling.original_max_position_embeddings = original;
    scaling.attention_factor = 1;
    return spec_of(64, 10000, scaling, 131072);
}

// ---- data ---------------------------------------------------------------------------------------

struct Place {
    double m;      // position
    double theta;  // inv_freq of the Spec
};
using Angle = std::function<double(const Place& at)>;

double right(const Place& at) { return at.m * at.theta; }

OwnTable table_of(const Spec& spec, const Angle& angle, Format format = float32) {
    return table_of_spec(spec, positions_to_2049(), format,
                         [&](double m, double theta) { return angle({m, theta}); });
}

Maker angles(const Angle& angle, Format format = float32) {
    return [=](const Spec& asked) -> Dump { return TableDump(table_of(asked, angle, format)); };
}
Maker positions(const std::function<double(double)>& changed) {
    return angles([=](const Place& at) { return changed(at.m) * at.theta; });
}
// The right table of another Spec.
Maker made_for(const Spec& other, const Angle& angle = right) {
    return [=](const Spec&) -> Dump { return TableDump(table_of(other, angle)); };
}
Maker entries(const std::function<void(double m, double& cos, double& sin)>& change,
              const Spec& other) {
    return [=](const Spec&) -> Dump {
        OwnTable table = table_of(other, right);
        for (std::size_t k = 0; k < table.cos.size(); ++k)
            change(table.positions[k / table.pairs], table.cos[k], table.sin[k]);
        return TableDump(table);
    };
}

// Rows before `from` follow one Spec, the rest another.
Dump joined(const Spec& before, const Spec& after, double from) {
    OwnTable table = table_of(before, right);
    const OwnTable other = table_of(after, right);
    for (std::size_t k = 0; k < table.cos.size(); ++k)
        if (table.positions[k / table.pairs] >= from) {
            table.cos[k] = other.cos[k];
            table.sin[k] = other.sin[k];
        }
    return TableDump(table);
}
Maker regrown(double from, std::uint64_t length) {
    return [=](const Spec& asked) {
        Spec grown = asked;
        grown.seq_len = length;
        return joined(asked, grown, from);
    };
}
Maker by_position(double from) {
    return [=](const Spec& asked) {
        Spec grown = asked;
        grown.seq_len = asked.max_position_embeddings;
        return joined(asked, grown, from);
    };
}

Maker of_bases(double before, double after, double from) {
    return [=](const Spec&) { return joined(spec_of(64, before), spec_of(64, after), from); };
}

OwnVectors vectors_of(const Spec& spec, const Angle& angle, Format format = float32) {
    return rope::vectors_of(table_of(spec, angle, format), format, spec, Seeded(1));
}
Maker vectors_for(const Spec& other, const Angle& angle = right, Format format = float32) {
    return [=](const Spec&) -> Dump { return RotatedDump(vectors_of(other, angle, format)); };
}

// The table of a pipeline for a Spec, at the same positions.
TableDump emulated(const Spec& spec, const Pipeline& pipeline) {
    return table_of_pipeline(spec, pipeline, positions_to_2049());
}
Maker pipeline(std::string_view name) {
    return [=](const Spec& asked) -> Dump { return emulated(asked, find_pipeline(name)); };
}

// ---- report ------------------------------------------------------------------------------------

std::vector<std::string> ids(const Diagnosis& diagnosis) {
    std::vector<std::string> all;
    for (const Explanation& one : diagnosis.explanations) all.push_back(one.mistake);
    return all;
}

double parameter(const Diagnosis& diagnosis, std::string_view mistake, std::string_view key) {
    for (const Explanation& one : diagnosis.explanations)
        for (const auto& [name, value] : one.parameters)
            if (one.mistake == mistake && name == key) {
                if (const auto* x = std::get_if<double>(&value)) return *x;
                if (const auto* n = std::get_if<std::uint64_t>(&value))
                    return static_cast<double>(*n);
            }
    return nan;
}

void expect_sound_numbers(const Diagnosis& diagnosis) {
    for (const Explanation& one : diagnosis.explanations) {
        EXPECT_FALSE(one.what.empty()) << one.mistake;
        EXPECT_FALSE(one.advice.empty()) << one.mistake;
        EXPECT_GT(one.before, 1) << one.mistake;
        EXPECT_LE(one.after, 1) << one.mistake;
    }
}

// ---- one mistake --------------------------------------------------------------------------------

struct Case {
    const char* name;
    Spec asked;
    Maker make;
    const char* mistake;
    const char* key = "";
    double value = 0;
    double tolerance = 0;  // relative
};
void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }

const Spec plain = spec_of(64, 10000);
const Spec wide = spec_of(128, 500000);
const Spec four = spec_of(64, 10000, linear(4));
// 32 of 64 dimensions, with (5·10⁶)^(−2i/160)
Spec half_of_it() {
    Spec spec = spec_of(64, std::pow(5e6, 32.0 / 160));
    spec.rotary_dim = 32;
    return spec;
}

double through(Format format, double x) { return round_to(format, x); }

// clang-format off
const std::vector<Case> single{
    {"base 10 for 1e4",              plain, made_for(spec_of(64, 10)),                          "base", "rope_theta", 10, 1e-6},
    {"base 31415.9 for 5e5",         wide,  made_for(spec_of(128, 31415.9)),                    "base", "rope_theta", 31415.9, 1e-6},
    {"base in vectors",              plain, vectors_for(spec_of(64, 12345)),                    "base", "rope_theta", 12345, 1e-6},
    {"exponent 2i/80 for 2i/64",     plain, made_for(spec_of(64, std::pow(10000, 0.8))),         "exponent-divisor", "divisor", 80},
    {"ntk in longrope's place",      longrope(4096), made_for(spec_of(64, 10000, ntk(8))),       "scaling-type", "factor", 8},
    {"linear 2.75 for 4",            four,  made_for(spec_of(64, 10000, linear(2.75))),         "scaling-parameter", "factor", 2.75, 1e-6},
    {"linear 2 for none",            plain, made_for(spec_of(64, 10000, linear(2))),            "position-scale", "scale", 0.5, 1e-6},
    {"llama3's low 2 for 1",         spec_of(128, 500000, llama3(8)), made_for(spec_of(128, 500000, llama3(8, 2))), "scaling-parameter", "low_freq_factor", 2},
    {"llama3's high 8, one pair",    short_llama3(4), made_for(short_llama3(8)),                "scaling-parameter", "high_freq_factor", 8},
    {"dynamic 3 for 2",              grown(2), made_for(grown(3)),                              "scaling-parameter", "factor", 3, 1e-9},
    {"ntk 2 for 4",                  spec_of(64, 10000, ntk(4)), made_for(spec_of(64, 10000, ntk(2))), "scaling-parameter", "factor", 2, 1e-9},
    {"base under ntk"       ,      spec_of(64, 10000, ntk(4)), made_for(spec_of(64, 777000, ntk(4))), "base", "rope_theta", 777000, 1e-6},
    {"linear 8 for none, two pairs", spec_of(4, 1000000), made_for(spec_of(4, 1000000, linear(8))), "position-scale", "scale", 0.125, 1e-9},
    {"yarn's amplitude 1.4159",      spec_of(64, 10000, with_attention_factor(yarn(16), 1)), made_for(spec_of(64, 10000, with_attention_factor(yarn(16), 1.4159))), "attention-factor", "attention_factor", 1.4159, 1e-6},
    {"He & Xu missing",              spec_of(64, 10000, he_xu()), made_for(plain),              "scaling-missing"},
    {"offset 4095",                  wide,  positions([](double m) { return m + 4095; }),       "position-offset", "offset", 4095},
    {"frequencies 2e-6 too high",    plain, positions([](double m) { return 1.000002 * m; }),   "position-scale", "scale", 1.000002},
    {"frequencies 1e-5 too low",     plain, positions([](double m) { return 0.99999 * m; }),    "position-scale", "scale", 0.99999},
    {"base 10000.1 for 10000",       plain, made_for(spec_of(64, 10000.1)),                     "base", "rope_theta", 10000.1},
    {"pipeline bf16-positions",      plain, pipeline("bf16-positions"),                         "position-precision"},
    {"pipeline bf16-angles",         plain, pipeline("bf16-angles"),                            "angle-precision"},
    {"zero from 1000 on",            plain, entries([](auto m, double& c, double& s) { if (m >= 1000) c = s = 0; }, plain), "table-truncated", "rows", 1000},
    {"dynamic, regrown past 1000",   spec_of(64, 10000, dynamic(4), 1000), regrown(1000, 2050), "scaling-parameter", "from", 1000},
    {"dynamic, regrown past 512",    spec_of(64, 10000, dynamic(2), 512), regrown(512, 2048), "scaling-parameter", "from", 512},
    {"longrope's lists by position", longrope(1024), by_position(1024), "scaling-parameter", "from", 1024},
    {"longrope's lists by position, another length", longrope(512), by_position(1024), "scaling-parameter", "from", 1025},
    {"base 500000 from 1000 on",     plain, of_bases(10000, 500000, 1000),                      "base", "from", 1000},
    {"base 123456 from 1000 on",     plain, of_bases(10000, 123456, 1000),                      "base", "rope_theta", 123456},
    {"base 10000 up to 1000",        spec_of(64, 500000), of_bases(10000, 500000, 1000),        "base", "from", 1000},
};
// clang-format on

class SingleMistake : public testing::TestWithParam<Case> {};

TEST_P(SingleMistake, IsNamedWithItsParameter) {
    const Case& row = GetParam();
    const Diagnosis diagnosis = diagnose(row.asked, row.make(row.asked));
    ASSERT_EQ(ids(diagnosis), std::vector<std::string>{row.mistake});
    expect_sound_numbers(diagnosis);
    if (*row.key != '\0') {
        EXPECT_NEAR(parameter(diagnosis, row.mistake, row.key), row.value,
                    row.tolerance * std::abs(row.value));
    }
}

INSTANTIATE_TEST_SUITE_P(Rope, SingleMistake, testing::ValuesIn(single));

// ---- values that no rotation gives --------------------------------------------------------------

TEST(Uninitialised, IsReportedForValuesThatAreNotNumbers) {
    for (const double value : {nan, HUGE_VAL, -HUGE_VAL}) {
        const auto change = [=](auto m, double& c, double&) {
            if (m == 1000) c = value;
        };
        const Diagnosis diagnosis = diagnose(plain, entries(change, plain)(plain));
        EXPECT_EQ(ids(diagnosis), std::vector<std::string>{"uninitialised"}) << value;
    }
}

TEST(Uninitialised, IsReportedIfAllValuesAreNaN) {
    const auto change = [](auto, double& c, double& s) { c = s = nan; };
    EXPECT_EQ(ids(diagnose(plain, entries(change, plain)(plain))),
              std::vector<std::string>{"uninitialised"});
}

// Too few pairs for a rule with one exception; the fact still names the values.
TEST(OnePair, ThatIsNaNInEveryRowIsASeparateEntry) {
    Spec few = plain;
    few.rotary_dim = 4;
    const auto made = made_for(few, [](auto& at) { return at.theta < 1 ? nan : at.m * at.theta; });
    EXPECT_EQ(ids(diagnose(few, made(few))), std::vector<std::string>{"inv-freq-entry"});
}

// inv_freq makes both not finite
TEST(OnePair, WhoseCosinesAreNoNumbersHasARightEntry) {
    OwnTable table = table_of(plain, right);
    for (std::size_t k = 3; k < table.cos.size(); k += table.pairs) table.cos[k] = nan;
    const Diagnosis diagnosis = diagnose(plain, TableDump(table));
    EXPECT_EQ(ids(diagnosis), std::vector<std::string>{"uninitialised"});
}

TEST(Noise, IsExplainedByNothing) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Seeded random(seed);
        const auto circle = [&](auto&) { return random.within(-4, 4); };
        for (const Dump& dump : {Dump(TableDump(table_of(plain, circle))),
                                 Dump(RotatedDump(vectors_of(plain, circle)))}) {
            const Diagnosis diagnosis = diagnose(plain, dump);
            EXPECT_EQ(ids(diagnosis), std::vector<std::string>{}) << seed;
            EXPECT_FALSE(diagnosis.observations.empty());
        }
    }
}

// Each report has true facts only, and at most six.
TEST(Facts, TellWhichPairsTurnAsAsked) {
    int k = 0;
    const auto half = [&](const Place& at) {
        return (k++ % 32) < 16 ? right(at) : std::sin(1e6 * at.theta * (at.m + 1)) * 3;
    };
    const Diagnosis diagnosis = diagnose(plain, TableDump(table_of(plain, half)));
    EXPECT_TRUE(diagnosis.explanations.empty());
    EXPECT_LE(diagnosis.observations.size(), 6);
    EXPECT_TRUE(std::ranges::count(diagnosis.observations,
                                   "pairs 0–15 match the config, pairs 16–31 do not"));
}

TEST(Rows, AtOtherPositionsAreNamedWithThem) {
    const auto off = [](double m) { return m == 10 ? 20.0 : m == 12 ? 3.0 : m == 20 ? 77.0 : m; };
    const Diagnosis diagnosis = diagnose(plain, positions(off)(plain));
    ASSERT_EQ(diagnosis.explanations.size(), 1);
    EXPECT_THAT(diagnosis.explanations.front().what,
                testing::HasSubstr("row 10 is for position 20, 10 later; row 12 for 3, 9 "
                                   "earlier; row 20 for 77, 57 later"));
}

// ---- several mistakes ---------------------------------------------------------------------------

struct Several {
    const char* name;
    Spec asked;
    Maker make;
    std::vector<std::string> mistakes;
};
void PrintTo(const Several& row, std::ostream* out) { *out << row.name; }

double one_further(const Place& at) { return (at.m + 1) * at.theta; }
double backwards(const Place& at) { return -right(at); }

// clang-format off
const std::vector<Several> several{
    {"unusual base and offset",    plain, made_for(spec_of(64, 12345), one_further),    {"base", "position-offset"}},
    {"layout and direction",       plain, vectors_for(interleaved(plain), backwards),   {"direction", "pair-layout"}},
    {"float16 inv_freq and wrap",  plain, angles([](auto& at) { return std::fmod(at.m, 1024) * through(float16, at.theta); }), {"inv-freq-precision", "position-wrap"}},
    {"odd base, bfloat16 inv_freq", plain, made_for(spec_of(64, 41234.5), [](auto& at) { return at.m * through(bfloat16, at.theta); }), {"base", "inv-freq-precision"}},
    {"odd base, float16 inv_freq", plain, made_for(spec_of(64, 23456.7), [](auto& at) { return at.m * through(float16, at.theta); }), {"base", "inv-freq-precision"}},
    {"layout, base and offset",    plain, vectors_for(interleaved(spec_of(64, 500000)), one_further), {"base", "pair-layout", "position-offset"}},
    {"linear's factor and wrap",   four,  made_for(plain, [](auto& at) { return std::fmod(at.m, 100) * at.theta / 6; }), {"position-wrap", "scaling-parameter"}},
    {"yarn's factor and odd base", spec_of(64, 10000, yarn(8)), made_for(spec_of(64, 13460, yarn(12))), {"base", "scaling-parameter"}},
    {"yarn's factor and wrap",     spec_of(64, 10000, yarn(8)), made_for(spec_of(64, 10000, yarn(16)), [](auto& at) { return std::fmod(at.m, 32) * at.theta; }), {"position-wrap", "scaling-parameter"}},
    {"linear's factor and base, of four pairs", spec_of(8, 1000000, linear(4)), made_for(spec_of(8, 1363.2)), {"base", "scaling-missing"}},
    {"yarn's ramp from pair 0 on, and base", spec_of(64, 10000, yarn(16, 256)), made_for(spec_of(64, 4000, with_beta_slow(yarn(16, 256), 2))), {"base", "scaling-parameter"}},
    {"yarn's truncation and base", spec_of(64, 500000, yarn(4, 256)), made_for(spec_of(64, 434114, without_truncation(yarn(4, 256)))), {"base", "scaling-parameter"}},
    {"base, amplitude and an entry that is no number", plain, made_for(spec_of(64, 1e7, with_attention_factor(yarn(1), 1.5)), [](auto& at) { return at.theta > 0.0107 && at.theta < 0.0108 ? nan : right(at); }), {"attention-factor", "base", "inv-freq-entry"}},
    {"a scale and an entry, which is not of the scaled", four, made_for(plain, [](auto& at) { return at.m * (at.theta > 0.074 && at.theta < 0.076 ? 0.3 : at.theta / 5); }), {"inv-freq-entry", "position-scale"}},
    {"rotated twice by another factor", spec_of(64, 10000, with_attention_factor(yarn(4), 1.25)), vectors_for(spec_of(64, 10000, with_attention_factor(yarn(8), 1.5625)), [](auto& at) { return 2 * right(at); }), {"rotated-twice", "scaling-parameter"}},
    {"another type and twice the positions", spec_of(64, 10000, linear(2)), made_for(spec_of(64, 10000, ntk(2)), [](auto& at) { return 2 * right(at); }), {"position-scale", "scaling-type"}},
    {"yarn's ramp and amplitude",  spec_of(64, 10000, yarn(16)), made_for(spec_of(64, 10000, with_attention_factor(without_truncation(yarn(16)), 1))), {"attention-factor", "scaling-parameter"}},
};
// clang-format on

class SeveralMistakes : public testing::TestWithParam<Several> {};

TEST_P(SeveralMistakes, AreAllNamed) {
    const Several& row = GetParam();
    const Diagnosis diagnosis = diagnose(row.asked, row.make(row.asked));
    EXPECT_THAT(ids(diagnosis), testing::UnorderedElementsAreArray(row.mistakes));
    expect_sound_numbers(diagnosis);
}

INSTANTIATE_TEST_SUITE_P(Rope, SeveralMistakes, testing::ValuesIn(several));

// the divisor counts the rotating dimensions
TEST(TwoMistakes, MayBeADivisorOfAWrongRotaryDim) {
    const Spec asked = spec_of(64, 5e6);
    const Diagnosis diagnosis = diagnose(asked, vectors_for(half_of_it())(asked));
    EXPECT_THAT(ids(diagnosis), testing::UnorderedElementsAre("rotary-dim", "exponent-divisor"));
    EXPECT_EQ(parameter(diagnosis, "exponent-divisor", "divisor"), 160);
}

// Each axis's exponents are −2j/32, for half of the 64 dimensions; with the head's width, −2j/64.
TEST(ExponentDivisors, ApplyToEachAxissExponents) {
    const Spec asked = on_axes(spec_of(64, 10000), {AxisScheme::axial});
    const std::vector<Frequencies> all = usual_frequencies(asked);
    const auto twice = std::ranges::find_if(all, [](const Frequencies& one) {
        return one.mistake == "exponent-divisor" && one.parameters[0].second == FieldValue(64.0);
    });
    ASSERT_NE(twice, all.end());
    for (std::size_t i = 0; i < 32; ++i)
        EXPECT_NEAR(twice->theta[i], std::pow(10000, -static_cast<double>(i % 16) / 32), 1e-12);
}

// Beyond 256 every other position is off by one, in rows that are not necessarily sampled.
TEST(HiddenMistakes, ThatNoSampledRowShowsAreNamedAllTheSame) {
    const OwnTable table =
        table_of_spec(plain, counted(200, 100), float32,
                      [](double m, double theta) { return round_to(bfloat16, m + 3) * theta; });
    EXPECT_THAT(ids(diagnose(plain, TableDump(table))),
                testing::UnorderedElementsAre("position-offset", "position-precision"));
}

// ---- right dumps --------------------------------------------------------------------------------

const std::vector<Spec>& sound_specs() {
    static const std::vector<Spec> specs{
        plain,
        wide,
        four,
        spec_of(96, 1e6),
        spec_of(128, 500000, llama3(8)),
        spec_of(64, 10000, yarn(16), 65536),
        spec_of(64, 10000, he_xu()),
    };
    return specs;
}

TEST(Sound, PipelinesAreNotBlamed) {
    for (const Spec& spec : sound_specs()) {
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        for (const Pipeline& each : pipelines()) {
            if (!each.fault.empty()) continue;
            const Dump dump = emulated(spec, each);
            EXPECT_EQ(ids(diagnose(spec, dump)), std::vector<std::string>{}) << each.name;
            const CheckFacts own{.wrong_at = {}, .exactness = expected_exactness(spec, each, plan)};
            EXPECT_EQ(ids(diagnose(spec, dump, own)), std::vector<std::string>{})
                << each.name << ", checked as itself";
        }
    }
}

TEST(Sound, LibrariesUpToTheirToleranceAreNotBlamed) {
    Seeded random(8);
    for (const Spec& spec : sound_specs())
        for (const double share : {0.1, 0.5, 0.9}) {
            const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
            const std::vector<double> k = angle_k(least_exact, spec, plan);
            const auto off = [&](const Place& at) {
                const auto pair = std::ranges::find(
                    plan.pairs, at.theta, [](const auto& one) { return one.inv_freq.to_double(); });
                const double allowed = k[static_cast<std::size_t>(pair - plan.pairs.begin())];
                return at.m * at.theta * (1 + share * random.within(-1, 1) * allowed * 0x1p-24);
            };
            EXPECT_EQ(ids(diagnose(spec, TableDump(table_of(spec, off)))),
                      std::vector<std::string>{})
                << share;
            EXPECT_EQ(ids(diagnose(spec, RotatedDump(vectors_of(spec, off)))),
                      std::vector<std::string>{})
                << share;
        }
}

TEST(Sound, VectorsInEveryFormatAreNotBlamed) {
    for (const Spec& spec : sound_specs())
        for (const Format format : {float64, float32, bfloat16, float16})
            EXPECT_EQ(ids(diagnose(spec, RotatedDump(vectors_of(spec, right, format)))),
                      std::vector<std::string>{})
                << to_string(format);
}

}  // namespace rope::diagnose_test
