// The proof that checks can fail: each row is a fault that somebody made and what every check
// must say of it. Faults that every law lets through are the reason that conformance exists.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <ostream>
#include <random>

#include "rope/pipeline.hpp"
#include "rope/rotate.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope {
namespace {

using enum Format;
using Subject = std::unique_ptr<RowSource>;
using Maker = std::function<Subject(const Spec& asked)>;

constexpr std::uint64_t context = 4200;  // beyond float16's and bfloat16's last exact integers
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Spec plain() {
    Spec spec;
    spec.head_dim = 96;
    spec.rotary_dim = 64;
    return spec;
}
Spec linear(double factor) {
    Spec spec = plain();
    spec.scaling.rope_type = "linear";
    spec.scaling.factor = factor;
    return spec;
}
Spec llama3() {
    Spec spec = plain();
    spec.rope_theta = 500000;
    spec.scaling = {"llama3", 8.0, 1.0, 4.0, 8192};
    return spec;
}
Spec he_xu() {
    Spec spec = plain();
    spec.scaling.rope_type = "he_xu";
    return spec;
}
Spec with_base(double base) {
    Spec spec = plain();
    spec.rope_theta = base;
    return spec;
}
Spec interleaved() {
    Spec spec = plain();
    spec.layout = PairLayout::interleaved;
    return spec;
}

// ---- tables -----------------------------------------------------------------------------------

struct Place {
    double m;      // position
    double theta;  // inv_freq asked for
    double i;      // pair
    double d;      // rotary_dim
    double base;
};
using Angle = std::function<double(const Place&)>;

double right(const Place& at) { return at.m * at.theta; }

TableDump table_of(const Spec& asked, const Angle& angle, Format format) {
    const FrequencyPlan plan = plan_frequencies(asked, exact_precision);
    TableDump dump;
    dump.pairs = asked.pairs();
    dump.format = format;
    for (std::uint64_t m = 0; m < context; ++m) {
        dump.positions.push_back(m);
        for (std::uint32_t i = 0; i < asked.pairs(); ++i) {
            const double phi =
                angle({static_cast<double>(m), plan.pairs[i].inv_freq.to_double(),
                       static_cast<double>(i), static_cast<double>(asked.rotary_dim),
                       asked.rope_theta});
            dump.cos.push_back(round_to(format, std::cos(phi)));
            dump.sin.push_back(round_to(format, std::sin(phi)));
        }
    }
    return dump;
}

Maker angles(Angle angle, Format format = float32) {
    return [=](const Spec& asked) { return table_rows(asked, table_of(asked, angle, format)); };
}
Maker positions(const std::function<double(double)>& changed) {
    return angles([=](const Place& at) { return changed(at.m) * at.theta; });
}
Maker frequencies(const std::function<double(const Place&)>& changed) {
    return angles([=](const Place& at) { return at.m * changed(at); });
}
// What another Spec asks for.
Maker table(const Spec& other) {
    return [=](const Spec& asked) { return table_rows(asked, table_of(other, right, float32)); };
}

// A sound table, and then each entry changed.
Maker entries(const std::function<void(std::uint64_t m, double& cos, double& sin)>& change) {
    return [=](const Spec& asked) {
        TableDump dump = table_of(asked, right, float32);
        for (std::size_t k = 0; k < dump.cos.size(); ++k)
            change(k / dump.pairs, dump.cos[k], dump.sin[k]);
        return table_rows(asked, std::move(dump));
    };
}
Maker stored_in(Format format) {
    return entries([=](std::uint64_t, double& cos, double& sin) {
        cos = round_to(format, cos);
        sin = round_to(format, sin);
    });
}

Maker pipeline(std::string_view name) {
    return [=](const Spec& asked) { return emulate(asked, find_pipeline(name), context); };
}

// ---- rotated vectors --------------------------------------------------------------------------

using Rotation = std::function<Vector(const Vector& x, const Vector& cos, const Vector& sin)>;

Subject rotated(const Spec& asked, const Rotation& rotation, Format format) {
    const TableDump table = table_of(asked, right, format);
    std::mt19937_64 random(1);
    RotatedDump dump;
    dump.positions = table.positions;
    dump.format = format;
    for (std::size_t row = 0; row < table.positions.size(); ++row) {
        Vector x;
        for (std::uint32_t lane = 0; lane < asked.head_dim; ++lane)
            x.push_back(round_to(format, static_cast<double>(random() >> 11) * 0x1p-52 - 1));
        const auto cos = table.cos.begin() + static_cast<std::ptrdiff_t>(row * table.pairs);
        const auto sin = table.sin.begin() + static_cast<std::ptrdiff_t>(row * table.pairs);
        const Vector y = rotation(x, {cos, cos + table.pairs}, {sin, sin + table.pairs});
        dump.before.insert(dump.before.end(), x.begin(), x.end());
        for (const double value : y) dump.after.push_back(round_to(format, value));
    }
    return rotated_rows(asked, std::move(dump));
}

Maker vectors(const Rotation& rotation, Format format = float32) {
    return [=](const Spec& asked) { return rotated(asked, rotation, format); };
}
// Lanes x1, x2 of a half_split pair -> y1, y2.
Maker pair_map(const std::function<void(double& x1, double& x2, double c, double s)>& map) {
    return vectors([=](const Vector& x, const Vector& cos, const Vector& sin) {
        Vector y = x;
        for (std::size_t i = 0; i < cos.size(); ++i) map(y[i], y[i + cos.size()], cos[i], sin[i]);
        return y;
    });
}
Vector in_layout(PairLayout layout, const Vector& x, const Vector& cos, const Vector& sin) {
    return rotate(layout, x, cos, sin);
}
Vector half_split(const Vector& x, const Vector& cos, const Vector& sin) {
    return in_layout(PairLayout::half_split, x, cos, sin);
}
Vector neighbours(const Vector& x, const Vector& cos, const Vector& sin) {
    return in_layout(PairLayout::interleaved, x, cos, sin);
}

// Vectors a and b with every value of f twice: f0 f0 f1 f1.
Vector repeat_interleave(const Vector& f) {
    Vector twice;
    for (const double value : f) twice.insert(twice.end(), {value, value});
    return twice;
}
Vector mixed_table(const Vector& x, const Vector& cos, const Vector& sin) {
    return rotate_half_duplicated(x, repeat_interleave(cos), repeat_interleave(sin));
}
Vector suffix(const Vector& x, const Vector& cos, const Vector& sin) {
    const auto prefix = static_cast<std::ptrdiff_t>(x.size() - 2 * cos.size());
    const Vector tail = half_split({x.begin() + prefix, x.end()}, cos, sin);
    Vector y(x.begin(), x.begin() + prefix);
    y.insert(y.end(), tail.begin(), tail.end());
    return y;
}
Vector whole_head(const Vector& x, Vector cos, Vector sin) {
    while (2 * cos.size() < x.size()) {
        cos.push_back(cos.back());
        sin.push_back(sin.back());
    }
    return half_split(x, cos, sin);
}
Vector and_one_more_lane(const Vector& x, const Vector& cos, const Vector& sin) {
    Vector y = half_split(x, cos, sin);
    y[2 * cos.size()] *= 1 + 0x1p-23;
    return y;
}

// ---- the table --------------------------------------------------------------------------------

struct Case {
    const char* name;
    Spec asked;
    Maker make;
    // X must be violated, . must hold, - not applicable: table-accuracy, score-accuracy,
    // identity-at-zero, orthogonality, pair-norm, self-inner-product (c1), composition,
    // relative-position (c2), pass-through
    const char* marks;
};
void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }

