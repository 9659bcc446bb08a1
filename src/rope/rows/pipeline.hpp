// Known implementations and where each rounds between config and table.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "rope/rows/row_source.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

enum class AngleMethod {
    exact,       // m·θ exactly
    product,     // position · inv_freq
    recurrence,  // ggml: θ ← θ · base^(-2/d) from pair to pair
};

struct Pipeline {
    std::string_view name;
    AngleMethod method = AngleMethod::product;
    Format inv_freq = Format::float32;
    Format position = Format::float32;
    Format product = Format::float32;  // format of the angle
    Format table = Format::float32;    // format of cos and sin
    bool divides_position = false;     // linear scaling as (m/factor)·θ instead of m·(θ/factor)
    std::string_view who;              // implementations that do this
    std::string_view fault;            // its fault and the fix; empty if it has none
};

// Returns the table of all pipelines.
std::span<const Pipeline> pipelines();
inline constexpr std::string_view default_pipeline = "hf-fp32";
// Throws InputError with the known names if there is no such pipeline.
const Pipeline& find_pipeline(std::string_view name);

// Returns the accuracy of a correct implementation of the pipeline; `plan` is exact.
Exactness expected_exactness(const Spec& spec, const Pipeline& pipeline, const FrequencyPlan& plan);

// Classes of arithmetic, in order of decreasing accuracy: each class includes the errors of the
// classes before it.
enum class Arithmetic {
    exact,      // float64 for all steps, including the angle
    rounded,    // float64 frequencies rounded once to float32; float32 angles
    pow,        // base^(2i/d) in float32
    exp,        // exp(-2i/d·ln base) in float32
    iterative,  // ggml: θ ← θ·base^(-2/d) in float32, from pair to pair
};

inline constexpr std::array arithmetics{Arithmetic::exact, Arithmetic::rounded, Arithmetic::pow,
                                        Arithmetic::exp, Arithmetic::iterative};
inline constexpr Arithmetic least_exact = Arithmetic::iterative;
// Requires a class other than least_exact.
constexpr Arithmetic next_less_exact(Arithmetic arithmetic) {
    return arithmetics[static_cast<std::size_t>(arithmetic) + 1];
}

std::string_view to_string(Arithmetic arithmetic);  // "pow"
std::string_view in_words(
    Arithmetic arithmetic);  // "as accurate as inv_freq by float32 pow (transformers)"

// Returns K of each pair: its angle error is at most K·2^-24·mθ for positions below 2^24. K is 0 in
// every class if θ is base^0, possibly scaled by a power of two: nothing is rounded.
std::vector<double> angle_k(Arithmetic arithmetic, const Spec& spec, const FrequencyPlan& plan);

// Returns the rows 0 … context − 1 that the pipeline computes for this Spec.
std::unique_ptr<RowSource> emulate(const Spec& spec, const Pipeline& pipeline,
                                   std::uint64_t context);

// Returns the rows of keys that are rotated and cached one after another, in float32: row m has the
// frequencies of a sequence of m + 1 positions. The Spec has two tables and no seq_len.
std::unique_ptr<RowSource> emulate_cached_keys(const Spec& spec, std::uint64_t context);

}  // namespace rope
