// Checks can fail: each row is a fault of a real implementation, with the expected verdict of every
// check. Faults that satisfy every law are the reason that conformance exists.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <ostream>

#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/spec/dimensions.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::mistakes_test {

using enum Format;
using Subject = std::unique_ptr<RowSource>;
using Maker = std::function<Subject(const Spec& asked)>;

constexpr std::uint64_t context = 4200;  // beyond float16's and bfloat16's last exact integers
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// 64 of 96 dimensions
Spec partly(Scaling scaling = {}, double base = 10000) {
    Spec spec = spec_of(64, base, std::move(scaling));
    spec.head_dim = 96;
    return spec;
}

// ---- tables -----------------------------------------------------------------------------------

struct Place {
    double m;      // position
    double theta;  // inv_freq of the config
    double i;      // pair
    double d;      // rotary_dim
    double base;
};
using Angle = std::function<double(const Place&)>;

double right(const Place& at) { return at.m * at.theta; }

OwnTable table_of(const Spec& asked, const Angle& angle, Format format) {
    const FrequencyPlan plan = plan_frequencies(asked, exact_precision);
    return table_of_angles(counted(context), asked.pairs(), format, [&](double m, std::uint32_t i) {
        return angle({m, plan.pairs[i].inv_freq.to_double(), static_cast<double>(i),
                      static_cast<double>(asked.rotary_dim), asked.rope_theta});
    });
}

Maker angles(const Angle& angle, Format format = float32) {
    return [=](const Spec& asked) { return table_rows(asked, table_of(asked, angle, format)); };
}
Maker positions(const std::function<double(double)>& changed) {
    return angles([=](const Place& at) { return changed(at.m) * at.theta; });
}
Maker frequencies(const std::function<double(const Place&)>& changed) {
    return angles([=](const Place& at) { return at.m * changed(at); });
}
// transformers' table for another Spec.
Maker table(const Spec& other) {
    return [=](const Spec& asked) {
        return table_rows(asked,
                          table_of_pipeline(other, find_pipeline("hf-fp32"), counted(context)));
    };
}