double power(double base, double exponent) { return std::pow(base, exponent); }
double in(Format format, double x) { return round_to(format, x); }
double mod_1024(double m) { return std::fmod(m, 1024); }

// clang-format off
const std::vector<Case> mistakes{
    //                                                                                                               table score id@0 orth norm c1 group c2 pass
    // every law lets these through
    {"base 5e5 for 1e4",                  plain(),   table(with_base(500000)),                                            "X X . . . . . . -"},
    // one part in 10^4: within what the scores of an unknown make are allowed (K = 256)
    {"base 10001 for 10000",              plain(),   table(with_base(10001)),                                             "X . . . . . . . -"},
    {"base 10 for 1e4",                   plain(),   table(with_base(10)),                                                "X X . . . . . . -"},
    {"exponent i/d for 2i/d",             plain(),   frequencies([](auto& at) { return power(at.base, -at.i / at.d); }),  "X X . . . . . . -"},
    {"exponent 2(i+1)/d",                 plain(),   frequencies([](auto& at) { return power(at.base, -2 * (at.i + 1) / at.d); }), "X X . . . . . . -"},
    {"exponent over head_dim",            plain(),   frequencies([](auto& at) { return power(at.base, -2 * at.i / 96); }), "X X . . . . . . -"},
    {"exponent's sign lost",              plain(),   frequencies([](auto& at) { return power(at.base, 2 * at.i / at.d); }), "X X . . . . . . -"},
    {"degrees",                           plain(),   frequencies([](auto& at) { return at.theta * 180 / std::numbers::pi; }), "X X . . . . . . -"},
    {"one theta for all pairs",           plain(),   frequencies([](auto&) { return 1.0; }),                              "X X . . . . . . -"},
    {"half of the pairs do not turn",     plain(),   frequencies([](auto& at) { return at.i < 16 ? at.theta : 0; }),      "X X . . . . . . -"},
    {"direction reversed",                plain(),   angles([](auto& at) { return -at.m * at.theta; }),                   "X X . . . . . . -"},
    {"not rotated at all",                plain(),   angles([](auto&) { return 0.0; }),                                   "X X . . . . . . -"},
    {"inv_freq in float16",               plain(),   frequencies([](auto& at) { return in(float16, at.theta); }),         "X X . . . . . . -"},
    {"inv_freq in bfloat16",              plain(),   frequencies([](auto& at) { return in(bfloat16, at.theta); }),        "X X . . . . . . -"},
    {"He & Xu for default",               plain(),   table(he_xu()),                                                      "X X . . . . . . -"},
    {"default for He & Xu",               he_xu(),   table(plain()),                                                      "X X . . . . . . -"},
    {"linear factor 2 left on",           plain(),   table(linear(2)),                                                    "X X . . . . . . -"},
    {"linear factor missing",             linear(4), table(plain()),                                                      "X X . . . . . . -"},
    {"linear factor squared",             linear(4), table(linear(16)),                                                   "X X . . . . . . -"},
    {"linear factor upside down",         linear(4), table(linear(0.25)),                                                 "X X . . . . . . -"},
    {"llama3 ignored",                    llama3(),  table(with_base(500000)),                                            "X X . . . . . . -"},
    {"positions doubled",                 plain(),   positions([](double m) { return 2 * m; }),                           "X X . . . . . . -"},

    // an offset common to q and k leaves the scores as they are
    {"offset by one",                     plain(),   positions([](double m) { return m + 1; }),                           "X . X . . . X . -"},
    {"positions from one, zero kept",     plain(),   positions([](double m) { return m == 0 ? 0 : m + 1; }),              "X X . . . . X X -"},
    {"cos and sin swapped",               plain(),   entries([](auto, double& c, double& s) { std::swap(c, s); }),        "X X X . . . X . -"},

    // positions that are not what they were
    {"positions modulo 1024",             plain(),   positions(mod_1024),                                                 "X X . . . . X X -"},
    {"positions clamped at 1023",         plain(),   positions([](double m) { return std::min(m, 1023.0); }),             "X X . . . . X X -"},
    {"positions squared",                 plain(),   positions([](double m) { return m * m; }),                           "X X . . . . X X -"},
    {"positions in bfloat16",             plain(),   positions([](double m) { return in(bfloat16, m); }),                 "X X . . . . X X -"},
    {"positions in float16",              plain(),   positions([](double m) { return in(float16, m); }),                  "X X . . . . X X -"},
    {"product in float16 (ChatGLM-6B)",   plain(),   angles([](auto& at) { return in(float16, at.m * in(float16, at.theta)); }), "X X . . . . X X -"},
    {"product in bfloat16",               plain(),   angles([](auto& at) { return in(bfloat16, at.m * at.theta); }),      "X X . . . . X X -"},
    {"pipeline bf16-positions",           plain(),   pipeline("bf16-positions"),                                          "X X . . . . X X ."},
    {"pipeline bf16-angles",              plain(),   pipeline("bf16-angles"),                                             "X X . . . . X X ."},

    // cos and sin are not on the circle
    {"bfloat16 table sold as float32",    plain(),   stored_in(bfloat16),                                                 "X X . X X X X X -"},
    {"float16 table sold as float32",     plain(),   stored_in(float16),                                                  "X X . X X X X X -"},
    {"amplitude 1.139",                   plain(),   entries([](auto, double& c, double& s) { c *= 1.139; s *= 1.139; }), "X X X X X X X . -"},
    {"sin left out",                      plain(),   entries([](auto, double&, double& s) { s = 0; }),                    "X X . X X X X X -"},
    {"cos and sin both one",              plain(),   entries([](auto, double& c, double& s) { c = s = 1; }),              "X X X X X X X . -"},
    {"rows of zeros from 1000 on",        plain(),   entries([](auto m, double& c, double& s) { if (m >= 1000) c = s = 0; }), "X X . X X X X X -"},
    // 0·0 = 0: they do compose
    {"all zeros",                         plain(),   entries([](auto, double& c, double& s) { c = s = 0; }),              "X X X X X X . X -"},
    {"NaN everywhere",                    plain(),   entries([](auto, double& c, double& s) { c = s = nan; }),            "X X X X X X X X -"},
    {"one row of NaN",                    plain(),   entries([](auto m, double& c, double&) { if (m == 1000) c = nan; }), "X X . X X X X X -"},
    {"one row infinite",                  plain(),   entries([](auto m, double&, double& s) { if (m == 1000) s = HUGE_VAL; }), "X X . X X X X X -"},

    // rotated vectors: every law is about the lanes that the Spec pairs
    {"other layout",                      plain(),   vectors(neighbours),                                                 "X X . X X X X X ."},
    {"other layout",                      interleaved(), vectors(half_split),                                             "X X . X X X X X ."},
    {"k not rotated",                     plain(),   vectors([](auto& x, auto&, auto&) { return x; }),                    "X X . . . . . . ."},
    {"repeat_interleave table, rotate_half", plain(), vectors(mixed_table),                                               "X X . X X X X X ."},
    {"rotate_half returns (x2, -x1)",     plain(),   pair_map([](double& a, double& b, double c, double s) { const double x = a; a = a * c + b * s; b = b * c - x * s; }), "X X . . . . . . ."},
    {"rotate_half without minus",         plain(),   pair_map([](double& a, double& b, double c, double s) { const double x = a; a = a * c + b * s; b = b * c + x * s; }), "X X . X X X X X ."},
    {"a sin - b cos (article 000)",       plain(),   pair_map([](double& a, double& b, double c, double s) { const double x = a; a = a * c - b * s; b = x * s - b * c; }), "X X X X X X X X ."},
    {"pairs not swapped (article 003)",   plain(),   pair_map([](double& a, double& b, double c, double s) { a = a * c - a * s; b = b * c + b * s; }), "X X . X X X X X ."},
    {"suffix rotated for prefix",         plain(),   vectors(suffix),                                                     "X X . X X X X X X"},
    {"whole head rotated",                plain(),   vectors(whole_head),                                                 "X X . X X X X X X"},
    {"one lane too many touched",         plain(),   vectors(and_one_more_lane),                                          ". . . . . . . . X"},
};

