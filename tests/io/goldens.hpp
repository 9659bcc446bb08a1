// Recordings of real implementations, each with its Spec.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "io/dump/dump.hpp"
#include "tests/io/named_arrays.hpp"
#include "tests/rope/golden_specs.hpp"

namespace rope::io {

inline const std::string golden_folder = ROPE_CHECK_TESTS "/golden/";

constexpr auto half = PairLayout::half_split;
constexpr auto interleaved = PairLayout::interleaved;
constexpr auto moved = PairLayout::interleaved_to_half_split;

struct Golden {
    const char* id;
    const char* subjects;  // in the file
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
    std::string file() const { return golden_folder + id + ".npz"; }
};
inline void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.id; }

// The Spec of a recorded config.
inline Scaling recorded_scaling(const std::string& family, const std::string& id) {
    const auto recorded =
        nlohmann::json::parse(std::ifstream(golden_folder + family + "/cases.json"));
    for (const auto& each : recorded["cases"])
        if (each["id"] == id) return golden_scaling(each["params"]["config"]);
    throw std::runtime_error("no case " + id);
}

inline Scaling proportional(double part) {
    return {.rope_type = "proportional", .partial_rotary_factor = part};
}

// ggml's freq_factors divide the frequencies, as longrope's factors do, without an
// attention_factor.
inline Scaling freq_factors(const std::string& id) {
    Scaling scaling;
    scaling.rope_type = "longrope";
    scaling.original_max_position_embeddings = 4096;
    scaling.short_factor = scaling.long_factor =
        load_member(golden_folder + "ggml/" + id + ".npz", "freq_factors").array.values();
    scaling.attention_factor = 1;
    return scaling;
}

// clang-format off
inline const std::vector<Golden> goldens{
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
    // multiplies its attention factor by 1 + 0.1·ln s
    {"ggml/neox_d128_b1e4_yarn0.25", "table q",  half,        128, 128, 10000,  yarn(4, 4096)},
    {"ggml/normal_d64_b1e4_yarn0.25", "table q",  interleaved,  64,  64, 10000,  yarn(4, 4096)},
    {"hf_half/llama_d128_b1e6_yarn_qwen25", "table q k", half,        128, 128, 1e6,    recorded_scaling("hf_half", "llama_d128_b1e6_yarn_qwen25")},
    {"hf_half/gptoss_d64_yarn32_notrunc", "table q k", half,         64,  64, 150000, recorded_scaling("hf_half", "gptoss_d64_yarn32_notrunc")},
    {"hf_half/gemma4_d64_b1e4_prop0.5", "table q k", half,         64,  64, 10000,  proportional(0.5)},
    {"hf_half/phi3_d96_longrope_short", "table q k", half,         96,  96, 10000,  recorded_scaling("hf_half", "phi3_d96_longrope_short"), 131072, 4096},
    {"hf_half/phi3_d96_longrope_long", "table q k", half,         96,  96, 10000,  recorded_scaling("hf_half", "phi3_d96_longrope_long"), 131072, 4097},
    {"hf_interleaved/deepseekv3_d64_yarn40", "table q k",     moved,        64,  64, 10000,  recorded_scaling("hf_interleaved", "deepseekv3_d64_yarn40")},
    {"lucidrains/lucid_d64", "table q k", interleaved,  64,  64, 10000,  {}},
    {"lucidrains/lucid_d32_of64_interp4", "table q k", interleaved,  64,  32, 10000,  linear(4)},
    {"onnx/regen_d64_half", "table q", half, 64, 64, 10000, {}},
    {"onnx/regen_d64_inter_rd32", "table q", interleaved, 64, 32, 10000, {}},
    {"lucidrains/lucid_d64_ntk8", "table q k", interleaved,  64,  64, 10000,  ntk(8)},
};
// clang-format on

// Table and vectors as `compare FILE SPEC` reads them.
inline std::vector<NamedDump> load(const Golden& golden, const Spec& spec) {
    DumpFiles files;
    files.dump = golden.file();
    std::vector<NamedDump> dumps = load_dump(files, spec);
    std::string names;
    for (const NamedDump& one : dumps) names += one.name + " ";
    EXPECT_EQ(names, golden.subjects + std::string(" "));
    return dumps;
}

inline void shift(Dump& dump, double offset) {
    const auto shift_all = [&](std::vector<double>& positions) {
        for (double& position : positions) position += offset;
    };
    if (auto* table = std::get_if<TableDump>(&dump)) shift_all(table->positions);
    if (auto* vectors = std::get_if<RotatedDump>(&dump)) shift_all(vectors->positions);
}

}  // namespace rope::io
