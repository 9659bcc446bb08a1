#include <gtest/gtest.h>

#include <string>

#include "io/subject/subject.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/named_arrays.hpp"

namespace rope::io {
namespace dump_by_spec_test {

const std::string golden = ROPE_CHECK_TESTS "/golden/hf_half/";

std::vector<NamedDump> load(const std::string& file, ResolvedSpec asked) {
    DumpFiles files;
    files.dump = golden + file;
    DumpTensors tensors(files);
    return load_dump_by(tensors, {}, asked);
}

TEST(DumpBySpec, HasTheSpecsWidth) {
    const auto dumps = load("neox_d64_partial0.25.npz", {spec_of_dimensions(64, 16), {}, {}});
    ASSERT_EQ(dumps.size(), 3u);  // q and k, too
    EXPECT_EQ(dumps[0].dimensions, 16u);
}

TEST(DumpBySpec, OfAPartOfTheHeadIsReadByItsShape) {
    const auto dumps = load("neox_d64_partial0.25.npz", {spec_of_dimensions(64, 64), {}, {}});
    ASSERT_EQ(dumps.size(), 3u);  // q and k, too
    EXPECT_EQ(dumps[0].dimensions, 16u);
    EXPECT_EQ(std::get<TableDump>(dumps[0].dump).pairs, 8u);
}

TEST(DumpBySpec, OfAWiderHeadIsRefusedAsTheSpecReadsIt) {
    const auto load_wider = [] {
        load("llama_d128_b1e4_default.npz", {spec_of_dimensions(64, 64), {}, {}});
    };
    EXPECT_NE(error_message<InputError>(load_wider).find("128"), std::string::npos);
}

// The last position selects the table of a Spec that has two.
TEST(DumpBySpec, LastPositionChoosesTheTable) {
    ResolvedSpec asked{spec_of_dimensions(4, 4), {}, {}};
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

}  // namespace dump_by_spec_test
}  // namespace rope::io
