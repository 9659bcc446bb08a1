// What real implementations output holds, and stops holding when the Spec is not theirs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>

#include "io/dump.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/golden_specs.hpp"
#include "tests/rope/verdicts.hpp"

namespace rope::io {
namespace {

const std::string golden_folder = ROPE_CHECK_TESTS "/golden/";

constexpr auto half = PairLayout::half_split;
constexpr auto interleaved = PairLayout::interleaved;

struct Golden {
    const char* id;
    const char* subjects;  // found in the file
    PairLayout layout;
    std::uint32_t head_dim, rotary_dim;
    double base;
    Scaling scaling;
    std::uint64_t max_position = 2048;
    std::optional<std::uint64_t> seq_len = {};

    Spec spec() const {
        Spec asked = spec_of(rotary_dim, base, scaling, max_position);
        asked.seq_len = seq_len;
        asked.head_dim = head_dim;
        asked.layout = layout;
        return asked;
    }
    // reads interleaved lanes and writes halves: its vectors are in no one layout
    bool has_mixed_vectors() const {
        return id == std::string("hf_interleaved/deepseekv3_d64_yarn40");
    }
    std::string file() const { return golden_folder + id + ".npz"; }
};
void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.id; }

// Of a recorded config.
Scaling recorded_scaling(const std::string& family, const std::string& id) {
    const auto recorded =
        nlohmann::json::parse(std::ifstream(golden_folder + family + "/cases.json"));
    for (const auto& each : recorded["cases"])
        if (each["id"] == id) return golden_scaling(each["params"]["config"]);
    throw std::runtime_error("no case " + id);
}

Scaling yarn(double factor, std::uint64_t original) {
    Scaling scaling;
    scaling.rope_type = "yarn";
    scaling.factor = factor;
    scaling.original_max_position_embeddings = original;
    return scaling;
}

Scaling proportional(double part) {
    Scaling scaling;
    scaling.rope_type = "proportional";
    scaling.partial_rotary_factor = part;
    return scaling;
}

Scaling ntk(double factor) {
    Scaling scaling;
    scaling.rope_type = "ntk";
    scaling.factor = factor;
    return scaling;
}

// ggml's freq_factors divide the frequencies, as longrope's do, and move no amplitude.
Scaling freq_factors(const std::string& id) {
    Scaling scaling;
    scaling.rope_type = "longrope";
    scaling.original_max_position_embeddings = 4096;
    scaling.short_factor = scaling.long_factor =
        load_member(golden_folder + "ggml/" + id + ".npz", "freq_factors").array.values();
    scaling.attention_factor = 1;
    return scaling;
}

// clang-format off
const std::vector<Golden> goldens{
    //                                        subjects    layout      head rotary base   scaling
    {"hf_half/llama_d128_b1e4_default", "table q k", half,        128, 128, 10000,  {}},
    {"hf_half/llama_d64_b5e5_llama3f32", "table q k", half,         64,  64, 500000, llama3(32)},
    {"hf_half/llama_d128_b1e4_bf16", "table q k", half,        128, 128, 10000,  {}},
    {"hf_half/llama_d64_b1e4_ragged", "table q k", half,         64,  64, 10000,  {}},
    {"hf_half/llama_d128_b1e4_linear4", "table q k", half,        128, 128, 10000,  linear(4)},
    {"hf_half/llama_d64_b1e4_linear2.5", "table q k", half,         64,  64, 10000,  linear(2.5)},
    {"hf_half/neox_d64_partial0.25", "table q k", half,         64,  16, 10000,  {}},
    {"hf_half/neox_d96_partial0.5", "table q k", half,         96,  48, 10000,  {}},
    {"hf_interleaved/cohere_d128_b1e4", "table q k", interleaved, 128, 128, 10000,  {}},
    {"hf_interleaved/glm4_d128_b1e4_partial0.5", "table q k", interleaved, 128,  64, 10000,  {}},
    {"hf_interleaved/gptj_d64", "table q k", interleaved,  64,  64, 10000,  {}},
    {"complex/llama4_d128_b5e5_llama3f16", "table q k", interleaved, 128, 128, 500000, llama3(16, 1, 1.5)},
    {"complex/meta_llama2_d128_b1e4", "table q k", interleaved, 128, 128, 10000,  {}},
    {"labml/labml_d64", "table q k", half,         64,  64, 10000,  {}},
    {"labml/labml_d32_of64", "table q k", half,         64,  32, 10000,  {}},
    {"ggml/neox_d128_b1e4", "table q",  half,        128, 128, 10000,  {}},
    {"ggml/neox_d128_b1e4_f16", "table q",  half,        128, 128, 10000,  {}},
    {"ggml/neox_d128_nd64_b1e4", "table q",  half,        128,  64, 10000,  {}},
    {"ggml/normal_d128_b1e4", "table q",  interleaved, 128, 128, 10000,  {}},
    {"ggml/normal_d128_b1e4_scale0.25", "table q",  interleaved, 128, 128, 10000,  linear(4)},
    {"ggml/normal_d128_b5e5_llama3ff", "table q",  interleaved, 128, 128, 500000, llama3(8)},
    {"ggml/neox_d128_b1e4_ff", "table q",  half,        128, 128, 10000,  freq_factors("neox_d128_b1e4_ff")},
    // ggml's yarn always floors and ceils the ramp's bounds, as transformers does by default, and
    // multiplies its magnitude by 1 + 0.1·ln s itself
    {"ggml/neox_d128_b1e4_yarn0.25", "table q",  half,        128, 128, 10000,  yarn(4, 4096)},
    {"ggml/normal_d64_b1e4_yarn0.25", "table q",  interleaved,  64,  64, 10000,  yarn(4, 4096)},
    {"hf_half/llama_d128_b1e6_yarn_qwen25", "table q k", half,        128, 128, 1e6,    recorded_scaling("hf_half", "llama_d128_b1e6_yarn_qwen25")},
    {"hf_half/gptoss_d64_yarn32_notrunc", "table q k", half,         64,  64, 150000, recorded_scaling("hf_half", "gptoss_d64_yarn32_notrunc")},
    {"hf_half/gemma4_d64_b1e4_prop0.5", "table q k", half,         64,  64, 10000,  proportional(0.5)},
    {"hf_half/phi3_d96_longrope_short", "table q k", half,         96,  96, 10000,  recorded_scaling("hf_half", "phi3_d96_longrope_short"), 131072, 4096},
    {"hf_half/phi3_d96_longrope_long", "table q k", half,         96,  96, 10000,  recorded_scaling("hf_half", "phi3_d96_longrope_long"), 131072, 4097},
    {"hf_interleaved/deepseekv3_d64_yarn40", "table q k",     interleaved,  64,  64, 10000,  recorded_scaling("hf_interleaved", "deepseekv3_d64_yarn40")},
    {"lucidrains/lucid_d64", "table q k", interleaved,  64,  64, 10000,  {}},
    {"lucidrains/lucid_d32_of64_interp4", "table q k", interleaved,  64,  32, 10000,  linear(4)},
    {"onnx/regen_d64_half", "table q", half, 64, 64, 10000, {}},
    {"onnx/regen_d64_inter_rd32", "table q", interleaved, 64, 32, 10000, {}},
    {"lucidrains/lucid_d64_ntk8", "table q k", interleaved,  64,  64, 10000,  ntk(8)},
};

// Judged in golden_axes_test and golden_application_test.
const std::set<std::string> elsewhere{
    "ggml/mrope_d128_b1e6_s16_24_24", "lucidrains/lucid_seq_d32_off100",
};
// clang-format on

// ---- reading ----------------------------------------------------------------------------------

// Table and vectors as `compare FILE SPEC` finds them.
std::vector<NamedDump> load(const Golden& golden, const Spec& spec) {
    DumpFiles files;
    files.dump = golden.file();
    std::vector<NamedDump> dumps = load_dump(files, spec);
    std::string names;
    for (const NamedDump& one : dumps) names += one.name + " ";
    EXPECT_EQ(names, golden.subjects + std::string(" "));
    if (golden.has_mixed_vectors()) dumps.resize(1);
    return dumps;
}

std::unique_ptr<RowSource> rows_of(const Spec& spec, const Dump& dump) {
    if (const auto* table = std::get_if<TableDump>(&dump)) return table_rows(spec, *table);
    return rotated_rows(spec, std::get<RotatedDump>(dump));
}

void shift(Dump& dump, std::uint64_t offset) {
    const auto shift_all = [&](std::vector<std::uint64_t>& positions) {
        for (std::uint64_t& position : positions) position += offset;
    };
    if (auto* table = std::get_if<TableDump>(&dump)) shift_all(table->positions);
    if (auto* vectors = std::get_if<RotatedDump>(&dump)) shift_all(vectors->positions);
}

// Of the table, and then of each pair of vectors.
std::vector<std::string> all_marks(const Golden& golden, const Spec& spec,
                                   std::uint64_t offset = 0) {
    std::vector<std::string> all;
    for (NamedDump& one : load(golden, spec)) {
        shift(one.dump, offset);
        all.push_back(marks(spec, *rows_of(spec, one.dump)));
    }
    return all;
}

// ---- the theorems -----------------------------------------------------------------------------

class GoldenDump : public testing::TestWithParam<Golden> {};

TEST_P(GoldenDump, HoldsAgainstItsSpec) {
    const Spec spec = GetParam().spec();
    const auto found = all_marks(GetParam(), spec);
    EXPECT_EQ(found[0], ". . . . . . . . -");
    const bool passes_lanes = spec.rotary_dim < spec.head_dim;
    for (std::size_t k = 1; k < found.size(); ++k)
        EXPECT_EQ(found[k], passes_lanes ? ". . . . . . . . ." : ". . . . . . . . -");
}

TEST_P(GoldenDump, IsNotOfABaseOnePerCentAway) {
    Spec spec = GetParam().spec();
    spec.rope_theta *= 1.01;
    for (const std::string& found : all_marks(GetParam(), spec)) EXPECT_EQ(found.front(), 'X');
}

TEST_P(GoldenDump, IsNotOfTheNextPositions) {
    for (const std::string& found : all_marks(GetParam(), GetParam().spec(), 1)) {
        EXPECT_EQ(found.front(), 'X');
        EXPECT_EQ(found.substr(14, 1), ".");  // an offset is relative to nothing
    }
}

TEST_P(GoldenDump, IsNotOfTheOtherLayout) {
    Spec spec = GetParam().spec();
    spec.layout = spec.layout == half ? interleaved : half;
    const auto found = all_marks(GetParam(), spec);
    EXPECT_EQ(found[0], ". . . . . . . . -");  // a table has none
    for (std::size_t k = 1; k < found.size(); ++k) EXPECT_EQ(found[k].substr(0, 9), "X X . X X");
}

INSTANTIATE_TEST_SUITE_P(Goldens, GoldenDump, testing::ValuesIn(goldens), [](const auto& row) {
    std::string name(row.param.id);
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

TEST(Goldens, AreAllJudged) {
    std::set<std::string> known = elsewhere;
    for (const Golden& golden : goldens) known.insert(golden.id);
    EXPECT_EQ(known.size(), goldens.size() + elsewhere.size());

    std::set<std::string> recorded;
    for (const std::string family :
         {"hf_half", "hf_interleaved", "complex", "labml", "lucidrains", "ggml", "onnx"}) {
        std::ifstream file(golden_folder + family + "/cases.json");
        const nlohmann::json family_cases = nlohmann::json::parse(file);
        for (const auto& each : family_cases["cases"])
            recorded.insert(family + "/" + each["id"].get<std::string>());
    }
    EXPECT_EQ(known, recorded);
}

}  // namespace
}  // namespace rope::io