const std::vector<Case> sound{
    {"hf-fp32",               plain(),       pipeline("hf-fp32"),           ". . . . . . . . ."},
    {"exact",                 plain(),       pipeline("exact"),             ". . . . . . . . ."},
    {"ggml",                  plain(),       pipeline("ggml"),              ". . . . . . . . ."},
    {"bf16-table",            plain(),       pipeline("bf16-table"),        ". . . . . . . . ."},
    {"fp16-table",            plain(),       pipeline("fp16-table"),        ". . . . . . . . ."},
    {"hf-fp32, linear",       linear(4),     pipeline("hf-fp32"),           ". . . . . . . . ."},
    {"hf-fp32, llama3",       llama3(),      pipeline("hf-fp32"),           ". . . . . . . . ."},
    {"hf-fp32, He & Xu",      he_xu(),       pipeline("hf-fp32"),           ". . . . . . . . ."},
    {"ggml, linear",          linear(4),     pipeline("ggml"),              ". . . . . . . . ."},
    {"ggml, llama3",          llama3(),      pipeline("ggml"),              ". . . . . . . . ."},
    {"ggml, He & Xu",         he_xu(),       pipeline("ggml"),              ". . . . . . . . ."},
    {"ggml, interleaved",     interleaved(), pipeline("ggml"),              ". . . . . . . . ."},
    {"table in float64",      plain(),       angles(right, float64),        ". . . . . . . . -"},
    {"table in float32",      plain(),       angles(right, float32),        ". . . . . . . . -"},
    {"table in bfloat16",     plain(),       angles(right, bfloat16),       ". . . . . . . . -"},
    {"table in float16",      plain(),       angles(right, float16),        ". . . . . . . . -"},
    {"table, linear",         linear(4),     angles(right),                 ". . . . . . . . -"},
    {"table, llama3",         llama3(),      angles(right),                 ". . . . . . . . -"},
    {"table, He & Xu",        he_xu(),       angles(right),                 ". . . . . . . . -"},
    {"vectors in float64",    plain(),       vectors(half_split, float64),  ". . . . . . . . ."},
    {"vectors in float32",    plain(),       vectors(half_split, float32),  ". . . . . . . . ."},
    {"vectors in bfloat16",   plain(),       vectors(half_split, bfloat16), ". . . . . . . . ."},
    {"vectors in float16",    plain(),       vectors(half_split, float16),  ". . . . . . . . ."},
    {"vectors, interleaved",  interleaved(), vectors(neighbours),           ". . . . . . . . ."},
    {"vectors, llama3",       llama3(),      vectors(half_split),           ". . . . . . . . ."},
};
// clang-format on

