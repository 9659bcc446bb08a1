#include <gtest/gtest.h>

#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io::table_dump_test {

struct TableShape {
    const char* name;
    std::vector<std::uint64_t> shape;           // of four values a row, rotary_dim 8
    std::vector<std::uint64_t> position_shape;  // empty: none
    std::vector<double> positions;
    Positions expected;

    friend void PrintTo(const TableShape& row, std::ostream* out) { *out << row.name; }
};

TEST(Rows, AreAsManyAs2To24) {
    const NamedArray dump = floats("cos.npy", {2, 4}, counted(8));
    require_rows(dump, std::uint64_t{1} << 24);
    EXPECT_EQ(error_message<InputError>([&] { require_rows(dump, (std::uint64_t{1} << 24) + 1); }),
              "cos.npy: shape [2, 4] has 16777217 rows; the limit is 16777216");
}

// Without a Spec the number of axes is open: two to four
TEST(PositionAxes, FollowFromTheirNumber) {
    for (const std::uint64_t axes : {2U, 3U, 4U, 5U, 6U}) {
        const NamedArray ids = whole("ids", {axes, 40}, counted(axes * 40));
        EXPECT_EQ(positions_by_axis(ids, {}, {40}).size(), axes <= 4 ? axes : 1) << axes;
    }
}

class GoodTable : public testing::TestWithParam<TableShape> {};

TEST_P(GoodTable, HasAPositionForEachRow) {
    const auto& [name, shape, position_shape, positions, expected] = GetParam();
    std::optional<NamedArray> ids;
    if (!position_shape.empty()) ids = whole("p.npy", position_shape, positions);
    const std::vector<double> values = counted(4 * expected.size());
    const TableDump dump = table_dump(floats("cos.npy", shape, values),
                                      floats("sin.npy", shape, values), ids, partial(16, 8));
    EXPECT_EQ(dump.positions, expected);
    EXPECT_EQ(dump.pairs, 4u);
    EXPECT_EQ(values_of(dump.cos, expected.size(), 4), values);
    EXPECT_EQ(values_of(dump.sin, expected.size(), 4), values);
    EXPECT_EQ(dump.format, Format::float32);
    EXPECT_EQ(dump.origin, "cos.npy, sin.npy");
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Shapes, GoodTable, testing::Values(
    TableShape{"rows", {3, 4}, {}, {}, {0, 1, 2}},
    TableShape{"batch_of_one", {1, 3, 4}, {}, {}, {0, 1, 2}},
    TableShape{"labml", {3, 1, 1, 4}, {}, {}, {0, 1, 2}},
    TableShape{"batch", {2, 2, 4}, {}, {}, {0, 1, 0, 1}},
    TableShape{"one_row", {1, 4}, {}, {}, {0}},
    TableShape{"ids", {3, 4}, {3}, {5, 0, 7}, {5, 0, 7}},
    TableShape{"ids_batch_of_one", {3, 4}, {1, 3}, {5, 6, 7}, {5, 6, 7}},
    TableShape{"ids_for_each", {2, 2, 4}, {2, 2}, {0, 1, 8, 9}, {0, 1, 8, 9}},
    TableShape{"ids_for_all", {2, 2, 4}, {2}, {3, 4}, {3, 4, 3, 4}},
    TableShape{"ids_scalar", {1, 4}, {1}, {4294967295}, {4294967295}}),
    [](const auto& row) { return row.param.name; });
// clang-format on