// A right table with each entry changed.
Maker entries(const std::function<void(std::uint64_t m, double& cos, double& sin)>& change) {
    return [=](const Spec& asked) {
        OwnTable dump = table_of(asked, right, float32);
        for (std::size_t k = 0; k < dump.cos.size(); ++k)
            change(k / dump.pairs, dump.cos[k], dump.sin[k]);
        return table_rows(asked, dump);
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
    const OwnTable table = table_of(asked, right, format);
    return rotated_rows(asked, vectors_of(table, format, asked.head_dim, Seeded(1), rotation));
}

Maker vectors(const Rotation& rotation, Format format = float32) {
    return [=](const Spec& asked) { return rotated(asked, rotation, format); };
}
// Half-split pairs (x1, x2) -> (y1, y2).
struct Pair {
    double first, second;
};
Maker pair_map(Pair (*map)(Pair x, double c, double s)) {
    return vectors([=](const Vector& x, const Vector& cos, const Vector& sin) {
        Vector y = x;
        for (std::size_t i = 0; i < cos.size(); ++i) {
            const std::size_t j = i + cos.size();
            const Pair oriented = map({x[i], x[j]}, cos[i], sin[i]);
            y[i] = oriented.first;
            y[j] = oriented.second;
        }
        return y;
    });
}
Pair clockwise(Pair x, double c, double s) {
    return {x.first * c + x.second * s, x.second * c - x.first * s};
}
Pair without_minus(Pair x, double c, double s) {
    return {x.first * c + x.second * s, x.second * c + x.first * s};
}
Pair article_000(Pair x, double c, double s) {
    return {x.first * c - x.second * s, x.first * s - x.second * c};
}
Pair article_003(Pair x, double c, double s) {
    return {x.first * c - x.first * s, x.second * c + x.second * s};
}

Vector half_split(const Vector& x, const Vector& cos, const Vector& sin) {
    return rotate(PairLayout::half_split, x, cos, sin);
}
Vector neighbours(const Vector& x, const Vector& cos, const Vector& sin) {
    return rotate(PairLayout::interleaved, x, cos, sin);
}

// x·cos + rotate_half(x)·sin with the table of neighbours, f0 f0 f1 f1
Vector mixed_table(const Vector& x, const Vector& cos, const Vector& sin) {
    Vector y = x;
    const std::size_t half = cos.size();
    for (std::size_t j = 0; j < 2 * half; ++j)
        y[j] = x[j] * cos[j / 2] + (j < half ? -x[j + half] : x[j - half]) * sin[j / 2];
    return y;
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
Vector and_one_more_dimension(const Vector& x, const Vector& cos, const Vector& sin) {
    Vector y = half_split(x, cos, sin);
    y[2 * cos.size()] *= 1 + 0x1p-23;
    return y;
}

// ---- the table --------------------------------------------------------------------------------

struct Case {
    const char* name;
    // X: violated, .: pass, -: not applicable; for table-accuracy, score-accuracy,
    // identity-at-zero, orthogonality, pair-norm, self-inner-product (c1), composition,
    // relative-position (c2), pass-through
    const char* marks;
    Spec asked;
    Maker make;
};
void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }

double power(double base, double exponent) { return std::pow(base, exponent); }
double in(Format format, double x) { return round_to(format, x); }
double mod_1024(double m) { return std::fmod(m, 1024); }

// clang-format off
const std::vector<Case> mistakes{
    //                                        table
    //                                        | score
    //                                        | | zero
    //                                        | | | orthogonality
    //                                        | | | | norm
    //                                        | | | | | c1
    //                                        | | | | | | composition
    //                                        | | | | | | | c2
    //                                        | | | | | | | | pass-through
    // these satisfy every law
    {"base 5e5 for 1e4",                     "X X . . . . . . -", partly(),                  table(partly({}, 500000))},
    {"base 10001 for 10000",                 "X X . . . . . . -", partly(),                  table(partly({}, 10001))},
    {"base 10 for 1e4",                      "X X . . . . . . -", partly(),                  table(partly({}, 10))},
    {"exponent i/d for 2i/d",                "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return power(at.base, -at.i / at.d); })},
    {"exponent 2(i+1)/d",                    "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return power(at.base, -2 * (at.i + 1) / at.d); })},
    {"exponent over head_dim",               "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return power(at.base, -2 * at.i / 96); })},
    {"exponent's sign lost",                 "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return power(at.base, 2 * at.i / at.d); })},
    {"degrees",                              "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return at.theta * 180 / std::numbers::pi; })},
    {"one theta for all pairs",              "X X . . . . . . -", partly(),                  frequencies([](auto&) { return 1.0; })},
    {"half of the pairs do not turn",        "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return at.i < 16 ? at.theta : 0; })},
    {"direction reversed",                   "X X . . . . . . -", partly(),                  angles([](auto& at) { return -at.m * at.theta; })},
    {"not rotated at all",                   "X X . . . . . . -", partly(),                  angles([](auto&) { return 0.0; })},
    {"inv_freq in float16",                  "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return in(float16, at.theta); })},
    {"inv_freq in bfloat16",                 "X X . . . . . . -", partly(),                  frequencies([](auto& at) { return in(bfloat16, at.theta); })},
    {"He & Xu for default",                  "X X . . . . . . -", partly(),                  table(partly(he_xu()))},
    {"default for He & Xu",                  "X X . . . . . . -", partly(he_xu()),           table(partly())},
    {"linear factor 2 left on",              "X X . . . . . . -", partly(),                  table(partly(linear(2)))},
    {"linear factor missing",                "X X . . . . . . -", partly(linear(4)),         table(partly())},
    {"linear factor squared",                "X X . . . . . . -", partly(linear(4)),         table(partly(linear(16)))},
    {"linear factor upside down",            "X X . . . . . . -", partly(linear(4)),         table(partly(linear(0.25)))},
    {"llama3 ignored",                       "X X . . . . . . -", partly(llama3(8), 500000), table(partly({}, 500000))},
    {"positions doubled",                    "X X . . . . . . -", partly(),                  positions([](double m) { return 2 * m; })},

    // an offset that q and k share does not change scores
    {"offset by one",                        "X . X . . . X . -", partly(),                  positions([](double m) { return m + 1; })},
    {"positions from one, zero kept",        "X X . . . . X X -", partly(),                  positions([](double m) { return m == 0 ? 0 : m + 1; })},
    {"cos and sin swapped",                  "X X X . . . X . -", partly(),                  entries([](auto, double& c, double& s) { std::swap(c, s); })},

    // wrong positions
    {"positions modulo 1024",                "X X . . . . X X -", partly(),                  positions(mod_1024)},
    {"positions clamped at 1023",            "X X . . . . X X -", partly(),                  positions([](double m) { return std::min(m, 1023.0); })},
    {"positions squared",                    "X X . . . . X X -", partly(),                  positions([](double m) { return m * m; })},
    {"positions in bfloat16",                "X X . . . . X X -", partly(),                  positions([](double m) { return in(bfloat16, m); })},
    {"positions in float16",                 "X X . . . . X X -", partly(),                  positions([](double m) { return in(float16, m); })},
    {"product in float16 (ChatGLM-6B)",      "X X . . . . X X -", partly(),                  angles([](auto& at) { return in(float16, at.m * in(float16, at.theta)); })},
    {"product in bfloat16",                  "X X . . . . X X -", partly(),                  angles([](auto& at) { return in(bfloat16, at.m * at.theta); })},
    {"pipeline bf16-positions",              "X X . . . . X X .", partly(),                  pipeline("bf16-positions")},
    {"pipeline bf16-angles",                 "X X . . . . X X .", partly(),                  pipeline("bf16-angles")},

    // cos and sin are not on the circle
    {"bfloat16 table sold as float32",       "X X . X X X X X -", partly(),                  stored_in(bfloat16)},
    {"float16 table sold as float32",        "X X . X X X X X -", partly(),                  stored_in(float16)},
    {"amplitude 1.139",                      "X X X X X X X . -", partly(),                  entries([](auto, double& c, double& s) { c *= 1.139; s *= 1.139; })},
    {"sin left out",                         "X X . X X X X X -", partly(),                  entries([](auto, double&, double& s) { s = 0; })},
    {"cos and sin both one",                 "X X X X X X X . -", partly(),                  entries([](auto, double& c, double& s) { c = s = 1; })},
    {"rows of zeros from 1000 on",           "X X . X X X X X -", partly(),                  entries([](auto m, double& c, double& s) { if (m >= 1000) c = s = 0; })},
    // 0·0 = 0: they do compose
    {"all zeros",                            "X X X X X X . X -", partly(),                  entries([](auto, double& c, double& s) { c = s = 0; })},
    {"NaN everywhere",                       "X X X X X X X X -", partly(),                  entries([](auto, double& c, double& s) { c = s = nan; })},
    {"one row of NaN",                       "X X . X X X X X -", partly(),                  entries([](auto m, double& c, double&) { if (m == 1000) c = nan; })},
    {"one row infinite",                     "X X . X X X X X -", partly(),                  entries([](auto m, double&, double& s) { if (m == 1000) s = HUGE_VAL; })},

    // rotated vectors: laws check the dimensions that the Spec pairs
    {"other layout",                         "X - . X X X X X .", partly(),                  vectors(neighbours)},
    {"other layout",                         "X - . X X X X X .", interleaved(partly()),     vectors(half_split)},
    {"k not rotated",                        "X X . . . . . . .", partly(),                  vectors([](auto& x, auto&, auto&) { return x; })},
    {"repeat_interleave table, rotate_half", "X - . X X X X X .", partly(),                  vectors(mixed_table)},
    {"rotate_half returns (x2, -x1)",        "X X . . . . . . .", partly(),                  pair_map(clockwise)},
    {"rotate_half without minus",            "X - . X X X X X .", partly(),                  pair_map(without_minus)},
    {"a sin - b cos (article 000)",          "X - X X X X X X .", partly(),                  pair_map(article_000)},
    {"pairs not swapped (article 003)",      "X - . X X X X X .", partly(),                  pair_map(article_003)},
    {"suffix rotated for prefix",            "X - . X X X X X X", partly(),                  vectors(suffix)},
    {"whole head rotated",                   "X - . X X X X X X", partly(),                  vectors(whole_head)},
    {"one dimension too many touched",            ". . . . . . . . X", partly(),                  vectors(and_one_more_dimension)},
};
// clang-format on

class Mistake : public testing::TestWithParam<Case> {};

TEST_P(Mistake, FailsExactlyTheChecksThatNameIt) {
    const auto& [name, expected, asked, make] = GetParam();
    EXPECT_EQ(marks(asked, *make(asked)), expected) << name;
}

INSTANTIATE_TEST_SUITE_P(Rope, Mistake, testing::ValuesIn(mistakes));

TEST(Mistakes, EveryCheckCanFail) {
    const std::vector<std::string> ids = laws_and_conformance();
    for (std::size_t check = 0; check < ids.size(); ++check)
        EXPECT_TRUE(std::ranges::any_of(mistakes, [&](const Case& row) {
            return row.marks[2 * check] == 'X';
        })) << ids[check];
}

TEST(Mistakes, EveryPipelinePassesOrNamesItsFault) {
    for (const Pipeline& each : pipelines()) {
        const std::string found = marks(partly(), *pipeline(each.name)(partly()));
        EXPECT_EQ(found.find('X') == found.npos, each.fault.empty()) << each.name << ": " << found;
    }
}

}  // namespace rope::mistakes_test
