// The vectors show which axis is the sequence: heads at one position rotate alike.
#include <gtest/gtest.h>

#include <cmath>

#include "io/shape/shape.hpp"
#include "rope/spec/dimensions.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io {
namespace vector_axes_test {

constexpr std::uint64_t dimensions = 16;

struct Pair {
    NamedArray before, after;
};

// Seeded vectors of this shape, rotated by their index along `sequence`, starting at `from`.
Pair rotated(const Spec& spec, const std::vector<std::uint64_t>& shape, std::size_t sequence,
             std::uint64_t first = 0) {
    std::uint64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis) rows *= shape[axis];
    std::vector<double> before, after;
    Seeded random(rows);
    for (std::uint64_t row = 0; row < rows; ++row) {
        const double m = static_cast<double>(first + index_on(shape, sequence, row));
        const Vector x = random.vector(dimensions);
        Vector cos, sin;
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double angle = m * std::pow(spec.rope_theta, -2.0 * i / spec.rotary_dim);
            cos.push_back(std::cos(angle));
            sin.push_back(std::sin(angle));
        }
        const Vector y = rotate(spec, x, cos, sin);
        before.insert(before.end(), x.begin(), x.end());
        after.insert(after.end(), y.begin(), y.end());
    }
    return {floats("q", shape, before), floats("q_rot", shape, after)};
}

// One head of three is not rotated: the others determine the axis.
TEST(Axes, AreFoundDespiteAHeadThatIsNotRotated) {
    const Spec spec = spec_of(dimensions, 10000);
    auto [before, after] = rotated(spec, {2, 3, 40, dimensions}, 2);
    std::vector<double> mixed = after.array.values();
    const std::vector<double> plain = before.array.values();
    for (std::size_t k = 0; k < mixed.size(); ++k)
        if (k / (40 * dimensions) % 3 == 2) mixed[k] = plain[k];
    const RotatedDump dump =
        rotated_dump(before, floats("q_rot", {2, 3, 40, dimensions}, mixed), std::nullopt, spec);
    EXPECT_EQ(dump.grid.sequence.length, 40u);
    EXPECT_EQ(dump.grid.head.length, 3u);
}

TEST(Axes, AreFoundOfVectorsOfAnyNorm) {
    const Spec spec = spec_of(dimensions, 10000);
    const Pair pair = rotated(spec, {2, 3, 40, dimensions}, 2);
    for (const double norm : {0x1p-20, 1.0, 0x1p20}) {
        const auto times = [&](const NamedArray& one) {
            std::vector<double> values = one.array.values();
            for (double& value : values) value *= norm;
            return floats(one.name, one.array.shape, values);
        };
        const RotatedDump dump =
            rotated_dump(times(pair.before), times(pair.after), std::nullopt, spec);
        EXPECT_EQ(dump.grid.sequence.length, 40u) << norm;
        EXPECT_EQ(dump.grid.head.length, 3u) << norm;
    }
}

TEST(Axes, OfUnrotatedVectorsAreTheLongest) {
    const Spec spec = spec_of(dimensions, 10000);
    const Pair pair = rotated(spec, {2, 3, 40, dimensions}, 2);
    EXPECT_EQ(rotated_dump(pair.before, pair.before, std::nullopt, spec).grid.sequence.length, 40u);
}

RowGrid grid_next_to(const std::vector<std::uint64_t>& shape,
                     const std::vector<std::uint64_t>& ids_shape, const std::vector<double>& ids,
                     const DumpHints& asked) {
    const NamedArray q = floats("q", shape, counting(shape[0] * shape[1] * shape[2] * dimensions));
    return rotated_dump(q, q, floats("ids", ids_shape, ids), asked).grid;
}

// the shape in mlx#3494, #3795 and #3949
TEST(Axes, OfADecodeStepAreABatchOfOneTokenEach) {
    const Spec spec = spec_of(dimensions, 10000);
    const std::vector<double> ids{17, 4, 250};
    const auto expect_entries = [&](const RowGrid& grid) {
        EXPECT_EQ(grid.batch.length, 3u);
        EXPECT_EQ(grid.head.length, 5u);
        EXPECT_EQ(grid.sequence.length, 1u);
    };
    expect_entries(grid_next_to({3, 5, 1, dimensions}, {3, 1}, ids, spec));
    expect_entries(grid_next_to({3, 1, 5, dimensions}, {3, 1}, ids, spec));
    expect_entries(grid_next_to({3, 5, 1, dimensions}, {3}, ids, spec));
    expect_entries(grid_next_to({3, 5, 1, dimensions}, {3, 1}, {6, 6, 6}, spec));
    DumpHints asked(spec);
    asked.axes = "bhsd";
    expect_entries(grid_next_to({3, 5, 1, dimensions}, {3, 1}, {5, 6, 7}, asked));
    asked.axes = "bshd";
    expect_entries(grid_next_to({3, 1, 5, dimensions}, {3}, ids, asked));
}

// [3, L] with three heads that are not a batch
TEST(Axes, WithoutABatchArePositionsOnSeveral) {
    const NamedArray q = floats("q", {3, 5, dimensions}, counting(15 * dimensions));
    const NamedArray ids = floats("ids", {3, 5}, counting(15));
    DumpHints asked;
    for (const auto& [axes, further] : {std::pair("hsd", 2), std::pair("bsd", 0)}) {
        asked.axes = axes;
        EXPECT_EQ(rotated_dump(q, q, ids, asked).more_positions.size(), further) << axes;
    }
}