TEST(Table, KeepsOneOfTwoCopiesOfEachColumn) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const NamedArray halves = floats("c", {2, 4}, {1, 2, 1, 2, 3, nan, 3, nan});
    TableDump dump = table_dump(halves, halves, std::nullopt, partial(4, 4));
    EXPECT_EQ(dump.pairs, 2u);
    EXPECT_EQ(dump.cos.at(0, 0), 1);
    EXPECT_EQ(dump.cos.at(0, 1), 2);
    EXPECT_EQ(dump.cos.at(1, 0), 3);
    EXPECT_TRUE(std::isnan(dump.cos.at(1, 1)));
    const NamedArray neighbours = floats("c", {2, 4}, {1, 1, 2, 2, 3, 3, nan, nan});
    dump = table_dump(neighbours, neighbours, std::nullopt, partial(4, 4));
    EXPECT_EQ(dump.cos.at(0, 1), 2);
    EXPECT_TRUE(std::isnan(dump.cos.at(1, 1)));
}

std::string table_refusal(const NamedArray& cos, const NamedArray& sin,
                          const std::optional<NamedArray>& ids = std::nullopt,
                          const DumpHints& asked = partial(4, 4)) {
    return error_message<InputError>([&] { table_dump(cos, sin, ids, asked); });
}

std::string refusal(const NamedArray& one, const std::optional<NamedArray>& ids = std::nullopt,
                    const DumpHints& asked = {}) {
    return error_message<InputError>([&] { table_dump(one, ids, asked); });
}

// Pairs f0 f1 f0 f1, of two axes at one position, with each column repeated.
TEST(Table, OfTwoAxesIsReadByThemWhereBothKindsOfCopiesFit) {
    const auto row_of = [](const std::vector<double>& columns, AxisScheme scheme) {
        const Spec spec = on_axes(partial(8, 8), {scheme});
        const NamedArray table = floats("c", {1, 8}, columns);
        return values_of(table_dump(table, table, std::nullopt, spec).cos, 1, 4);
    };
    using Row = std::vector<double>;
    const Row repeated{1, 1, 2, 2, 1, 1, 2, 2}, duplicated{1, 2, 1, 2, 1, 2, 1, 2};
    EXPECT_EQ(row_of(repeated, AxisScheme::axial), (Row{1, 2, 1, 2}));
    EXPECT_EQ(row_of(duplicated, AxisScheme::axial), (Row{1, 2, 1, 2}));
    EXPECT_EQ(row_of(repeated, AxisScheme::alternating), (Row{1, 1, 2, 2}));
    EXPECT_EQ(row_of(repeated, AxisScheme::single), (Row{1, 1, 2, 2}));
}

TEST(Table, RefusesColumnsThatMostlyOccurOnce) {
    const NamedArray wide = floats("cos.npy", {2, 4}, {1, 2, 1, 3, 3, 4, 5, 6});
    EXPECT_EQ(table_refusal(wide, wide),
              "cos.npy: columns 1 and 3 of row 0 differ, so it is not cat(f, f); cos.npy: columns "
              "0 and 1 of row 0 differ, so it is not f0 f0 f1 f1");
    const NamedArray zeros = floats("cos.npy", {1, 4}, {0.0, 1, -0.0, 1});
    EXPECT_EQ(table_refusal(zeros, zeros).substr(0, 43),
              "cos.npy: columns 0 and 2 of row 0 differ, s");
}

TEST(Table, RefusesShapesThatDoNotFit) {
    // clang-format off
    const NamedArray good = floats("cos.npy", {3, 2}, counted(6));
    const std::pair<NamedArray, const char*> sines[] = {
        {floats("sin.npy", {2, 2}, counted(4)), "cos.npy is [3, 2] but sin.npy is [2, 2]; they must have the same shape"},
        {whole("sin.npy", {3, 2}, counted(6)), "sin.npy: holds integers; it must hold floats"},
        {array_of<std::uint16_t>("sin.npy", Element::uint16, {3, 2}, counted(6)), "sin.npy: holds uint16, not floats; if they are the bits of bfloat16: (x.view('uint16').astype('uint32') << 16).view('float32')"},
        {array_of<double>("sin.npy", Element::float64, {3, 2}, counted(6)), "cos.npy is float32 but sin.npy is float64; they must have one format: convert one, as by astype"}};
    for (const auto& [sin, message] : sines) EXPECT_EQ(table_refusal(good, sin), message);
    const std::pair<std::vector<std::uint64_t>, const char*> shapes[] = {
        {{2, 6}, "[2, 6] does not end in 2 or 4 columns after the rows; rotary_dim is 4"},
        {{4}, "[4] does not end in 2 or 4 columns after the rows; rotary_dim is 4"},
        {{0, 4}, "[0, 4] holds nothing"},
        {{2, 2, 2, 2}, "[2, 2, 2, 2] has more axes than a batch, positions and columns"}};
    // clang-format on
    for (const auto& [shape, what] : shapes) {
        std::size_t count = 1;
        for (const std::uint64_t length : shape) count *= length;
        const NamedArray one = floats("cos.npy", shape, counted(count));
        EXPECT_EQ(table_refusal(one, one), std::string("cos.npy: shape ") + what);
    }
}

