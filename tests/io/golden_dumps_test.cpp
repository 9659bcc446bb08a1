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
    const char* positions;
    const char* table;    // one array of pairs or halves; empty for cos and sin
    const char* vectors;  // before; the rotated ones are named after it
    const char* axes;     // of the vectors
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
    bool has_table() const { return table != std::string("none"); }
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
    //                                        positions       table                  vectors axes    layout       head rotary base    scaling
    {"hf_half/llama_d128_b1e4_default",       "position_ids", "",                    "q k", "bhsd", half,        128, 128, 10000,  {}},
    {"hf_half/llama_d64_b5e5_llama3f32",      "position_ids", "",                    "q k", "bhsd", half,         64,  64, 500000, llama3(32)},
    {"hf_half/llama_d128_b1e4_bf16",          "position_ids", "",                    "q k", "bhsd", half,        128, 128, 10000,  {}},
    {"hf_half/llama_d64_b1e4_ragged",         "position_ids", "",                    "q k", "bhsd", half,         64,  64, 10000,  {}},
    {"hf_half/llama_d128_b1e4_linear4",       "position_ids", "",                    "q k", "bhsd", half,        128, 128, 10000,  linear(4)},
    {"hf_half/llama_d64_b1e4_linear2.5",      "position_ids", "",                    "q k", "bhsd", half,         64,  64, 10000,  linear(2.5)},
    {"hf_half/neox_d64_partial0.25",          "position_ids", "",                    "q k", "bhsd", half,         64,  16, 10000,  {}},
    {"hf_half/neox_d96_partial0.5",           "position_ids", "",                    "q k", "bhsd", half,         96,  48, 10000,  {}},
    {"hf_interleaved/cohere_d128_b1e4",       "position_ids", "",                    "q k", "bhsd", interleaved, 128, 128, 10000,  {}},
    {"hf_interleaved/glm4_d128_b1e4_partial0.5", "position_ids", "",                 "q k", "bhsd", interleaved, 128,  64, 10000,  {}},
    {"hf_interleaved/gptj_d64",               "position_ids", "sincos_rows",         "q k", "bshd", interleaved,  64,  64, 10000,  {}},
    {"complex/llama4_d128_b5e5_llama3f16",    "position_ids", "freqs_cis_real_imag", "q k", "bshd", interleaved, 128, 128, 500000, llama3(16, 1, 1.5)},
    {"complex/meta_llama2_d128_b1e4",         "position_ids", "freqs_cis_real_imag", "q k", "bshd", interleaved, 128, 128, 10000,  {}},
    {"labml/labml_d64",                       "position_ids", "",                    "q k", "sbhd", half,         64,  64, 10000,  {}},
    {"labml/labml_d32_of64",                  "position_ids", "",                    "q k", "sbhd", half,         64,  32, 10000,  {}},
    {"ggml/neox_d128_b1e4",                   "positions",    "cos_sin",             "x",   "shd",  half,        128, 128, 10000,  {}},
    {"ggml/neox_d128_b1e4_f16",               "positions",    "cos_sin",             "x",   "shd",  half,        128, 128, 10000,  {}},
    {"ggml/neox_d128_nd64_b1e4",              "positions",    "cos_sin",             "x",   "shd",  half,        128,  64, 10000,  {}},
    {"ggml/normal_d128_b1e4",                 "positions",    "cos_sin",             "x",   "shd",  interleaved, 128, 128, 10000,  {}},
    {"ggml/normal_d128_b1e4_scale0.25",       "positions",    "cos_sin",             "x",   "shd",  interleaved, 128, 128, 10000,  linear(4)},
    {"ggml/normal_d128_b5e5_llama3ff",        "positions",    "cos_sin",             "x",   "shd",  interleaved, 128, 128, 500000, llama3(8)},
    {"ggml/neox_d128_b1e4_ff",                "positions",    "cos_sin",             "x",   "shd",  half,        128, 128, 10000,  freq_factors("neox_d128_b1e4_ff")},
    // ggml's yarn always floors and ceils the ramp's bounds, as transformers does by default, and
    // multiplies its magnitude by 1 + 0.1·ln s itself
    {"ggml/neox_d128_b1e4_yarn0.25",          "positions",    "cos_sin",             "x",   "shd",  half,        128, 128, 10000,  yarn(4, 4096)},
    {"ggml/normal_d64_b1e4_yarn0.25",         "positions",    "cos_sin",             "x",   "shd",  interleaved,  64,  64, 10000,  yarn(4, 4096)},
    {"hf_half/llama_d128_b1e6_yarn_qwen25",   "position_ids", "",                    "q k", "bhsd", half,        128, 128, 1e6,    recorded_scaling("hf_half", "llama_d128_b1e6_yarn_qwen25")},
    {"hf_half/gptoss_d64_yarn32_notrunc",     "position_ids", "",                    "q k", "bhsd", half,         64,  64, 150000, recorded_scaling("hf_half", "gptoss_d64_yarn32_notrunc")},
    {"hf_half/gemma4_d64_b1e4_prop0.5",       "position_ids", "",                    "q k", "bhsd", half,         64,  64, 10000,  proportional(0.5)},
    {"hf_half/phi3_d96_longrope_short",       "position_ids", "",                    "q k", "bhsd", half,         96,  96, 10000,  recorded_scaling("hf_half", "phi3_d96_longrope_short"), 131072, 4096},
    {"hf_half/phi3_d96_longrope_long",        "position_ids", "",                    "q k", "bhsd", half,         96,  96, 10000,  recorded_scaling("hf_half", "phi3_d96_longrope_long"), 131072, 4097},
    // reads interleaved lanes and writes halves: its vectors are in no one layout
    {"hf_interleaved/deepseekv3_d64_yarn40",  "position_ids", "",                    "",    "",     interleaved,  64,  64, 10000,  recorded_scaling("hf_interleaved", "deepseekv3_d64_yarn40")},
    {"lucidrains/lucid_d64",                  "position_ids", "none",                "q k", "bhsd", interleaved,  64,  64, 10000,  {}},
    {"lucidrains/lucid_d32_of64_interp4",     "position_ids", "none",                "q k", "bhsd", interleaved,  64,  32, 10000,  linear(4)},
    {"lucidrains/lucid_d64_ntk8",             "position_ids", "none",                "q k", "bhsd", interleaved,  64,  64, 10000,  ntk(8)},
};