// [batch, heads, sequence, 3·dim] has an axis of heads already: its last axis is one head, with
// other dimensions
TEST(Axes, OfHeadsAreNotCutAgain) {
    const NamedArray q = floats("q", {1, 2, 5, 3 * dimensions}, counting(30 * dimensions));
    EXPECT_NE(error_message<InputError>([&] {
                  rotated_dump(q, q, std::nullopt, spec_of(dimensions, 10000));
              }).find("q: shape [1, 2, 5, 48] ends neither in head_dim = 16 dimensions"),
              std::string::npos);
}

TEST(Axes, OfPositionsThatCountUpAreOneSequence) {
    const Spec spec = spec_of(dimensions, 10000);
    for (const std::vector<std::uint64_t>& shape :
         {std::vector<std::uint64_t>{3, 1, 5, dimensions}, {3, 5, 1, dimensions}})
        EXPECT_EQ(grid_next_to(shape, {3, 1}, {5, 6, 7}, spec).sequence.length, 3u);
    EXPECT_EQ(grid_next_to({3, 1, 5, dimensions}, {3}, {17, 4, 250}, spec).sequence.length, 3u);
}

TEST(Axes, AreFoundInEveryOrderWithoutPositions) {
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
        for (const std::uint32_t rotary_dim : {8U, 16U}) {
            Spec spec = spec_of(rotary_dim, 10000);
            spec.head_dim = dimensions;
            spec.layout = layout;
            struct Order {
                std::vector<std::uint64_t> shape;
                std::size_t sequence;
            };
            for (const auto& [shape, sequence] : std::vector<Order>{{{1, 3, 40, dimensions}, 2},
                                                                    {{1, 40, 3, dimensions}, 1},
                                                                    {{2, 3, 40, dimensions}, 2},
                                                                    {{40, 2, 3, dimensions}, 0},
                                                                    {{40, 2, dimensions}, 0},
                                                                    {{4, 4, 4, dimensions}, 1},
                                                                    {{5, 7, dimensions}, 1}}) {
                const auto [before, after] = rotated(spec, shape, sequence);
                const RotatedDump dump = rotated_dump(before, after, std::nullopt, spec);
                const std::string found = marks(spec, *rotated_rows(spec, dump));
                EXPECT_EQ(found.find('X'), found.npos) << shape_text(shape) << sequence;
            }
        }
}

TEST(Axes, OfEqualLengthFollowFromTheVectors) {
    const Spec spec = spec_of(dimensions, 10000);
    for (const std::size_t sequence : {1U, 2U}) {
        const auto [before, after] = rotated(spec, {1, 6, 6, dimensions}, sequence, 100);
        const RotatedDump dump =
            rotated_dump(before, after, whole("p", {6}, {100, 101, 102, 103, 104, 105}), spec);
        EXPECT_EQ(marks(spec, *rotated_rows(spec, dump)).substr(0, 3), ". .") << sequence;
    }
}

TEST(Axes, AreAskedForWhereNoneTurnsAlike) {
    const NamedArray before = rotated(spec_of(dimensions, 10000), {3, 4, dimensions}, 0).before;
    const NamedArray others =
        floats("q_rot", {3, 4, dimensions}, Seeded(9).vector(12 * dimensions));
    EXPECT_EQ(
        error_message<InputError>(
            [&] { rotated_dump(before, others, std::nullopt, spec_of(dimensions, 10000)); }),
        "q: shape [3, 4, 16] does not determine which axis is the sequence: along no axis do all "
        "vectors rotate by one angle per position (zeros, values that are not finite and batch "
        "entries at other positions prevent it); pass --axes bsd or hsd or shd or sbd for a "
        "diagnosis");
    // unrotated vectors pass along any axis
    DumpHints still = spec_of(dimensions, 10000);
    still.is_any_axis_right = true;
    EXPECT_EQ(rotated_dump(before, others, std::nullopt, still).positions.size(), 12u);
}

// [1, 4, 1, d] without positions: a right decode step of four heads was checked as four rows of one
// head with the same position.
TEST(Axes, OfOneTokenOrOneHeadAreAskedForWhereAllVectorsTurnAlike) {
    const Spec spec = spec_of(dimensions, 10000);
    for (const std::uint64_t position : {0U, 7U}) {
        const auto [before, after] = rotated(spec, {1, 4, 1, dimensions}, 2, position);
        EXPECT_EQ(
            error_message<InputError>([&] { rotated_dump(before, after, std::nullopt, spec); }),
            "q: shape [1, 4, 1, 16] may be one row of 4 heads or 4 rows of one; pass positions, "
            "or --axes bhsd or bshd");
        const std::vector<double> ids{static_cast<double>(position)};
        EXPECT_EQ(rotated_dump(before, after, floats("p", {1}, ids), spec).grid.head.length, 4u);
    }
    const auto [before, after] = rotated(spec, {1, 4, 1, dimensions}, 1);
    EXPECT_EQ(rotated_dump(before, after, std::nullopt, spec).grid.sequence.length, 4u);
}

// Positions on several axes, without a Spec.
TEST(Axes, OfPositionsAreTakenFromTheirShapeWithoutASpec) {
    const NamedArray q = floats("q", {1, 2, 5, 4}, counting(40));
    const NamedArray ids = whole("p", {3, 1, 5}, counting(15));
    const RotatedDump dump = rotated_dump(q, q, ids, DumpHints());
    EXPECT_EQ(dump.positions, (Positions{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}));
    ASSERT_EQ(dump.more_positions.size(), 2u);
    EXPECT_EQ(dump.more_positions[1], (Positions{10, 11, 12, 13, 14, 10, 11, 12, 13, 14}));
}

}  // namespace vector_axes_test
}  // namespace rope::io
