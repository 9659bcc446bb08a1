// The report's list of arrays that no check reads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/dump/dump.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io {
namespace not_read_test {

TestMember rows(const std::string& name, float first = 1) {
    return {.name = name + ".npy", .data = npy_floats("(2, 4)", {first, 2, 3, 4, 5, 6, 7, 8})};
}
TestMember ids(const std::string& name, const std::vector<std::int64_t>& values) {
    return {.name = name + ".npy",
            .data = npy("<i8", "(" + std::to_string(values.size()) + ",)", raw(values))};
}

DumpFiles archive(const TemporaryFolder& folder, const std::vector<TestMember>& members) {
    DumpFiles files;
    files.dump = folder.write("x.npz", npz(members)).string();
    return files;
}

// "x, y", or "" if all are read
std::string said_of(const DumpFiles& files, const std::string& what) {
    const auto dumps = load_dump(files, spec_of_dimensions(4, 4));
    std::string text;
    std::visit(
        [&](const auto& dump) {
            for (const Assumption& one : dump.read_as)
                if (one.what == what) text = what == "positions" ? one.from : one.value;
        },
        dumps.front().dump);
    return text;
}

TEST(NotRead, AreTheArraysOfNoSubject) {
    const TemporaryFolder folder;
    const std::vector<TestMember> q{rows("q"), rows("q_rot")};
    const auto report_with = [&](std::vector<TestMember> others) {
        others.insert(others.begin(), q.begin(), q.end());
        return said_of(archive(folder, others), "not_read");
    };
    EXPECT_EQ(report_with({}), "");
    EXPECT_EQ(report_with({ids("spec", {1})}), "");
    EXPECT_EQ(report_with({rows("k"), rows("k_rot"), ids("position_ids", {0, 1})}), "");
    EXPECT_EQ(report_with({rows("x"), rows("y"), rows("k")}), "k, x, y");
    EXPECT_EQ(report_with({ids("labels", {0, 1}), ids("lengths", {7})}), "labels, lengths");
    // arrays that give the positions are read, and one of them is enough
    EXPECT_EQ(report_with({ids("attention_mask", {0, 1}), ids("offset", {7})}), "offset");
    std::vector<TestMember> many;
    for (int k = 0; k < 18; ++k) many.push_back(rows("w" + std::to_string(10 + k)));
    EXPECT_EQ(report_with(many), "w10, w11, w12, w13, w14, w15 and 12 more");
    // a checkpoint's weights are not reported
    for (int k = 18; k < 40; ++k) many.push_back(rows("w" + std::to_string(10 + k)));
    many.push_back(rows("layers.0.cos"));
    EXPECT_EQ(report_with(many), "layers.0.cos");
}

TEST(NotRead, IsNotReportedIfTheSubjectIsNamed) {
    const TemporaryFolder folder;
    DumpFiles files = archive(folder, {rows("q"), rows("q_rot"), rows("x"), rows("y")});
    files.q = "x";
    files.q_rot = "y";
    EXPECT_EQ(said_of(files, "not_read"), "");
}

TEST(NotRead, ArePositionsThatDiffer) {
    const TemporaryFolder folder;
    const auto report_with = [&](const TestMember& other) {
        const DumpFiles files =
            archive(folder, {rows("q"), rows("q_rot"), ids("position_ids", {0, 1}), other});
        return said_of(files, "differing");
    };
    EXPECT_EQ(report_with(ids("positions", {5, 6})), "positions");
    EXPECT_EQ(report_with(ids("positions", {0, 1})), "");
    EXPECT_EQ(report_with(ids("cu_seqlens", {0, 1, 2})), "cu_seqlens");
    EXPECT_EQ(report_with(ids("cu_seqlens", {0, 2})), "");
    // arrays that give the start
    EXPECT_EQ(report_with(ids("pos", {5})), "");
}

TEST(NotRead, AreSeveralOfOneName) {
    const TemporaryFolder folder;
    const DumpFiles files =
        archive(folder, {rows("layers.0.rope.inv_freq"), rows("layers.1.rope.inv_freq")});
    EXPECT_EQ(error_message<InputError>([&] { load_dump(files, spec_of_dimensions(4, 4)); }),
              files.dump +
                  ": holds 2 arrays called inv_freq; name one with inv_freq=NAME, such as "
                  "layers.0.rope.inv_freq");
}

// Every odd number in 2047 … 2064 is rounded; NumPy stores bfloat16 as float32.
TEST(RoundedPositions, AreRepeatedOnesOfSixteenBits) {
    const TemporaryFolder folder;
    const auto rounded = [&](const std::vector<float>& values) {
        const std::string count = std::to_string(values.size());
        const std::vector<float> vectors(4 * values.size(), 1);
        const std::string data = npy_floats("(" + count + ", 4)", vectors);
        return said_of(archive(folder, {{.name = "q.npy", .data = data},
                                        {.name = "q_rot.npy", .data = data},
                                        {.name = "position_ids.npy",
                                         .data = npy_floats("(" + count + ",)", values)}}),
                       "rounded_positions");
    };
    std::vector<float> whole, bfloat16;
    for (int m = 300; m < 340; ++m) {
        whole.push_back(static_cast<float>(m));
        // to the nearest even number; ties go to the multiple of 4
        bfloat16.push_back(static_cast<float>(m % 2 == 0 ? m : m % 4 == 1 ? m - 1 : m + 1));
    }
    EXPECT_EQ(rounded(whole), "");
    EXPECT_EQ(rounded(bfloat16), "21 of 40");
    for (float& m : bfloat16) m -= 300;  // bfloat16 represents all of them
    EXPECT_EQ(rounded(bfloat16), "");
}

}  // namespace not_read_test
}  // namespace rope::io
