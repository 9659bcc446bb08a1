#include <gtest/gtest.h>

#include "base/text.hpp"
#include "io/dump/dump.hpp"
#include "io/subject/subject.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io::load_dump_test {

const std::string golden = ROPE_CHECK_TESTS "/golden/";

TableDump golden_table(const std::string& file, std::uint32_t head_dim, std::uint32_t rotary_dim) {
    DumpFiles files;
    files.dump = golden + file;
    return std::get<TableDump>(load_dump(files, partial(head_dim, rotary_dim))[0].dump);
}

TEST(Golden, TablesLoad) {
    const TableDump half = golden_table("hf_half/llama_d128_b1e4_default.npz", 128, 128);
    EXPECT_EQ(half.positions.size(), 9u);
    EXPECT_EQ(half.pairs, 64u);
    EXPECT_EQ(half.cos.size(), 9u * 128);  // the file's own bytes
    EXPECT_EQ(half.origin, golden + "hf_half/llama_d128_b1e4_default.npz");
    EXPECT_EQ(golden_table("hf_half/llama_d128_b1e4_bf16.npz", 128, 128).format, Format::bfloat16);
    const TableDump truth = golden_table("truth/theta_cos_sin_d128_b10000.npz", 128, 128);
    EXPECT_EQ(truth.format, Format::float64);
    EXPECT_EQ(truth.positions.back(), 2147483647u);
    EXPECT_EQ(truth.cos.at(0, 0), 1);
}

TEST(Golden, VectorsOfAsManyHeadsKnowEachOther) {
    DumpFiles files;
    files.dump = golden + "hf_half/llama_d128_b1e4_default.npz";
    files.q = files.k = "q";
    files.q_rot = files.k_rot = "q_rot";
    const std::vector<NamedDump> equal = load_dump(files, partial(128, 128));
    ASSERT_EQ(equal.size(), 2U);
    const auto &q = std::get<RotatedDump>(equal[0].dump), &k = std::get<RotatedDump>(equal[1].dump);
    ASSERT_TRUE(q.other && k.other);
    EXPECT_EQ(q.other->name, "k");
    EXPECT_EQ(k.other->name, "q");
    EXPECT_EQ(q.other->before.at(3, 5), k.before.at(3, 5));
    // two heads and one
    files.k = "k";
    files.k_rot = "k_rot";
    const std::vector<NamedDump> grouped = load_dump(files, partial(128, 128));
    ASSERT_EQ(grouped.size(), 2U);
    EXPECT_FALSE(std::get<RotatedDump>(grouped[0].dump).other);
}

// ---- names ------------------------------------------------------------------------------------

std::string subjects(const std::vector<NamedDump>& dumps) {
    std::string text;
    for (const NamedDump& one : dumps)
        text += (text.empty() ? "" : ", ") + one.name + " " + std::to_string(one.dimensions);
    return text;
}

struct Member {
    const char* name;
    const char* shape;
    std::size_t size;
};

std::string subjects_of(const std::vector<Member>& members) {
    const TemporaryFolder folder;
    std::vector<TestMember> stored;
    for (const auto& [name, shape, size] : members)
        stored.push_back({.name = name + std::string(".npy"),
                          .data = npy_floats(shape, std::vector<float>(size, 1))});
    DumpFiles files;
    files.dump = folder.write("x.npz", npz(stored)).string();
    return subjects(load_dump(files, DumpHints()));
}

