#include "io/dump.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>

#include "io/io_error.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace {

using Values = std::vector<double>;
using Positions = std::vector<std::uint64_t>;

Spec spec_of(std::uint32_t head_dim, std::uint32_t rotary_dim) {
    Spec spec;
    spec.head_dim = head_dim;
    spec.rotary_dim = rotary_dim;
    return spec;
}

NamedArray floats(std::string name, std::vector<std::uint64_t> shape, Values values) {
    return {std::move(name), {std::move(shape), Format::float32, std::move(values)}};
}

NamedArray whole(std::string name, std::vector<std::uint64_t> shape, Values values) {
    return {std::move(name), {std::move(shape), std::nullopt, std::move(values)}};
}

Values counting(std::size_t n) {
    Values values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
    return values;
}

struct TableShape {
    const char* name;
    std::vector<std::uint64_t> shape;           // of four values a row, rotary_dim 8
    std::vector<std::uint64_t> position_shape;  // empty: none
    Values positions;
    Positions expected;

    friend void PrintTo(const TableShape& row, std::ostream* out) { *out << row.name; }
};

class GoodTable : public testing::TestWithParam<TableShape> {};

TEST_P(GoodTable, HasAPositionForEachRow) {
    const auto& [name, shape, position_shape, positions, expected] = GetParam();
    std::optional<NamedArray> ids;
    if (!position_shape.empty()) ids = whole("p.npy", position_shape, positions);
    const Values values = counting(4 * expected.size());
    const TableDump dump = table_dump(floats("cos.npy", shape, values),
                                      floats("sin.npy", shape, values), ids, spec_of(16, 8));
    EXPECT_EQ(dump.positions, expected);
    EXPECT_EQ(dump.pairs, 4u);
    EXPECT_EQ(dump.cos, values);
    EXPECT_EQ(dump.sin, values);
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
    TableDump dump = table_dump(halves, halves, std::nullopt, spec_of(4, 4));
    EXPECT_EQ(dump.pairs, 2u);
    ASSERT_EQ(dump.cos.size(), 4u);
    EXPECT_EQ(dump.cos[1], 2);
    EXPECT_EQ(dump.cos[2], 3);
    EXPECT_TRUE(std::isnan(dump.cos[3]));
    const NamedArray neighbours = floats("c", {2, 4}, {1, 1, 2, 2, 3, 3, nan, nan});
    dump = table_dump(neighbours, neighbours, std::nullopt, spec_of(4, 4));
    EXPECT_EQ(dump.cos[1], 2);
    EXPECT_TRUE(std::isnan(dump.cos[3]));
}

std::string table_refusal(const NamedArray& cos, const NamedArray& sin,
                          const std::optional<NamedArray>& ids = std::nullopt) {
    return error_message<InputError>([&] { table_dump(cos, sin, ids, spec_of(4, 4)); });
}

TEST(Table, RefusesCopiesThatDiffer) {
    const NamedArray good = floats("cos.npy", {2, 4}, {1, 2, 1, 2, 3, 4, 3, 4});
    const NamedArray bad = floats("sin.npy", {2, 4}, {1, 2, 1, 2, 3, 4, 3, 4.0000001});
    EXPECT_EQ(
        table_refusal(good, bad),
        "sin.npy: columns 1 and 3 of row 1 differ, so it is not cat(f, f); cos.npy: columns 0 "
        "and 1 of row 0 differ, so it is not f0 f0 f1 f1");
    const NamedArray zeros = floats("cos.npy", {1, 4}, {0.0, 1, -0.0, 1});
    EXPECT_EQ(table_refusal(zeros, zeros).substr(0, 43),
              "cos.npy: columns 0 and 2 of row 0 differ, s");
}

