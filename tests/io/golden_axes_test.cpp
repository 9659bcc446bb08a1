// Multi-axis rotations as recorded from Qwen2-VL, Qwen3-VL and ggml.
#include <gtest/gtest.h>

#include "io/dump/dump.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io {
namespace golden_axes_test {

NamedArray load(const std::string& id, const std::string& name) {
    return load_member(std::string(ROPE_CHECK_TESTS) + "/golden/" + id + ".npz", name);
}

struct Recording {
    const char* id;
    const char* positions;
    std::vector<std::pair<const char*, const char*>> vectors;
    const char* axes;
    Spec spec;
};

Spec vision_spec(double base, AxisScheme scheme, std::vector<std::uint32_t> sections) {
    Spec spec = spec_of(128, base);
    spec.axes = {scheme, std::move(sections)};
    return spec;
}

const std::vector<Recording> recordings{
    {"mrope/qwen2vl_d128_b1e6_s16_24_24",
     "position_ids",
     {{"q", "q_rot"}, {"k", "k_rot"}},
     "bhsd",
     vision_spec(1e6, AxisScheme::sectioned, {16, 24, 24})},
    {"mrope/qwen3vl_d128_b5e6_s24_20_20",
     "position_ids",
     {{"q", "q_rot"}, {"k", "k_rot"}},
     "bhsd",
     vision_spec(5e6, AxisScheme::interleaved, {24, 20, 20})},
    {"ggml/mrope_d128_b1e6_s16_24_24",
     "positions",
     {{"x", "y"}},
     "shd",
     vision_spec(1e6, AxisScheme::sectioned, {16, 24, 24, 0})},
};

std::vector<RotatedDump> dumps_of(const Recording& recording) {
    std::vector<RotatedDump> dumps;
    for (const auto& [before, after] : recording.vectors)
        dumps.push_back(rotated_dump(load(recording.id, before), load(recording.id, after),
                                     load(recording.id, recording.positions),
                                     asked_for(recording.spec, recording.axes)));
    return dumps;
}

// table-accuracy and the laws of single rows pass; a row has no single position.
TEST(GoldenAxes, HoldAgainstTheirMap) {
    for (const Recording& recording : recordings)
        for (const RotatedDump& dump : dumps_of(recording))
            EXPECT_EQ(marks(recording.spec, *rotated_rows(recording.spec, dump)),
                      ". - . . - - - . -")
                << recording.id;
}

TEST(GoldenAxes, FailAnotherMap) {
    for (const Recording& recording : recordings) {
        Spec other = recording.spec;
        other.axes = recording.spec.axes.scheme == AxisScheme::interleaved
                         ? AxisMap{AxisScheme::sectioned, {24, 20, 20}}
                         : AxisMap{AxisScheme::sectioned, {24, 16, 24}};
        for (RotatedDump dump : dumps_of(recording)) {
            dump.more_positions.resize(2);
            EXPECT_EQ(marks(other, *rotated_rows(other, dump)).front(), 'X') << recording.id;
        }
    }
}

TEST(GoldenAxes, FailOneAxisForAll) {
    for (const Recording& recording : recordings)
        for (RotatedDump dump : dumps_of(recording)) {
            dump.more_positions.clear();
            EXPECT_EQ(marks(recording.spec, *rotated_rows(recording.spec, dump)).front(), 'X')
                << recording.id;
        }
}

// Qwen2-VL records a table for each axis; each row has one position on it.
TEST(GoldenAxes, EveryFilePassesUnchanged) {
    for (const Recording& recording : recordings) {
        DumpFiles files;
        files.dump = std::string(ROPE_CHECK_TESTS) + "/golden/" + recording.id + ".npz";
        const auto dumps = load_dump(files, recording.spec);
        EXPECT_EQ(dumps.size(), recording.vectors.size() + 1) << recording.id;
        for (const NamedDump& one : dumps) {
            const auto* table = std::get_if<TableDump>(&one.dump);
            const auto rows = table ? table_rows(recording.spec, *table)
                                    : rotated_rows(recording.spec, std::get<RotatedDump>(one.dump));
            EXPECT_EQ(marks(recording.spec, *rows).substr(0, 9),
                      rows->has_several_axes() ? ". - . . -" : ". . . . .")
                << recording.id << " " << one.name;
        }
    }
}

// Qwen3-VL records its table with the axes already chosen per column.
TEST(GoldenAxes, ChosenTableHolds) {
    const Recording& recording = recordings[1];
    const TableDump dump = table_dump(load(recording.id, "cos"), load(recording.id, "sin"),
                                      load(recording.id, recording.positions), recording.spec);
    EXPECT_EQ(marks(recording.spec, *table_rows(recording.spec, dump)), ". - . . - - - . -");
}

}  // namespace golden_axes_test
}  // namespace rope::io