TEST(UsualNames, AreFound) {
    EXPECT_EQ(subjects_of({{"cos_cached", "(3, 8)", 24}, {"sin_cached", "(3, 8)", 24}}), "table 8");
    EXPECT_EQ(subjects_of({{"freqs_cis", "(3, 8, 2)", 48}}), "table 16");
    EXPECT_EQ(subjects_of({{"angles", "(3, 8)", 24}, {"freqs", "(4,)", 4}}), "table 8");
    // a name of angles may also hold complex numbers
    EXPECT_EQ(subjects_of({{"freqs", "(3, 8, 2)", 48}}), "table 16");
    EXPECT_EQ(subjects_of({{"freqs", "(4,)", 4}}), "inv_freq 8");
    EXPECT_EQ(subjects_of({{"before", "(3, 8)", 24}, {"after", "(3, 8)", 24}}), "q 8");
    EXPECT_EQ(subjects_of({{"q_pre", "(3, 8)", 24},
                           {"q_post", "(3, 8)", 24},
                           {"k_pre", "(3, 8)", 24},
                           {"k_post", "(3, 8)", 24}}),
              "q 8, k 8");
    EXPECT_EQ(subjects_of({{"model.rotary_emb.inv_freq", "(4,)", 4}, {"w", "(1,)", 1}}),
              "inv_freq 8");
    EXPECT_EQ(subjects_of({{"arr_0", "(4,)", 4}}), "inv_freq 8");
    EXPECT_EQ(subjects_of({{"x", "(3, 8)", 24}, {"y", "(3, 8)", 24}}), "q 8");
    EXPECT_EQ(subjects_of({{"query", "(3, 8)", 24},
                           {"query_rot", "(3, 8)", 24},
                           {"key", "(3, 8)", 24},
                           {"key_rot", "(3, 8)", 24},
                           {"cos", "(3, 4)", 12},
                           {"sin", "(3, 4)", 12},
                           {"inv_freq", "(2,)", 2}}),
              "table 4, q 8, k 8");
}

TEST(UsualNames, OfACacheApplyToEveryPosition) {
    // 6 rows; the 3 vectors are at position 1
    EXPECT_EQ(subjects_of({{"cos", "(6, 8)", 48},
                           {"sin", "(6, 8)", 48},
                           {"q", "(3, 8)", 24},
                           {"q_rot", "(3, 8)", 24},
                           {"positions", "(3,)", 3}}),
              "table 8, q 8");
}

DumpFiles with_positions(const TemporaryFolder& folder, const std::string& dump,
                         const std::vector<std::int64_t>& positions) {
    const std::string shape = "(" + std::to_string(positions.size()) + ",)";
    DumpFiles files;
    files.dump = dump;
    files.positions = folder.write("p.npy", npy("<i8", shape, raw(positions))).string();
    return files;
}

// 6 rows of a table, and 3 vectors if asked
std::string table_of_six(const TemporaryFolder& folder, bool has_vectors) {
    const std::string six = npy_floats("(6, 4)", std::vector<float>(24, 1)),
                      three = npy_floats("(3, 4)", std::vector<float>(12, 1));
    std::vector<TestMember> members{{.name = "cos.npy", .data = six},
                                    {.name = "sin.npy", .data = six}};
    if (has_vectors) {
        members.push_back({.name = "q.npy", .data = three});
        members.push_back({.name = "q_rot.npy", .data = three});
    }
    return folder.write(has_vectors ? "both.npz" : "table.npz", npz(members)).string();
}