TEST(Table, RefusesPositionsThatDoNotFit) {
    const NamedArray good = floats("cos.npy", {3, 2}, counted(6));
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {2}, {0, 1})),
              "p.npy: shape [2] does not give each row of cos.npy, shape [3, 2], a position; it "
              "must be [3]");
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {2, 3, 4}, counted(24))),
              "p.npy: shape [2, 3, 4] is not [L], [1, L] or [B, L]");
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {3}, {0, -4294967296, 2})),
              "p.npy: value 1 is -4294967296; a position is between -2^32 and 2^32");
    for (const double value : {-4294967296.5, 4294967296.0, std::nan(""), HUGE_VAL})
        EXPECT_NE(table_refusal(good, good, floats("p.npy", {3}, {0, 1, value})), "[no error]");
}

// Two tables in the rows of one array, and one table that wraps around.

OwnTable table(const std::vector<std::pair<std::uint64_t, double>>& lengths_and_bases) {
    OwnTable own;
    own.pairs = 4;
    for (const auto& [length, base] : lengths_and_bases)
        for (std::uint64_t m = 0; m < length; ++m) {
            own.positions.push_back(static_cast<double>(own.positions.size()));
            for (std::uint32_t i = 0; i < own.pairs; ++i) {
                const double angle = static_cast<double>(m) * std::pow(base, -2.0 * i / 8);
                own.cos.push_back(std::cos(angle));
                own.sin.push_back(std::sin(angle));
            }
        }
    return own;
}

void set_row(OwnTable& own, std::size_t row, double cos, double sin) {
    const auto first = static_cast<std::ptrdiff_t>(row * own.pairs);
    std::fill_n(own.cos.begin() + first, own.pairs, cos);
    std::fill_n(own.sin.begin() + first, own.pairs, sin);
}