TEST(Table, RefusesShapesThatDoNotFit) {
    const NamedArray good = floats("cos.npy", {3, 2}, counting(6));
    EXPECT_EQ(table_refusal(good, floats("sin.npy", {2, 2}, counting(4))),
              "cos.npy is [3, 2] but sin.npy is [2, 2]; they must have one shape");
    EXPECT_EQ(table_refusal(good, whole("sin.npy", {3, 2}, counting(6))),
              "sin.npy: holds integers; it must hold floats");
    NamedArray wide = floats("sin.npy", {3, 2}, counting(6));
    wide.array.format = Format::float64;
    EXPECT_EQ(table_refusal(good, wide),
              "cos.npy is float32 but sin.npy is float64; they must have one format");
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
              "p.npy: shape [2] does not give each row of cos.npy, shape [3, 2], a position");
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {2, 3, 4}, counting(24))),
              "p.npy: shape [2, 3, 4] is not [L], [1, L] or [B, L]");
    EXPECT_EQ(table_refusal(good, good, whole("p.npy", {3}, {0, -1, 2})),
              "p.npy: value 1 is -1; a position is a whole number from 0 to 4294967295");
    for (const double value : {0.5, 4294967296.0, std::nan(""), HUGE_VAL})
        EXPECT_NE(table_refusal(good, good, floats("p.npy", {3}, {0, 1, value})), "[no error]");
}

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
    return whole("p.npy", shape, counting(product(shape)));
}

class GoodVectors : public testing::TestWithParam<VectorShape> {};

