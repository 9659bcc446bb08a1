#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/dump/dump.hpp"
#include "io/dump/shape.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io::rotated_dump_test {

struct VectorShape {
    const char* name;
    std::vector<std::uint64_t> shape;  // the last is 4
    std::vector<std::uint64_t> position_shape;
    const char* axes;
    Positions expected;

    friend void PrintTo(const VectorShape& row, std::ostream* out) { *out << row.name; }
};

std::size_t product(const std::vector<std::uint64_t>& shape) {
    std::size_t n = 1;
    for (const std::uint64_t length : shape) n *= length;
    return n;
}

std::optional<NamedArray> counting_ids(const std::vector<std::uint64_t>& shape) {
    if (shape.empty()) return std::nullopt;
    return whole("p.npy", shape, counted(product(shape)));
}

TEST(Vectors, WithOnlyBfloat16NumbersAreCheckedAsBfloat16) {
    std::vector<double> values = counted(5 * 64);
    for (double& value : values)
        value = 1 + static_cast<double>(static_cast<int>(value) % 128) / 128;
    const NamedArray q = floats("q.npy", {5, 64}, values);
    const RotatedDump narrow = rotated_dump(q, q, std::nullopt, asked_for(partial(64, 64)));
    EXPECT_EQ(narrow.format, Format::bfloat16);
    EXPECT_EQ(narrow.stored_in, Format::float32);
    values.back() = 1 + 0x1p-20;
    const NamedArray wide = floats("q.npy", {5, 64}, values);
    EXPECT_EQ(rotated_dump(q, wide, std::nullopt, asked_for(partial(64, 64))).format,
              Format::float32);
}

// Rows of 64 dimensions; `rounded` rounds a value in rows whose largest value is 2.
template <class Rounded>
NamedArray dimensions_of(const char* name, Rounded rounded) {
    Seeded random(1);
    std::vector<double> values;
    for (int row = 0; row < 8; ++row) {
        values.push_back(rounded(2.0));
        for (int dimension = 1; dimension < 64; ++dimension)
            values.push_back(rounded(random.within(-2, 2)));
    }
    return floats(name, {8, 64}, values);
}

double rounded_to(int bits, int least, double x) {
    const double spacing = std::ldexp(1.0, std::max(std::ilogb(x), least) - bits + 1);
    return std::nearbyint(x / spacing) * spacing;
}

// [4, 2·64] holds 8 rows of a head, and ends with the eighth.
TEST(Vectors, OfFusedHeadsThatWereQuantisedTo8BitsAreRefused) {
    const auto fused = [](NamedArray vectors) {
        vectors.array.shape = {4, 128};
        return vectors;
    };
    const NamedArray q = fused(dimensions_of("q", [](double x) { return x * (1 + 0x1p-20); }));
    const NamedArray y = fused(dimensions_of("y", [](double x) { return rounded_to(4, -6, x); }));
    EXPECT_THAT(error_message<InputError>(
                    [&] { rotated_dump(q, y, std::nullopt, asked_for(partial(64, 64))); }),
                testing::StartsWith("y: every value is a float8_e4m3 number, which q is not"));
}

// A rotation rounded so coarsely and one with another base look the same. One scale for all rows, 1
// or not a power of two; dequantised values are rounded to the cache's format.
TEST(Vectors, ThatWereQuantisedTo8BitsAreRefused) {
    const auto spec = asked_for(partial(64, 64));
    const NamedArray q = dimensions_of("q", [](double x) { return x * (1 + 0x1p-20); });
    const auto refusal = [&](Format format, const std::function<double(double)>& rounded) {
        const NamedArray y =
            dimensions_of("y", [&](double x) { return round_to(format, rounded(x)); });
        return error_message<InputError>([&] { rotated_dump(q, y, std::nullopt, spec); });
    };
    const auto is = [](const std::string& kind) {
        return "y: every value is " + kind +
               ", which q is not; a cache of 8 bits is not checked: save the vectors before they "
               "are quantised";
    };
    for (const Format format : {Format::float32, Format::float16, Format::bfloat16}) {
        for (const double scale : {1.0, 2 / 448.0, 0.0123}) {
            const std::string times = scale == 1 ? "" : " times one scale";
            const auto of_bits = [&](int bits, int least) {
                return refusal(
                    format, [=](double x) { return rounded_to(bits, least, x / scale) * scale; });
            };
            EXPECT_EQ(of_bits(4, -6), is("a float8_e4m3 number" + times));
            EXPECT_EQ(of_bits(3, -14), is("a float8_e5m2 number" + times));
            EXPECT_EQ(of_bits(5, -14), "[no error]");
        }
        for (const double most : {2.0, 2.1})
            EXPECT_EQ(
                refusal(format,
                        [=](double x) { return std::nearbyint(x * 127 / most) * most / 127; }),
                is("a whole multiple of a scale, as an int8 cache has them"));
        EXPECT_EQ(refusal(format, [](double x) { return x; }), "[no error]");
    }
}

