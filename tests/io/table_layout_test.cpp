// A table gives the same dump in every layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "io/dump/dump.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io {
namespace table_layout_test {

constexpr std::uint32_t pairs = 16;

std::vector<double> iota_from(std::uint64_t first, std::size_t rows) {
    std::vector<double> positions(rows);
    for (std::size_t row = 0; row < rows; ++row) positions[row] = static_cast<double>(first + row);
    return positions;
}

using At = double (*)(double angle);
double cosine(double angle) { return std::cos(angle); }
double sine(double angle) { return std::sin(angle); }
double opposite_sine(double angle) { return -std::sin(angle); }
double itself(double angle) { return angle; }

// One column of a layout: its pair, and cos or sin with its sign.
struct Column {
    std::uint32_t pair;
    At at;
};

double angle_of(double position, std::uint32_t pair) {
    return position * std::pow(10000.0, -2.0 * pair / (2 * pairs));
}

std::vector<double> rows_of(const std::vector<double>& positions,
                            const std::vector<Column>& columns) {
    std::vector<double> values;
    for (const double position : positions)
        for (const auto& [pair, at] : columns) values.push_back(at(angle_of(position, pair)));
    return values;
}

std::vector<Column> halves(At first, At second) {
    std::vector<Column> columns;
    for (const At at : {first, second})
        for (std::uint32_t i = 0; i < pairs; ++i) columns.push_back({i, at});
    return columns;
}
std::vector<Column> neighbours(At first, At second) {
    std::vector<Column> columns;
    for (std::uint32_t i = 0; i < pairs; ++i) {
        columns.push_back({i, first});
        columns.push_back({i, second});
    }
    return columns;
}
std::vector<Column> once(At at) {
    std::vector<Column> columns;
    for (std::uint32_t i = 0; i < pairs; ++i) columns.push_back({i, at});
    return columns;
}

// ((c, −s), (s, c))
std::vector<Column> rotations() {
    std::vector<Column> columns;
    for (std::uint32_t i = 0; i < pairs; ++i)
        for (const At at : {cosine, opposite_sine, sine, cosine}) columns.push_back({i, at});
    return columns;
}

struct Kept {
    const char* layout;
    std::vector<Column> first, second;          // the second array's; empty: there is one
    std::vector<std::uint64_t> last_axes = {};  // none: the columns

