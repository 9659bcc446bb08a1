// Two tables in the rows of one array, and one table that wraps around.
#include <gtest/gtest.h>

#include <cmath>

#include "io/dump/dump.hpp"
#include "tests/rope/dumps.hpp"

namespace rope::io {
namespace stacked_tables_test {

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

}  // namespace stacked_tables_test
}  // namespace rope::io