TEST(Positions, OfAFileApplyToVectorsNextToACacheLikeIdsInTheDump) {
    const TemporaryFolder folder;
    const auto dumps =
        load_dump(with_positions(folder, table_of_six(folder, true), {5, 1, 0}), DumpHints());
    ASSERT_EQ(subjects(dumps), "table 4, q 4");
    EXPECT_EQ(std::get<TableDump>(dumps[0].dump).positions, (Positions{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(std::get<RotatedDump>(dumps[1].dump).positions, (Positions{5, 1, 0}));
}

TEST(Positions, ThatDoNotFitAreRefusedNotDropped) {
    const TemporaryFolder folder;
    const auto refusal = [&](bool has_vectors, const std::vector<std::int64_t>& positions) {
        return error_message<InputError>([&] {
            load_dump(with_positions(folder, table_of_six(folder, has_vectors), positions),
                      DumpHints());
        });
    };
    const std::string p = (folder.path() / "p.npy").string(),
                      table = (folder.path() / "table.npz").string(),
                      both = (folder.path() / "both.npz").string();
    EXPECT_EQ(refusal(false, {5, 1, 0}), p + ": shape [3] does not give each row of " + table +
                                             ":cos, shape [6, 4], a position; it must be [6]");
    EXPECT_EQ(refusal(true, {5, 6, 0}),
              p + ": value 1 is 6; " + both + ":cos, shape [6, 4], has rows for positions 0 to 5");
}

TEST(Positions, OnSeveralAxesAreReadWhicheverAxisComesFirst) {
    const Spec axial = on_axes(partial(8, 8), {AxisScheme::axial});
    const NamedArray q = floats("q", {5, 8}, counted(40)),
                     heads = floats("q", {1, 5, 3, 8}, counted(120));
    const NamedArray first = whole("p", {2, 5}, {0, 1, 2, 3, 4, 9, 8, 7, 6, 5}),
                     last = whole("p", {5, 2}, {0, 9, 1, 8, 2, 7, 3, 6, 4, 5}),
                     batch = whole("p", {1, 5, 2}, {0, 9, 1, 8, 2, 7, 3, 6, 4, 5});
    for (const DumpHints& asked : {DumpHints(axial), DumpHints()}) {
        for (const NamedArray& positions : {first, last}) {
            const RotatedDump dump = rotated_dump(q, q, positions, asked);
            EXPECT_EQ(dump.positions, (Positions{0, 1, 2, 3, 4}));
            EXPECT_EQ(dump.more_positions, (std::vector<Positions>{{9, 8, 7, 6, 5}}));
        }
        const RotatedDump dump = rotated_dump(heads, heads, batch, asked);
        EXPECT_EQ(dump.positions, (Positions{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}));
        const NamedArray table = floats("t", {5, 4}, counted(20));
        EXPECT_EQ(table_dump(table, table, last, asked).more_positions,
                  (std::vector<Positions>{{9, 8, 7, 6, 5}}));
    }
    // [B, L] with two sequences and three rows is kept without a Spec
    const NamedArray rows = floats("q", {2, 3, 8}, counted(48));
    const NamedArray ids = whole("p", {2, 3}, {0, 1, 2, 5, 6, 7});
    EXPECT_EQ(rotated_dump(rows, rows, ids, DumpHints()).more_positions, std::vector<Positions>{});
}

TEST(Positions, OfTheTextBeforeThoseOfThreeAxesAreLeftOut) {
    const Spec sectioned = on_axes(partial(12, 12), {AxisScheme::sectioned, {2, 2, 2}});
    const NamedArray q = floats("q", {1, 2, 12}, counted(24));
    const RotatedDump dump =
        rotated_dump(q, q, whole("p", {4, 1, 2}, {0, 1, 10, 11, 20, 21, 30, 31}), sectioned);
    EXPECT_EQ(dump.positions, (Positions{10, 11}));
    EXPECT_EQ(dump.more_positions, (std::vector<Positions>{{20, 21}, {30, 31}}));
}

std::string said_of(const std::vector<Assumption>& read_as) {
    return join(
        read_as,
        [](const Assumption& one) { return one.what + " " + one.value + " (" + one.from + ")"; },
        " · ");
}

TEST(ReadAs, NamesLayoutAxesRowsAndPositionsAndWhereEachIsFrom) {
    const TemporaryFolder folder;
    const auto dumps =
        load_dump(with_positions(folder, table_of_six(folder, true), {5, 1, 0}), DumpHints());
    const std::string p = (folder.path() / "p.npy").string();
    EXPECT_EQ(said_of(std::get<TableDump>(dumps[0].dump).read_as),
              "cache_layout duplicated (columns i and i + d/2 are equal) · axes sd (shape [6, 4]) "
              "· rows 6 (shape [6, 4]) · positions 0 … 5 (row numbers: " +
                  p + " is for the vectors)");
    EXPECT_EQ(said_of(std::get<RotatedDump>(dumps[1].dump).read_as),
              "axes sd (the length of " + p + ") · rows 3 (shape [3, 4]) · positions 0 … 5 (" + p +
                  ", shape [3])");
    const NamedArray q = floats("q", {3, 8}, counted(24));
    DumpHints asked = asked_for(partial(4, 4), "sd");
    EXPECT_EQ(said_of(rotated_dump(q, q, std::nullopt, asked).read_as),
              "axes s(hd) (--axes; 2 heads of head_dim = 4) · rows 6 (shape [3, 8]) · positions "
              "0 … 2 (row numbers: there are no position_ids)");
    asked.layout = CacheLayout::cos_sin;
    EXPECT_EQ(said_of(table_dump(floats("t", {3, 4}, counted(12)), std::nullopt, asked).read_as),
              "cache_layout cos-sin (--cache-layout) · axes sd (shape [3, 4]) · rows 3 (shape "
              "[3, 4]) · positions 0 … 2 (row numbers: there are no position_ids)");
}

// vLLM's cache of longrope: the short table's rows and then the long one's.
TEST(Longrope, ShortAndLongTableComeApart) {
    Spec spec = partial(4, 4);
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 2,
                    .attention_factor = 1,
                    .short_factor = {1, 1},
                    .long_factor = {1, 2}};
    const TemporaryFolder folder;
    std::vector<float> values;
    for (const auto& [rows, slow] : {std::pair(2, 0.01), std::pair(4, 0.005)})
        for (int m = 0; m < rows; ++m)
            for (const double value :
                 {std::cos(1.0 * m), std::cos(slow * m), std::sin(1.0 * m), std::sin(slow * m)})
                values.push_back(static_cast<float>(value));
    DumpFiles files;
    files.dump = folder.write("cache.npy", npy_floats("(6, 4)", values)).string();
    const auto dumps = load_dump(files, spec);
    ASSERT_EQ(subjects(dumps), "table 1 4, table 2 4");
    for (const NamedDump& one : dumps) {
        Spec own = spec;
        own.seq_len = one.seq_len;
        EXPECT_EQ(marks(own, *table_rows(own, std::get<TableDump>(one.dump))).front(), '.')
            << one.name;
    }
    EXPECT_EQ(dumps[0].seq_len, 2u);
    EXPECT_EQ(dumps[1].seq_len, 3u);
}

// ---- refusals ---------------------------------------------------------------------------------

std::string load_refusal(const DumpFiles& files) {
    return error_message<InputError>([&] { load_dump(files, partial(4, 4)); });
}

// Half of a pair is not a table, whatever its shape.
TEST(Dump, OfHalfAPairIsRefusedByTheOtherHalf) {
    const TemporaryFolder folder;
    const std::string data = npy_floats("(2, 2)", {1, 2, 3, 4});
    const auto refusal = [&](const std::string& name) {
        DumpFiles files;
        files.dump = folder.write("x.npz", npz({{.name = name + ".npy", .data = data}})).string();
        const std::string text = load_refusal(files);
        return text.substr(text.find("holds"));
    };
    EXPECT_EQ(refusal("cos"),
              "holds cos without sin; save both, or name them with cos=NAME and sin=NAME");
    EXPECT_EQ(
        refusal("model.sin_cached"),
        "holds sin_cached without cos_cached; save both, or name them with cos=NAME and sin=NAME");
    EXPECT_EQ(refusal("q"),
              "holds q without q_rot; save both, or name them with q=NAME and q_rot=NAME");
    EXPECT_EQ(refusal("k_rot"),
              "holds k_rot without k; save both, or name them with k=NAME and k_rot=NAME");
}

TEST(Loading, RefusesObjectsByTheirFile) {
    const TemporaryFolder folder;
    const std::string cos =
        folder.write("cos.npy", npy("|O", "(1, 2)", raw<float>({1, 1}))).string();
    const std::string why =
        cos + ": byte 10: dtype '|O' is an object array, a pickle; save numbers";
    DumpFiles files;
    files.cos = files.sin = cos;
    EXPECT_EQ(load_refusal(files), why);
    files = {};
    files.dump = cos;
    EXPECT_EQ(load_refusal(files), why);
}

TEST(Loading, NamesTheArraysOfAnArchive) {
    const TemporaryFolder folder;
    const std::string file =
        folder
            .write("x\n.npz", npz({{.name = "a.npy", .data = npy_floats("(1,)", {1})},
                                   {.name = "b.npy", .data = npy_floats("(1,)", {1})}}))
            .string();
    const std::string shown = (folder.path() / "x\\n.npz").string();
    DumpFiles files;
    files.cos = files.sin = file;
    EXPECT_EQ(load_refusal(files),
              shown + ": is an archive; name one of its arrays, such as " + shown + ":a");
    files.cos = files.sin = file + ":cos";
    EXPECT_EQ(load_refusal(files), shown + ": holds no array 'cos'; it has a, b");
    files = {};
    files.dump = file;
    EXPECT_EQ(load_refusal(files),
              shown +
                  ": holds no cos and sin, no cos_sin, no q and q_rot and no inv_freq; name its "
                  "tensors with ROLE=TENSOR, such as cos=NAME and sin=NAME or q=NAME and "
                  "q_rot=NAME; it has a, b");
}

TEST(Loading, RefusesDivisorsOfFrequencies) {
    const TemporaryFolder folder;
    DumpFiles files;
    files.dump =
        folder.write("m.gguf", TestGguf{}.floats("rope_freqs.weight", {1, 8}).bytes()).string();
    const std::string named = files.dump + ":rope_freqs.weight";
    const std::string why =
        named +
        ": holds what frequencies are divided by, not frequencies; give its GGUF as --config to "
        "verify or explain";
    EXPECT_EQ(load_refusal(files), why);
    files = {};
    files.inv_freq = named;
    EXPECT_EQ(load_refusal(files), why);
}

std::vector<NamedDump> load(const std::string& file, ResolvedSpec asked) {
    DumpFiles files;
    files.dump = golden + "hf_half/" + file;
    DumpTensors tensors(files);
    return load_dump_by(tensors, {}, asked);
}

TEST(DumpBySpec, OfAPartOfTheHeadIsReadByItsShapeWhetherTheSpecHasItsWidthOrNot) {
    for (const std::uint32_t rotary_dim : {16U, 64U}) {
        const auto dumps = load("neox_d64_partial0.25.npz", {partial(64, rotary_dim), {}, {}});
        ASSERT_EQ(dumps.size(), 3u) << rotary_dim;  // q and k, too
        EXPECT_EQ(dumps[0].dimensions, 16u) << rotary_dim;
        EXPECT_EQ(std::get<TableDump>(dumps[0].dump).pairs, 8u) << rotary_dim;
    }
}

// The last position selects the table of a Spec that has two.
TEST(DumpBySpec, LastPositionChoosesTheTable) {
    ResolvedSpec asked{partial(4, 4), {}, {}};
    Scaling& scaling = asked.spec.scaling;
    scaling.rope_type = "longrope";
    scaling.short_factor = {1, 1};
    scaling.long_factor = {2, 2};
    scaling.original_max_position_embeddings = 16;
    asked.spec.max_position_embeddings = 64;
    TableDump table;
    table.positions = {0, 16};
    ResolvedSpec resolved = asked;
    choose_table_of(resolved, {"table", table, 4}, 0);
    EXPECT_EQ(resolved.spec.seq_len, 17u);
    ASSERT_FALSE(resolved.origins.empty());
    EXPECT_EQ(resolved.origins.back().from, "the dump's last position");
    resolved = asked;
    choose_table_of(resolved, {"table 1", table, 4, 16}, 0);
    EXPECT_EQ(resolved.spec.seq_len, 16u);
}

}  // namespace rope::io::load_dump_test