TEST(StackedTables, ComeApartWhereTheSecondStarts) {
    const auto tables = stacked_tables(table({{5, 1e4}, {7, 5e5}}));
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0].positions, (std::vector<double>{0, 1, 2, 3, 4}));
    EXPECT_EQ(tables[1].positions, (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(tables[1].cos.at(0, 3), 1);
    EXPECT_EQ(tables[1].cos.at(6, 3), std::cos(6 * std::pow(5e5, -0.75)));
}

struct Stack {
    const char* name;
    std::vector<std::pair<std::uint64_t, double>> lengths_and_bases;
    std::vector<std::size_t> lost;  // rows with cos 1 and sin 0, as if they were never written
    std::size_t tables;
};

// After a start rows count 1, 2, 3, …; after a wrong row they go on.
TEST(StackedTables, AreAsManyAsStartWithOtherFrequencies) {
    const Stack stacks[] = {
        {"one", {{12, 1e4}}, {}, 1},
        {"three", {{5, 1e4}, {7, 5e5}, {3, 2e5}}, {}, 3},
        {"of two rows", {{2, 1e4}, {2, 5e5}}, {}, 2},
        {"one that starts over", {{6, 1e4}, {6, 1e4}}, {}, 1},
        {"the second starts over", {{12, 1e4}, {8, 5e5}, {4, 5e5}}, {}, 2},
        {"the second is repeated", {{6, 1e4}, {6, 5e5}, {6, 5e5}}, {}, 3},
        // m // 4, and a prompt padded on the left
        {"several rows of position 0", {{1, 1e4}, {1, 1e4}, {1, 1e4}, {6, 1e4}}, {}, 1},
        {"a lost row", {{40, 1e4}}, {2}, 1},
        {"a lost row far down", {{40, 1e4}}, {30}, 1},
        {"the last but one", {{40, 1e4}}, {38}, 1},
        {"the last row", {{40, 1e4}}, {39}, 1},
        {"two in a row", {{40, 1e4}}, {30, 31}, 1},
        {"two far apart", {{40, 1e4}}, {10, 30}, 1},
        {"two with one between", {{40, 1e4}}, {30, 32}, 1},
        {"two with two between", {{40, 1e4}}, {30, 33}, 1},
        {"three", {{40, 1e4}}, {2, 4, 6}, 1},
        {"a lost row of the first", {{20, 1e4}, {20, 5e5}}, {5}, 2},
        {"the first's last but one", {{20, 1e4}, {20, 5e5}}, {18}, 2},
        {"a lost row of the second", {{20, 1e4}, {20, 5e5}}, {23}, 2},
        {"further down", {{20, 1e4}, {20, 5e5}}, {30}, 2},
        {"the second's last but one", {{20, 1e4}, {20, 5e5}}, {38}, 2},
    };
    for (const auto& [name, lengths_and_bases, lost, count] : stacks) {
        OwnTable own = table(lengths_and_bases);
        for (const std::size_t row : lost) set_row(own, row, 1, 0);
        const auto tables = stacked_tables(own);
        EXPECT_EQ(tables.size(), count) << name;
        if (count > 1) {
            EXPECT_EQ(tables[0].positions.size(), lengths_and_bases[0].first) << name;
        }
    }
}

TEST(StackedTables, AreOneOfRowsThatAreNoRotations) {
    OwnTable own = table({{40, 1e4}});
    set_row(own, 30, 1, 0);
    set_row(own, 31, 0, 0);
    EXPECT_EQ(stacked_tables(own).size(), 1u);
    for (std::size_t row = 0; row < 40; ++row) set_row(own, row, 1, 0);
    EXPECT_EQ(stacked_tables(own).size(), 1u);
    own.pairs = 0;
    EXPECT_EQ(stacked_tables(own).size(), 1u);
}

// Consecutive documents with the same frequencies, with one row and with more.
TEST(StackedTables, AreOneOfPackedDocuments) {
    const std::pair<std::uint64_t, double> one{1, 1e4}, two{2, 1e4}, five{5, 1e4}, nine{9, 1e4};
    for (const auto& lengths : {std::vector{five, one, nine},
                                {nine, one, one, five},
                                {one, five, one, nine},
                                {two, one, two, nine},
                                {nine, two, nine},
                                {five, nine, one}})
        EXPECT_EQ(stacked_tables(table(lengths)).size(), 1u);
}

// A table gives the same dump in every layout.

constexpr std::uint32_t pairs = 16;

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
        const auto positions = counted(rows, static_cast<double>(first_position));
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
        floats("one", {rows, pairs}, rows_of(counted(rows), once(itself))), std::nullopt, {});
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
        return table_refusal(rows(columns), rows(columns), std::nullopt, asked);
    };
    EXPECT_EQ(two(1), "[no error]");
    EXPECT_EQ(two(widest), "[no error]");
    EXPECT_EQ(two(widest + 1), "one: shape [1, 65537] is not rows of 1 to 65536 columns");
    asked.layout = CacheLayout::angles;
    const auto angles = [&](std::uint64_t columns) { return refusal(rows(columns), {}, asked); };
    EXPECT_EQ(angles(1), "[no error]");
    EXPECT_EQ(angles(widest), "[no error]");
    EXPECT_EQ(angles(widest + 1), "one: shape [1, 65537] is not rows of 1 to 65536 columns");
}