    friend void PrintTo(const Kept& kept, std::ostream* out) { *out << kept.layout; }
};

// conformance passes, and no law is violated
bool holds(const Spec& spec, const TableDump& dump) {
    const std::string found = marks(spec, *table_rows(spec, dump));
    return found.starts_with(". .") && found.find('X') == found.npos;
}

class EveryLayout : public testing::TestWithParam<Kept> {
  public:
    TableDump load(std::uint64_t first_position, const DumpHints& asked) const {
        const auto [layout, first, second, last_axes] = GetParam();
        const std::size_t rows = 40;
        const auto positions = iota_from(first_position, rows);
        std::vector<std::uint64_t> shape{rows, first.size()};
        if (!last_axes.empty()) {
            shape = {rows};
            shape.insert(shape.end(), last_axes.begin(), last_axes.end());
        }
        const NamedArray ids = whole("p", {rows}, positions);
        const NamedArray one = floats("one", shape, rows_of(positions, first));
        if (second.empty()) return table_dump(one, ids, asked);
        return table_dump(one, floats("two", shape, rows_of(positions, second)), ids, asked);
    }
};

TEST_P(EveryLayout, IsFoundFromItsNumbersWithAndWithoutASpec) {
    const Spec spec = spec_of(2 * pairs, 10000);
    for (const std::uint64_t first : {0U, 1U, 777U})
        for (const bool is_determined : {true, false}) {
            const TableDump dump = load(first, is_determined ? DumpHints(spec) : DumpHints());
            ASSERT_EQ(dump.pairs, pairs) << first << is_determined;
            EXPECT_TRUE(holds(spec, dump)) << first << is_determined;
        }
}

TEST_P(EveryLayout, IsReadAsItIsNamed) {
    DumpHints asked;
    asked.layout = parse_cache_layout(GetParam().layout);
    const Spec spec = spec_of(2 * pairs, 10000);
    EXPECT_TRUE(holds(spec, load(777, asked)));
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout, testing::Values(
    Kept{"duplicated", halves(cosine, cosine),     halves(sine, sine)},
    Kept{"repeated",   neighbours(cosine, cosine), neighbours(sine, sine)},
    Kept{"half",       once(cosine),               once(sine)},
    Kept{"cos-sin",    halves(cosine, sine),       {}},
    Kept{"sin-cos",    halves(sine, cosine),       {}},
    Kept{"ggml",       neighbours(cosine, sine),   {}},
    Kept{"stacked",    neighbours(cosine, sine),   {}, {pairs, 2}},
    Kept{"complex",    neighbours(cosine, sine),   {}, {pairs, 2}},
    Kept{"matrices",   rotations(),                {}, {pairs, 2, 2}},
    Kept{"angles",     halves(itself, itself),     {}},
    Kept{"angles",     neighbours(itself, itself), {}},
    Kept{"angles",     once(itself),               {}}),
    [](const auto& row) {
        std::string name(row.param.layout);
        std::erase(name, '-');
        return name + std::to_string(row.index);
    });
// clang-format on

TEST(Angles, OfDoublesAreExactToTheLastPosition) {
    const std::vector<double> positions{0, 1, 65521, 4294967295};
    std::vector<double> angles;
    for (const double position : positions)
        for (std::uint32_t i = 0; i < pairs; ++i) angles.push_back(angle_of(position, i));
    DumpHints asked;
    asked.layout = CacheLayout::angles;
    const TableDump dump =
        table_dump(array_of<double>("angles", Element::float64, {4, pairs}, angles),
                   whole("p", {4}, positions), asked);
    ASSERT_EQ(dump.pairs, pairs);
    for (std::uint64_t row = 0; row < 4; ++row)
        for (std::uint32_t i = 0; i < pairs; ++i) {
            EXPECT_NEAR(dump.cos.at(row, i), std::cos(angles[row * pairs + i]), 0x1p-47);
            EXPECT_NEAR(dump.sin.at(row, i), std::sin(angles[row * pairs + i]), 0x1p-47);
        }
}

TEST(Angles, OfManyRowsAreFoundByASampleOfThem) {
    constexpr std::size_t rows = 5000;
    const TableDump dump = table_dump(
        floats("one", {rows, pairs}, rows_of(iota_from(0, rows), once(itself))), std::nullopt, {});
    EXPECT_EQ(dump.read_as.at(0).value, "angles");
}

TEST(Angles, BeyondEveryPositionAreNoNumbers) {
    DumpHints asked;
    asked.layout = CacheLayout::angles;
    const TableDump dump =
        table_dump(array_of<double>("angles", Element::float64, {1, 6},
                                    {1e300, std::nan(""), 0, 0x1p33, -0x1p33, 0x1p33 - 1}),
                   std::nullopt, asked);
    for (const std::uint32_t i : {0U, 1U, 3U, 4U}) {
        EXPECT_TRUE(std::isnan(dump.cos.at(0, i))) << i;
        EXPECT_TRUE(std::isnan(dump.sin.at(0, i))) << i;
    }
    EXPECT_EQ(dump.cos.at(0, 2), 1);
    EXPECT_NEAR(dump.cos.at(0, 5), std::cos(0x1p33 - 1), 0x1p-16);
}

// Without a SPEC: from one column to those of the widest head.
TEST(Widths, AreThoseOfAHead) {
    constexpr std::uint64_t widest = max_head_dim;
    DumpHints asked;
    const auto rows = [](std::uint64_t columns) {
        return floats("one", {1, columns}, std::vector<double>(columns, 1));
    };
    const auto two = [&](std::uint64_t columns) {
        return error_message<InputError>(
            [&] { table_dump(rows(columns), rows(columns), std::nullopt, asked); });
    };
    EXPECT_EQ(two(1), "[no error]");
    EXPECT_EQ(two(widest), "[no error]");
    EXPECT_EQ(two(widest + 1), "one: shape [1, 65537] is not rows of 1 to 65536 columns");
    asked.layout = CacheLayout::angles;
    const auto angles = [&](std::uint64_t columns) {
        return error_message<InputError>([&] { table_dump(rows(columns), std::nullopt, asked); });
    };
    EXPECT_EQ(angles(1), "[no error]");
    EXPECT_EQ(angles(widest), "[no error]");
    EXPECT_EQ(angles(widest + 1), "one: shape [1, 65537] is not rows of 1 to 65536 columns");
}

TEST(Fused, WithoutARotationNamesTheOpenQuestion) {
    const NamedArray noise = floats("noise.npy", {2, 4}, {0.1, 3, -0.4, 0.01, 1.5, -0.2, 0.7, 2});
    EXPECT_EQ(error_message<InputError>([&] { table_dump(noise, std::nullopt, DumpHints()); }),
              "noise.npy: shape [2, 4] does not determine where its cosines and sines are; pass "
              "--cache-layout cos-sin, sin-cos, ggml or angles");
    const NamedArray row = floats("row.npy", {1, 4}, {0.6, 0.6, 0.8, 0.8});
    EXPECT_EQ(
        error_message<InputError>([&] { table_dump(row, whole("p", {1}, {5}), DumpHints()); }),
        "row.npy: shape [1, 4] does not determine where its cosines and sines are; pass "
        "--cache-layout cos-sin or sin-cos");
}

// cos a, sin a next to sin a, cos a: c0 c1 s0 s1 and c0 s0 c1 s1 both lie on circles.
TEST(Fused, ThatTwoLayoutsExplainEquallyIsLeftOpen) {
    std::vector<double> values;
    for (const double angle : {0.3, 0.6, 0.9, 1.2})
        values.insert(values.end(),
                      {std::cos(angle), std::sin(angle), std::sin(angle), std::cos(angle)});
    const NamedArray both = floats("both.npy", {4, 4}, values);
    EXPECT_EQ(error_message<InputError>(
                  [&] { table_dump(both, whole("p", {4}, {3, 4, 5, 6}), DumpHints()); }),
              "both.npy: shape [4, 4] does not determine where its cosines and sines are; pass "
              "--cache-layout cos-sin, sin-cos, ggml or angles");
}

// Slow pairs' cosines are about 1, and the sums of their squares about 2.
TEST(Fused, RefusesCosinesWithoutSines) {
    const std::vector<double> positions = iota_from(0, 64);
    const auto refusal = [&](const std::vector<Column>& columns) {
        const NamedArray one = floats("cos.npy", {64, columns.size()}, rows_of(positions, columns));
        return error_message<InputError>([&] { table_dump(one, std::nullopt, DumpHints()); });
    };
    const std::string why =
        "cos.npy: holds cosines or sines alone; give both, with cos=FILE and sin=FILE (or "
        "--cache-layout, where it holds both)";
    EXPECT_EQ(refusal(neighbours(cosine, cosine)), why);
    EXPECT_EQ(refusal(halves(cosine, cosine)), why);
    std::vector<Column> half = halves(cosine, cosine);
    half.resize(pairs);
    EXPECT_EQ(refusal(half), why);
}

TEST(Fused, RefusesMatricesThatAreNoRotations) {
    const NamedArray one = floats("freqs_cis", {2, 1, 2, 2}, {1, 0, 0, 1, 0.5, -0.75, 0.75, 0.25});
    EXPECT_EQ(error_message<InputError>([&] { table_dump(one, std::nullopt, DumpHints()); }),
              "freqs_cis: matrix 1 is ((0.5, -0.75), (0.75, 0.25)), which is not ((cos, −sin), "
              "(sin, cos))");
}

// A sample of the rows decides, because the first row would identify the half with cosines.
TEST(Fused, OfManyRowsIsFoundThoughTheFirstIsNoNumber) {
    constexpr std::size_t rows = 5000;
    const auto load = [&](const std::vector<Column>& columns) {
        std::vector<double> values = rows_of(iota_from(0, rows), columns);
        std::fill_n(values.begin(), 2 * pairs, std::nan(""));
        return table_dump(floats("one", {rows, 2 * pairs}, values), std::nullopt, DumpHints());
    };
    EXPECT_EQ(load(neighbours(cosine, sine)).read_as.at(0).value, "ggml");
    EXPECT_EQ(error_message<InputError>([&] { load(halves(cosine, sine)); }),
              "one: shape [5000, 32] does not determine where its cosines and sines are; pass "
              "--cache-layout cos-sin or sin-cos");
}

TEST(Fused, RefusesALayoutThatItDoesNotHave) {
    const NamedArray row = floats("row.npy", {1, 4}, {1, 1, 0, 0});
    DumpHints asked;
    const auto refusal = [&](CacheLayout layout) {
        asked.layout = layout;
        return error_message<InputError>([&] { table_dump(row, std::nullopt, asked); });
    };
    EXPECT_EQ(refusal(CacheLayout::half), "cache layout half needs two arrays; row.npy is one");
    EXPECT_EQ(refusal(CacheLayout::stacked),
              "row.npy: shape [1, 4] does not end in 2, a cosine and a sine");
    EXPECT_EQ(
        refusal(CacheLayout::matrices),
        "row.npy: shape [1, 4] does not end in [2, 2], rotations by ((cos, −sin), (sin, cos))");
    asked.layout = CacheLayout::ggml;
    EXPECT_EQ(error_message<InputError>([&] { table_dump(row, row, std::nullopt, asked); }),
              "cache layout ggml needs one array; separate cos and sin are half, duplicated or "
              "repeated");
    EXPECT_EQ(
        error_message<InputError>([&] { table_dump(row, std::nullopt, spec_of_dimensions(8, 8)); }),
        "row.npy: shape [1, 4] does not end in 8 columns or in [4, 2] after the rows; "
        "rotary_dim is 8");
}

}  // namespace table_layout_test
}  // namespace rope::io