// Judged in golden_axes_test and golden_application_test.
const std::set<std::string> elsewhere{
    "ggml/mrope_d128_b1e6_s16_24_24", "lucidrains/lucid_seq_d32_off100",
};
// clang-format on

// ---- reading ----------------------------------------------------------------------------------

NamedArray load(const Golden& golden, const std::string& name) {
    return load_member(golden.file(), name);
}

// One value of each of these offsets, every `step` values.
NamedArray pick(const NamedArray& from, std::uint64_t step, std::uint64_t begin,
                std::uint64_t count, std::uint64_t stride) {
    const std::uint64_t rows = from.array.size() / step;
    std::vector<double> values;
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t k = 0; k < count; ++k)
            values.push_back(from.array.at(row * step + begin + k * stride));
    return floats(from.name, {rows, count}, values);
}

TableDump load_table(const Golden& golden, const Spec& spec) {
    const NamedArray positions = load(golden, golden.positions);
    const std::string name = golden.table;
    if (name.empty()) return table_dump(load(golden, "cos"), load(golden, "sin"), positions, spec);
    const NamedArray both = load(golden, name);
    const std::uint64_t pairs = spec.pairs();
    if (name == "sincos_rows")  // sin ‖ cos
        return table_dump(pick(both, 2 * pairs, pairs, pairs, 1),
                          pick(both, 2 * pairs, 0, pairs, 1), positions, spec);
    return table_dump(pick(both, 2 * pairs, 0, pairs, 2), pick(both, 2 * pairs, 1, pairs, 2),
                      positions, spec);
}

std::vector<RotatedDump> load_vectors(const Golden& golden, const Spec& spec) {
    std::vector<RotatedDump> dumps;
    const std::string positions = golden.file() + ":" + golden.positions;
    for (const char name : std::string(golden.vectors)) {
        if (name == ' ') continue;
        DumpFiles files;
        files.before = golden.file() + ":" + name;
        files.after = golden.file() + ":" + (name == 'x' ? "y" : std::string{name} + "_rot");
        files.positions = positions;
        files.axes = golden.axes;
        dumps.push_back(std::get<RotatedDump>(load_dump(files, spec)));
    }
    return dumps;
}

// Of the table, and then of each pair of vectors.
std::vector<std::string> all_marks(const Golden& golden, const Spec& spec,
                                   std::uint64_t offset = 0) {
    const auto shifted = [offset](auto dump) {
        for (std::uint64_t& position : dump.positions) position += offset;
        return dump;
    };
    std::vector<std::string> all;
    if (golden.has_table())
        all.push_back(marks(spec, *table_rows(spec, shifted(load_table(golden, spec)))));
    for (const RotatedDump& dump : load_vectors(golden, spec))
        all.push_back(marks(spec, *rotated_rows(spec, shifted(dump))));
    return all;
}

// ---- the theorems -----------------------------------------------------------------------------

class GoldenDump : public testing::TestWithParam<Golden> {};

TEST_P(GoldenDump, HoldsAgainstItsSpec) {
    const Spec spec = GetParam().spec();
    const auto found = all_marks(GetParam(), spec);
    const std::size_t vectors = GetParam().has_table() ? 1 : 0;
    if (vectors == 1) {
        EXPECT_EQ(found[0], ". . . . . . . . -");
    }
    const bool passes_lanes = spec.rotary_dim < spec.head_dim;
    for (std::size_t k = vectors; k < found.size(); ++k)
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
    const std::size_t vectors = GetParam().has_table() ? 1 : 0;
    if (vectors == 1) {
        EXPECT_EQ(found[0], ". . . . . . . . -");  // a table has none
    }
    for (std::size_t k = vectors; k < found.size(); ++k)
        EXPECT_EQ(found[k].substr(0, 9), "X X . X X");
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
         {"hf_half", "hf_interleaved", "complex", "labml", "lucidrains", "ggml"}) {
        std::ifstream file(golden_folder + family + "/cases.json");
        const nlohmann::json family_cases = nlohmann::json::parse(file);
        for (const auto& each : family_cases["cases"])
            recorded.insert(family + "/" + each["id"].get<std::string>());
    }
    EXPECT_EQ(known, recorded);
}

}  // namespace
}  // namespace rope::io
