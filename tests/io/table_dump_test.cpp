#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>

#include "io/dump/dump.hpp"
#include "io/shape/shape.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/dumps.hpp"

namespace rope::io {
namespace table_dump_test {

struct TableShape {
    const char* name;
    std::vector<std::uint64_t> shape;           // of four values a row, rotary_dim 8
    std::vector<std::uint64_t> position_shape;  // empty: none
    std::vector<double> positions;
    Positions expected;

    friend void PrintTo(const TableShape& row, std::ostream* out) { *out << row.name; }
};

TEST(Rows, AreAsManyAs2To24) {
    const NamedArray dump = floats("cos.npy", {2, 4}, counting(8));
    require_rows(dump, std::uint64_t{1} << 24);
    EXPECT_EQ(error_message<InputError>([&] { require_rows(dump, (std::uint64_t{1} << 24) + 1); }),
              "cos.npy: shape [2, 4] has 16777217 rows; the limit is 16777216");
}

// Without a Spec the number of axes is open: two to four
TEST(PositionAxes, FollowFromTheirNumber) {
    for (const std::uint64_t axes : {2U, 3U, 4U, 5U, 6U}) {
        const NamedArray ids = whole("ids", {axes, 40}, counting(axes * 40));
        EXPECT_EQ(positions_by_axis(ids, {}, {40}).size(), axes <= 4 ? axes : 1) << axes;
    }
}

class GoodTable : public testing::TestWithParam<TableShape> {};

TEST_P(GoodTable, HasAPositionForEachRow) {
    const auto& [name, shape, position_shape, positions, expected] = GetParam();
    std::optional<NamedArray> ids;
    if (!position_shape.empty()) ids = whole("p.npy", position_shape, positions);
    const std::vector<double> values = counting(4 * expected.size());
    const TableDump dump =
        table_dump(floats("cos.npy", shape, values), floats("sin.npy", shape, values), ids,
                   spec_of_dimensions(16, 8));
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
    TableDump dump = table_dump(halves, halves, std::nullopt, spec_of_dimensions(4, 4));
    EXPECT_EQ(dump.pairs, 2u);
    EXPECT_EQ(dump.cos.at(0, 0), 1);
    EXPECT_EQ(dump.cos.at(0, 1), 2);
    EXPECT_EQ(dump.cos.at(1, 0), 3);
    EXPECT_TRUE(std::isnan(dump.cos.at(1, 1)));
    const NamedArray neighbours = floats("c", {2, 4}, {1, 1, 2, 2, 3, 3, nan, nan});
    dump = table_dump(neighbours, neighbours, std::nullopt, spec_of_dimensions(4, 4));
    EXPECT_EQ(dump.cos.at(0, 1), 2);
    EXPECT_TRUE(std::isnan(dump.cos.at(1, 1)));
}

std::string table_refusal(const NamedArray& cos, const NamedArray& sin,
                          const std::optional<NamedArray>& ids = std::nullopt) {
    return error_message<InputError>([&] { table_dump(cos, sin, ids, spec_of_dimensions(4, 4)); });
}

// Pairs f0 f1 f0 f1, of two axes at one position, with each column repeated.
TEST(Table, OfTwoAxesIsReadByThemWhereBothKindsOfCopiesFit) {
    const auto row_of = [](const std::vector<double>& columns, AxisScheme scheme) {
        Spec spec = spec_of_dimensions(8, 8);
        spec.axes.scheme = scheme;
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
    const NamedArray good = floats("cos.npy", {3, 2}, counting(6));
    EXPECT_EQ(table_refusal(good, floats("sin.npy", {2, 2}, counting(4))),
              "cos.npy is [3, 2] but sin.npy is [2, 2]; they must have the same shape");
    EXPECT_EQ(table_refusal(good, whole("sin.npy", {3, 2}, counting(6))),
              "sin.npy: holds integers; it must hold floats");
    const NamedArray bits =
        array_of<std::uint16_t>("sin.npy", Element::uint16, {3, 2}, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(table_refusal(good, bits),
              "sin.npy: holds uint16, not floats; if they are the bits of bfloat16: "
              "(x.view('uint16').astype('uint32') << 16).view('float32')");
    const NamedArray wide = array_of<double>("sin.npy", Element::float64, {3, 2}, counting(6));
    EXPECT_EQ(table_refusal(good, wide),
              "cos.npy is float32 but sin.npy is float64; they must have one format: "
              "convert one, as by astype");
    const NamedArray six = floats("cos.npy", {2, 6}, counting(12));
    EXPECT_EQ(
        table_refusal(six, six),
        "cos.npy: shape [2, 6] does not end in 2 or 4 columns after the rows; rotary_dim is 4");
    const NamedArray flat = floats("cos.npy", {4}, counting(4));
    EXPECT_EQ(table_refusal(flat, flat),
              "cos.npy: shape [4] does not end in 2 or 4 columns after the rows; rotary_dim is 4");
    const NamedArray empty = floats("cos.npy", {0, 4}, {});
    EXPECT_EQ(table_refusal(empty, empty), "cos.npy: shape [0, 4] holds nothing");
    const NamedArray deep = floats("cos.npy", {2, 2, 2, 2}, counting(16));
    EXPECT_EQ(table_refusal(deep, deep),
              "cos.npy: shape [2, 2, 2, 2] has more axes than a batch, positions and columns");
}

TEST(Table, RefusesPositionsThatDoNotFit) {
    const NamedArray good = floats("cos.npy", {3, 2}, counting(6));
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {2}, {0, 1})),
              "p.npy: shape [2] does not give each row of cos.npy, shape [3, 2], a position; it "
              "must be [3]");
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {2, 3, 4}, counting(24))),
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