class Mistake : public testing::TestWithParam<Case> {};
class Sound : public testing::TestWithParam<Case> {};

TEST_P(Mistake, FailsExactlyTheChecksThatNameIt) {
    const auto& [name, asked, make, expected] = GetParam();
    EXPECT_EQ(marks(asked, *make(asked)), expected) << name;
}
TEST_P(Sound, PassesEveryLawAndConformance) {
    const auto& [name, asked, make, expected] = GetParam();
    EXPECT_EQ(marks(asked, *make(asked)), expected) << name;
}

INSTANTIATE_TEST_SUITE_P(Rope, Mistake, testing::ValuesIn(mistakes));
INSTANTIATE_TEST_SUITE_P(Rope, Sound, testing::ValuesIn(sound));

TEST(Mistakes, EveryCheckCanFail) {
    const std::vector<std::string> ids = laws_and_conformance();
    for (std::size_t check = 0; check < ids.size(); ++check)
        EXPECT_TRUE(std::ranges::any_of(
            mistakes, [&](const Case& row) { return row.marks[2 * check] == 'X'; }))
            << ids[check];
}

TEST(Mistakes, EveryPipelineIsSoundOrNamesItsFault) {
    for (const Pipeline& each : pipelines()) {
        const std::string found = marks(plain(), *pipeline(each.name)(plain()));
        EXPECT_EQ(found.find('X') == found.npos, each.fault.empty()) << each.name << ": " << found;
    }
}

}  // namespace
}  // namespace rope