TEST_P(GoodVectors, HaveAPositionForEachRow) {
    const auto& [name, shape, position_shape, axes, expected] = GetParam();
    const NamedArray q = floats("q.npy", shape, counting(product(shape)));
    const RotatedDump dump = rotated_dump(q, q, counting_ids(position_shape), axes, spec_of(4, 2));
    EXPECT_EQ(dump.positions, expected);
    EXPECT_EQ(dump.before, q.array.values);
    EXPECT_EQ(dump.after, q.array.values);
    EXPECT_EQ(dump.origin, "q.npy, q.npy");
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Shapes, GoodVectors, testing::Values(
    VectorShape{"rows", {3, 4}, {}, "", {0, 1, 2}},
    VectorShape{"one_row", {1, 4}, {}, "", {0}},
    VectorShape{"one_head", {1, 1, 3, 4}, {}, "", {0, 1, 2}},
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

std::string vector_refusal(const std::vector<std::uint64_t>& shape,
                           const std::vector<std::uint64_t>& position_shape,
                           std::string_view axes = "") {
    const NamedArray q = floats("q.npy", shape, counting(product(shape)));
    return error_message<InputError>(
        [&] { rotated_dump(q, q, counting_ids(position_shape), axes, spec_of(4, 4)); });
}

TEST(Vectors, RefuseWhatLeavesAChoice) {
    EXPECT_EQ(vector_refusal({1, 3, 3, 4}, {3}),
              "q.npy: shape [1, 3, 3, 4] leaves open which axis is the sequence; say so with "
              "--axes, such as bhsd or bshd");
    EXPECT_EQ(vector_refusal({3, 2, 4}, {}),
              "q.npy: shape [3, 2, 4] leaves open which axis is the sequence; say so with --axes, "
              "such as shd");
}

TEST(Vectors, RefuseWhatDoesNotFit) {
    EXPECT_EQ(vector_refusal({3, 8}, {}),
              "q.npy: shape [3, 8] does not end in head_dim = 4 lanes after the rows");
    EXPECT_EQ(vector_refusal({3, 2, 4}, {5}),
              "q.npy: shape [3, 2, 4] has no axis as long as p.npy, shape [5]");
    EXPECT_EQ(vector_refusal({3, 2, 3, 4}, {2, 3}),
              "q.npy: shape [3, 2, 3, 4] does not fit p.npy, shape [2, 3]");
    EXPECT_EQ(vector_refusal({1, 2, 3, 4}, {3}, "bshd"),
              "q.npy: shape [1, 2, 3, 4] does not fit p.npy, shape [3]");
    for (const char* axes : {"bhs", "bhsdd", "hbds", "bhhd", "bssd", "xhsd", "bbsd",
                             "sd\x1b"
                             "d"})
        EXPECT_NE(vector_refusal({1, 2, 3, 4}, {3}, axes).find("does not fit the axes '"),
                  std::string::npos)
            << axes;
    const NamedArray q = floats("q.npy", {3, 4}, counting(12));
    const NamedArray r = floats("r.npy", {4, 4}, counting(16));
    EXPECT_EQ(
        error_message<InputError>([&] { rotated_dump(q, r, std::nullopt, "", spec_of(4, 4)); }),
        "q.npy is [3, 4] but r.npy is [4, 4]; they must have one shape");
}

const std::string golden = ROPE_CHECK_TESTS "/golden/";

TableDump golden_table(const std::string& file, std::uint32_t head_dim, std::uint32_t rotary_dim) {
    DumpFiles files;
    files.npz = golden + file;
    return std::get<TableDump>(load_dump(files, spec_of(head_dim, rotary_dim)));
}

TEST(Golden, TablesLoad) {
    const TableDump half = golden_table("hf_half/llama_d128_b1e4_default.npz", 128, 128);
    EXPECT_EQ(half.positions.size(), 9u);
    EXPECT_EQ(half.pairs, 64u);
    EXPECT_EQ(half.cos.size(), 9u * 64);
    EXPECT_EQ(half.origin, golden + "hf_half/llama_d128_b1e4_default.npz");
    // cat(f, f) and f0 f0 f1 f1 of the same angles
    const TableDump neighbours = golden_table("hf_interleaved/cohere_d128_b1e4.npz", 128, 128);
    EXPECT_EQ(neighbours.positions, half.positions);
    // torch's vector and scalar cosines differ in the last bit here and there
    for (std::size_t i = 0; i < half.cos.size(); ++i) {
        EXPECT_NEAR(neighbours.cos[i], half.cos[i], 0x1p-24);
        EXPECT_NEAR(neighbours.sin[i], half.sin[i], 0x1p-24);
    }

    EXPECT_EQ(golden_table("hf_half/llama_d128_b1e4_bf16.npz", 128, 128).format, Format::bfloat16);
    EXPECT_EQ(golden_table("hf_half/llama_d64_b1e4_ragged.npz", 64, 64).positions.size(), 15u);
    EXPECT_EQ(golden_table("hf_half/neox_d64_partial0.25.npz", 64, 16).pairs, 8u);
    EXPECT_EQ(golden_table("hf_interleaved/glm4_d128_b1e4_partial0.5.npz", 128, 64).pairs, 32u);
    EXPECT_EQ(golden_table("labml/labml_d32_of64.npz", 64, 32).pairs, 16u);
    const TableDump truth = golden_table("truth/theta_cos_sin_d128_b10000.npz", 128, 128);
    EXPECT_EQ(truth.format, Format::float64);
    EXPECT_EQ(truth.positions.back(), 2147483647u);
    EXPECT_EQ(truth.cos.front(), 1);
}

TEST(Golden, TableInTwoFilesEqualsTheArchive) {
    const std::string stem = golden + "hf_half/llama_d128_b1e4_default";
    const TableDump archive = golden_table("hf_half/llama_d128_b1e4_default.npz", 128, 128);
    DumpFiles names;
    names.cos = stem + ".cos.npy";
    names.sin = stem + ".sin.npy";
    names.positions = stem + ".npz:position_ids";
    const auto files = std::get<TableDump>(load_dump(names, spec_of(128, 128)));
    EXPECT_EQ(files.cos, archive.cos);
    EXPECT_EQ(files.sin, archive.sin);
    EXPECT_EQ(files.positions, archive.positions);
    EXPECT_EQ(files.origin, stem + ".cos.npy, " + stem + ".sin.npy");
}

struct GoldenVectors {
    const char* file;
    const char* before;
    const char* after;
    const char* positions;
    std::uint32_t head_dim;
    std::size_t rows;

    friend void PrintTo(const GoldenVectors& row, std::ostream* out) { *out << row.file; }
};

class GoldenRotated : public testing::TestWithParam<GoldenVectors> {};

TEST_P(GoldenRotated, Loads) {
    const GoldenVectors& row = GetParam();
    const std::string archive = golden + row.file + ":";
    DumpFiles files;
    files.before = archive + row.before;
    files.after = archive + row.after;
    files.positions = archive + row.positions;
    const auto dump = std::get<RotatedDump>(load_dump(files, spec_of(row.head_dim, row.head_dim)));
    EXPECT_EQ(dump.positions.size(), row.rows);
    EXPECT_EQ(dump.before.size(), row.rows * row.head_dim);
    EXPECT_EQ(dump.after.size(), dump.before.size());
    // position 0 is the identity, whichever rows it is at
    for (std::size_t i = 0; i < row.rows; ++i)
        if (dump.positions[i] == 0) {
            EXPECT_EQ(dump.before[i * row.head_dim], dump.after[i * row.head_dim]) << i;
        }
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Files, GoldenRotated, testing::Values(
    GoldenVectors{"hf_half/llama_d128_b1e4_default.npz",     "q", "q_rot", "position_ids", 128, 18},
    GoldenVectors{"hf_half/llama_d128_b1e4_default.npz",     "k", "k_rot", "position_ids", 128, 9},
    GoldenVectors{"hf_half/llama_d128_b1e4_bf16.npz",        "q", "q_rot", "position_ids", 128, 18},
    GoldenVectors{"hf_half/llama_d64_b1e4_ragged.npz",       "q", "q_rot", "position_ids", 64,  30},
    GoldenVectors{"hf_interleaved/gptj_d64.npz",             "q", "q_rot", "position_ids", 64,  18},
    GoldenVectors{"complex/meta_llama2_d128_b1e4.npz",       "q", "q_rot", "position_ids", 128, 18},
    GoldenVectors{"labml/labml_d64.npz",                     "q", "q_rot", "position_ids", 64,  18},
    GoldenVectors{"ggml/neox_d128_b1e4.npz",                 "x", "y",     "positions",    128, 18},
    GoldenVectors{"ggml/neox_d128_b1e4_f16.npz",             "x", "y",     "positions",    128, 18}));
// clang-format on

std::string load_refusal(const DumpFiles& files) {
    return error_message<InputError>([&] { load_dump(files, spec_of(4, 4)); });
}

TEST(Loading, NamesTheFileAndWhatWouldBeRight) {
    const TemporaryFolder folder;
    const std::string cos =
        folder.write("cos.npy", npy(">f4", "(1, 2)", raw<float>({1, 1}))).string();
    const std::string npz_file =
        folder.write("x\n.npz", npz({{.name = "freqs.npy", .data = npy_floats("(1,)", {1})}}))
            .string();
    const std::string shown = (folder.path() / "x\\n.npz").string();
    DumpFiles files;
    files.cos = files.sin = cos;
    EXPECT_EQ(load_refusal(files), cos + ": byte 10: dtype '>f4' is big-endian; save it as '<f4'");
    files.cos = files.sin = npz_file;
    EXPECT_EQ(load_refusal(files),
              shown + ": is an archive; name one of its arrays, as " + shown + ":cos");
    files.cos = files.sin = npz_file + ":cos";
    EXPECT_EQ(load_refusal(files), shown + ":cos: byte 0: has no member 'cos'; it has freqs");
    files = {};
    files.npz = npz_file;
    EXPECT_EQ(load_refusal(files),
              shown + ": holds neither cos and sin nor q and q_rot; it has freqs");
    files.npz = cos;
    EXPECT_EQ(load_refusal(files),
              cos + ": byte 114: is no zip archive: no end-of-directory record");
    EXPECT_EQ(load_refusal({}),
              "a dump is an .npz, or cos and sin, or vectors before and after rotation");
    files.npz = (folder.path() / "none.npz").string();
    EXPECT_EQ(error_message<IoError>([&] { load_dump(files, spec_of(4, 4)); }),
              files.npz + ": cannot open: there is no such file");
}

}  // namespace
}  // namespace rope::io