TEST(Fused, WithoutARotationNamesTheOpenQuestion) {
    const NamedArray noise = floats("noise.npy", {2, 4}, {0.1, 3, -0.4, 0.01, 1.5, -0.2, 0.7, 2});
    EXPECT_EQ(refusal(noise),
              "noise.npy: shape [2, 4] does not determine where its cosines and sines are; pass "
              "--cache-layout cos-sin, sin-cos, ggml or angles");
    const NamedArray row = floats("row.npy", {1, 4}, {0.6, 0.6, 0.8, 0.8});
    EXPECT_EQ(refusal(row, whole("p", {1}, {5})),
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
    EXPECT_EQ(refusal(both, whole("p", {4}, {3, 4, 5, 6})),
              "both.npy: shape [4, 4] does not determine where its cosines and sines are; pass "
              "--cache-layout cos-sin, sin-cos, ggml or angles");
}

// Slow pairs' cosines are about 1, and the sums of their squares about 2.
TEST(Fused, RefusesCosinesWithoutSines) {
    const std::vector<double> positions = counted(64);
    const auto refusal_of = [&](const std::vector<Column>& columns) {
        return refusal(floats("cos.npy", {64, columns.size()}, rows_of(positions, columns)));
    };
    const std::string why =
        "cos.npy: holds cosines or sines alone; give both, with cos=FILE and sin=FILE (or "
        "--cache-layout, where it holds both)";
    EXPECT_EQ(refusal_of(neighbours(cosine, cosine)), why);
    EXPECT_EQ(refusal_of(halves(cosine, cosine)), why);
    std::vector<Column> half = halves(cosine, cosine);
    half.resize(pairs);
    EXPECT_EQ(refusal_of(half), why);
}

TEST(Fused, RefusesMatricesThatAreNoRotations) {
    const NamedArray one = floats("freqs_cis", {2, 1, 2, 2}, {1, 0, 0, 1, 0.5, -0.75, 0.75, 0.25});
    EXPECT_EQ(refusal(one),
              "freqs_cis: matrix 1 is ((0.5, -0.75), (0.75, 0.25)), which is not ((cos, −sin), "
              "(sin, cos))");
}

// A sample of the rows decides, because the first row would identify the half with cosines.
TEST(Fused, OfManyRowsIsFoundThoughTheFirstIsNoNumber) {
    constexpr std::size_t rows = 5000;
    const auto load = [&](const std::vector<Column>& columns) {
        std::vector<double> values = rows_of(counted(rows), columns);
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
    const auto refusal_as = [&](CacheLayout layout) {
        asked.layout = layout;
        return refusal(row, {}, asked);
    };
    EXPECT_EQ(refusal_as(CacheLayout::half), "cache layout half needs two arrays; row.npy is one");
    EXPECT_EQ(refusal_as(CacheLayout::stacked),
              "row.npy: shape [1, 4] does not end in 2, a cosine and a sine");
    EXPECT_EQ(
        refusal_as(CacheLayout::matrices),
        "row.npy: shape [1, 4] does not end in [2, 2], rotations by ((cos, −sin), (sin, cos))");
    asked.layout = CacheLayout::ggml;
    EXPECT_EQ(table_refusal(row, row, std::nullopt, asked),
              "cache layout ggml needs one array; separate cos and sin are half, duplicated or "
              "repeated");
    EXPECT_EQ(refusal(row, {}, partial(8, 8)),
              "row.npy: shape [1, 4] does not end in 8 columns or in [4, 2] after the rows; "
              "rotary_dim is 8");
}

}  // namespace rope::io::table_dump_test