// q without quantisation.
TEST(Vectors, OfFewBitsBeforeAndAfterAreRead) {
    const NamedArray q = dimensions_of("q", [](double x) { return rounded_to(4, -6, x); });
    EXPECT_NO_THROW(rotated_dump(q, q, std::nullopt, asked_for(partial(64, 64))));
}

class GoodVectors : public testing::TestWithParam<VectorShape> {};

TEST_P(GoodVectors, HaveAPositionForEachRow) {
    const auto& [name, shape, position_shape, axes, expected] = GetParam();
    const NamedArray q = floats("q.npy", shape, counted(product(shape)));
    const RotatedDump dump =
        rotated_dump(q, q, counting_ids(position_shape), asked_for(partial(4, 2), axes));
    EXPECT_EQ(dump.positions, expected);
    EXPECT_EQ(values_of(dump.before, expected.size(), 4), q.array.values());
    EXPECT_EQ(values_of(dump.after, expected.size(), 4), q.array.values());
    EXPECT_EQ(dump.origin, "q.npy, q.npy");
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Shapes, GoodVectors, testing::Values(
    VectorShape{"rows", {3, 4}, {}, "", {0, 1, 2}},
    VectorShape{"one_row", {1, 4}, {}, "", {0}},
    VectorShape{"one_head", {1, 1, 3, 4}, {3}, "", {0, 1, 2}},
    VectorShape{"heads_after", {3, 2, 4}, {3}, "", {0, 0, 1, 1, 2, 2}},
    VectorShape{"hugging_face", {1, 2, 3, 4}, {1, 3}, "", {0, 1, 2, 0, 1, 2}},
    VectorShape{"meta", {1, 3, 2, 4}, {1, 3}, "", {0, 0, 1, 1, 2, 2}},
    VectorShape{"labml", {3, 1, 2, 4}, {3}, "", {0, 0, 1, 1, 2, 2}},
    VectorShape{"ragged", {2, 2, 3, 4}, {2, 3}, "", {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
    VectorShape{"one_position", {1, 1, 1, 4}, {1}, "", {0}},
    VectorShape{"named_bhsd", {1, 2, 2, 4}, {2}, "bhsd", {0, 1, 0, 1}},
    VectorShape{"named_bshd", {1, 2, 2, 4}, {2}, "bshd", {0, 0, 1, 1}},
    VectorShape{"named_without_ids", {2, 3, 4}, {}, "hsd", {0, 1, 2, 0, 1, 2}},
    VectorShape{"named_batch_last", {2, 2, 4}, {2, 2}, "sbd", {0, 2, 1, 3}}),
    [](const auto& row) { return row.param.name; });
// clang-format on

// labml's [L, 1, H, d] in vLLM's shape, [L, H·d].
TEST(FusedHeads, AreTheRowsOfSeparateHeads) {
    const std::string file = std::string(ROPE_CHECK_TESTS) + "/golden/labml/labml_d64.npz";
    NamedArray q = load_member(file, "q"), q_rot = load_member(file, "q_rot");
    const NamedArray ids = load_member(file, "position_ids");
    const Spec spec = partial(64, 64);
    const RotatedDump apart = rotated_dump(q, q_rot, ids, spec);
    const std::vector<std::uint64_t> shape = q.array.shape;
    ASSERT_EQ(shape, (std::vector<std::uint64_t>{9, 1, 2, 64}));
    q.array.shape = q_rot.array.shape = {9, 128};
    DumpHints only_head_dim;
    only_head_dim.head_dim = 64;
    for (const DumpHints& asked :
         {DumpHints(spec), asked_for(spec, "sd"), asked_for(spec, "shd"), only_head_dim}) {
        const RotatedDump fused = rotated_dump(q, q_rot, ids, asked);
        EXPECT_EQ(fused.positions, apart.positions);
        EXPECT_EQ(fused.grid.head.length, 2u);
        EXPECT_EQ(values_of(fused.before, 18, 64), values_of(apart.before, 18, 64));
        EXPECT_EQ(values_of(fused.after, 18, 64), values_of(apart.after, 18, 64));
    }
    // a batch of one, [B, L, H·d]
    q.array.shape = q_rot.array.shape = {1, 9, 128};
    EXPECT_EQ(rotated_dump(q, q_rot, ids, spec).positions, apart.positions);
    EXPECT_EQ(rotated_dump(q, q_rot, ids, asked_for(spec, "bsd")).positions, apart.positions);
}

std::string vector_refusal(const std::vector<std::uint64_t>& shape,
                           const std::vector<std::uint64_t>& position_shape,
                           std::string_view axes = "") {
    const NamedArray q = floats("q.npy", shape, counted(product(shape)));
    return error_message<InputError>(
        [&] { rotated_dump(q, q, counting_ids(position_shape), asked_for(partial(4, 4), axes)); });
}

// A kernel's output has its format, and rounds its inputs to it.
TEST(Vectors, OfTwoFormatsAreCheckedInThatOfTheRotatedOnes) {
    const NamedArray coarse = array_of<float>("q", Element::float32, {2, 4}, counted(8));
    const NamedArray fine = array_of<double>("q_rot", Element::float64, {2, 4}, counted(8));
    const RotatedDump dump = rotated_dump(coarse, fine, std::nullopt, partial(4, 4));
    EXPECT_EQ(dump.format, Format::float64);
    EXPECT_EQ(dump.read_as.back().what, "format");
    EXPECT_EQ(dump.read_as.back().from, "q_rot; q is float32");
    EXPECT_EQ(rotated_dump(fine, coarse, std::nullopt, partial(4, 4)).format, Format::float32);
}

TEST(Vectors, OfSeveralAxesOfHeadsSayWhichTheyAre) {
    const NamedArray q = floats("q", {2, 3, 2, 5, 4}, counted(240));
    const RotatedDump dump = rotated_dump(q, q, counting_ids({5}), asked_for(partial(4, 4)));
    EXPECT_EQ(dump.read_as.front().value, "bhhsd");
    EXPECT_EQ(dump.read_as.front().from,
              "the length of p.npy; each axis called h counts as heads: [2, 3, 2, 5, 4]");
    const NamedArray token = floats("q", {1, 4, 1, 4}, counted(16));
    EXPECT_EQ(rotated_dump(token, token, counting_ids({1}), asked_for(partial(4, 4)))
                  .read_as.front()
                  .value,
              "bhsd");
}

// clang-format off
struct RefusedShape {
    std::vector<std::uint64_t> shape, position_shape;
    const char* axes;
    std::string what;  // of the shape
};
const RefusedShape refused_shapes[] = {
    {{1, 3, 3, 4}, {3}, "", " may be 3 positions of 3 heads (--axes bhsd) or 3 positions of 3 heads (--axes bshd), and the values do not show which; pass one of them"},
    {{3, 6}, {}, "", " ends neither in head_dim = 4 dimensions nor in several heads of them; if a part of each head rotates, give the head's size as --dim, and the part's as --rotary-dim (and --rope rotary_offset=N)"},
    {{3, 2, 4}, {5}, "", " has no axis as long as p.npy, shape [5]"},
    {{3, 4, 3, 4}, {2, 3}, "", " has no axis as long as p.npy, shape [2, 3]"},
    {{1, 2, 3, 4}, {3}, "bshd", " does not fit p.npy, shape [3]"},
    // three heads are not a batch of three: their ids may have three axes
    {{1, 3, 5, 4}, {3, 5}, "", " is a batch of one, but p.npy, shape [3, 5], is not one row; if its rows are axes, give --rope axes=SCHEME,mrope_section=LIST, if they are a batch, --axes hbsd"}};
// clang-format on

TEST(Vectors, RefuseShapesThatDoNotFit) {
    for (const auto& [shape, position_shape, axes, what] : refused_shapes)
        EXPECT_EQ(vector_refusal(shape, position_shape, axes),
                  "q.npy: shape " + shape_text(shape) + what);
    constexpr const char* with_escape =
        "sd\x1b"
        "d";  // \x1bd would be one character
    for (const char* axes : {"bhs", "bhsdd", "hbds", "bssd", "xhsd", "bbsd", with_escape})
        EXPECT_NE(vector_refusal({1, 2, 3, 4}, {3}, axes).find("does not fit the axes '"),
                  std::string::npos)
            << axes;
    const NamedArray q = floats("q.npy", {3, 4}, counted(12));
    const NamedArray r = floats("r.npy", {4, 4}, counted(16));
    EXPECT_EQ(error_message<InputError>([&] { rotated_dump(q, r, std::nullopt, partial(4, 4)); }),
              "q.npy is [3, 4] but r.npy is [4, 4]; they must have the same shape");
}

// The vectors show which axis is the sequence: heads at one position rotate alike.

constexpr std::uint64_t dimensions = 16;

struct Pair {
    NamedArray before, after;
};

// Seeded vectors of this shape, rotated by their index along `sequence`, starting at `from`.
Pair rotated(const Spec& spec, const std::vector<std::uint64_t>& shape, std::size_t sequence,
             std::uint64_t first = 0) {
    std::vector<double> positions(product(shape) / dimensions);
    for (std::uint64_t row = 0; row < positions.size(); ++row)
        positions[row] = static_cast<double>(first + row_axis(shape, sequence).of(row));
    const OwnTable table = table_of_spec(spec, positions, Format::float64, std::multiplies());
    const OwnVectors vectors = vectors_of(table, Format::float64, spec, Seeded(positions.size()));
    return {floats("q", shape, vectors.before), floats("q_rot", shape, vectors.after)};
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
    const NamedArray q = floats("q", shape, counted(shape[0] * shape[1] * shape[2] * dimensions));
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
    const NamedArray q = floats("q", {3, 5, dimensions}, counted(15 * dimensions));
    const NamedArray ids = floats("ids", {3, 5}, counted(15));
    DumpHints asked;
    for (const auto& [axes, further] : {std::pair("hsd", 2), std::pair("bsd", 0)}) {
        asked.axes = axes;
        EXPECT_EQ(rotated_dump(q, q, ids, asked).more_positions.size(), further) << axes;
    }
}

// [batch, heads, sequence, 3·dim] has an axis of heads already: its last axis is one head, with
// other dimensions
TEST(Axes, OfHeadsAreNotCutAgain) {
    const NamedArray q = floats("q", {1, 2, 5, 3 * dimensions}, counted(30 * dimensions));
    EXPECT_NE(error_message<InputError>([&] {
                  rotated_dump(q, q, std::nullopt, spec_of(dimensions, 10000));
              }).find("q: shape [1, 2, 5, 48] ends neither in head_dim = 16 dimensions"),
              std::string::npos);
}

TEST(Axes, AreFoundInEveryOrderWithoutPositions) {
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
        for (const std::uint32_t rotary_dim : {8U, 16U}) {
            const Spec spec = partial(dimensions, rotary_dim, layout);
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
        "q: shape [3, 4, 16] may be 4 positions of 3 heads (--axes hsd) or 3 positions of 4 heads "
        "(--axes shd), and the values do not show which; pass one of them");
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
        EXPECT_THAT(
            error_message<InputError>([&] { rotated_dump(before, after, std::nullopt, spec); }),
            testing::AllOf(
                testing::StartsWith("q: shape [1, 4, 1, 16] may be 4 positions of 1 head (--axes "
                                    "bshd) or 1 position of 4 heads (--axes bhsd)"),
                testing::EndsWith("; pass one of them, or the positions with --positions")));
        const std::vector<double> ids{static_cast<double>(position)};
        EXPECT_EQ(rotated_dump(before, after, floats("p", {1}, ids), spec).grid.head.length, 4u);
    }
    const auto [before, after] = rotated(spec, {1, 4, 1, dimensions}, 1);
    EXPECT_EQ(rotated_dump(before, after, std::nullopt, spec).grid.sequence.length, 4u);
}

// Positions on several axes, without a Spec.
TEST(Axes, OfPositionsAreTakenFromTheirShapeWithoutASpec) {
    const NamedArray q = floats("q", {1, 2, 5, 4}, counted(40));
    const NamedArray ids = whole("p", {3, 1, 5}, counted(15));
    const RotatedDump dump = rotated_dump(q, q, ids, DumpHints());
    EXPECT_EQ(dump.positions, (Positions{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}));
    ASSERT_EQ(dump.more_positions.size(), 2u);
    EXPECT_EQ(dump.more_positions[1], (Positions{10, 11, 12, 13, 14, 10, 11, 12, 13, 14}));
}

}  // namespace rope::io::rotated_dump_test