TEST(StackedTables, ComeApartWhereTheSecondStarts) {
    const auto tables = stacked_tables(table({{5, 1e4}, {7, 5e5}}));
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0].positions, (std::vector<double>{0, 1, 2, 3, 4}));
    EXPECT_EQ(tables[1].positions, (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(tables[1].cos.at(0, 3), 1);
    EXPECT_EQ(tables[1].cos.at(6, 3), std::cos(6 * std::pow(5e5, -0.75)));
    EXPECT_EQ(stacked_tables(table({{5, 1e4}, {7, 5e5}, {3, 2e5}})).size(), 3u);
    EXPECT_EQ(stacked_tables(table({{2, 1e4}, {2, 5e5}})).size(), 2u);
}

TEST(StackedTables, AreOneWithoutPairs) {
    OwnTable none = table({{5, 1e4}});
    none.pairs = 0;
    EXPECT_EQ(stacked_tables(none).size(), 1u);
}

// m // 4, and a prompt padded on the left
TEST(StackedTables, AreOneWhereSeveralRowsAreOfPosition0) {
    OwnTable own = table({{1, 1e4}, {1, 1e4}, {1, 1e4}, {6, 1e4}});
    EXPECT_EQ(stacked_tables(own).size(), 1u);
}

// A batch of two tables with different frequencies; the second starts over, or is repeated.
TEST(StackedTables, StartOverAsOftenAsTheLastOfThemDoes) {
    const auto tables = stacked_tables(table({{12, 1e4}, {8, 5e5}, {4, 5e5}}));
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[1].positions.size(), 12u);
    EXPECT_EQ(stacked_tables(table({{6, 1e4}, {6, 5e5}, {6, 5e5}})).size(), 3u);
}

TEST(StackedTables, AreOneWhereATableStartsOver) {
    EXPECT_EQ(stacked_tables(table({{12, 1e4}})).size(), 1u);
    EXPECT_EQ(stacked_tables(table({{6, 1e4}, {6, 1e4}})).size(), 1u);
    OwnTable zeros = table({{6, 1e4}});
    zeros.cos.assign(zeros.cos.size(), 1);
    zeros.sin.assign(zeros.sin.size(), 0);
    EXPECT_EQ(stacked_tables(zeros).size(), 1u);
}

// cos 1 and sin 0, as in a row that was never written.
void forget(OwnTable& own, std::size_t row) {
    for (std::size_t k = row * own.pairs; k < (row + 1) * own.pairs; ++k) {
        own.cos[k] = 1;
        own.sin[k] = 0;
    }
}

// After a start rows count 1, 2, 3, …; after a wrong row they go on.
TEST(StackedTables, AreOneWhereARowIsLost) {
    for (const std::vector<std::size_t>& lost : std::vector<std::vector<std::size_t>>{
             {2}, {30}, {38}, {39}, {30, 31}, {10, 30}, {30, 32}, {30, 33}, {2, 4, 6}}) {
        OwnTable own = table({{40, 1e4}});
        for (const std::size_t row : lost) forget(own, row);
        EXPECT_EQ(stacked_tables(own).size(), 1u) << lost.front() << " of " << lost.size();
    }
}

TEST(StackedTables, AreOneWhereTheRowBehindALostOneIsZero) {
    OwnTable own = table({{40, 1e4}});
    forget(own, 30);
    std::fill_n(own.cos.begin() + 31 * own.pairs, own.pairs, 0.0);
    std::fill_n(own.sin.begin() + 31 * own.pairs, own.pairs, 0.0);
    EXPECT_EQ(stacked_tables(own).size(), 1u);
}

TEST(StackedTables, ComeApartWhereOneOfThemHasALostRow) {
    for (const std::size_t row : {5u, 18u, 23u, 30u, 38u}) {
        OwnTable own = table({{20, 1e4}, {20, 5e5}});
        forget(own, row);
        const auto tables = stacked_tables(own);
        ASSERT_EQ(tables.size(), 2u) << row;
        EXPECT_EQ(tables[0].positions.size(), 20u) << row;
    }
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

}  // namespace table_dump_test
}  // namespace rope::io
