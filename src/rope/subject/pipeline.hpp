// Where a real implementation rounds on its way from a config to a table.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "rope/spec/frequency.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

enum class AngleMethod {
    exact,       // m·θ exactly
    product,     // position · inv_freq
    recurrence,  // ggml: θ ← θ · base^(-2/d), pair after pair
};

struct Pipeline {
    std::string_view name;
    AngleMethod method = AngleMethod::product;
    Format inv_freq = Format::float32;
    Format position = Format::float32;
    Format product = Format::float32;  // of the angle
    Format table = Format::float32;    // of cos and sin
    bool divides_position = false;     // linear scaling: (m/factor)·θ in place of m·(θ/factor)
    std::string_view who;              // who does this
    std::string_view fault;            // what is wrong with it, and the fix; empty if it is sound
};

// The explicit table of every pipeline.
std::span<const Pipeline> pipelines();
inline constexpr std::string_view default_pipeline = "hf-fp32";
// Throws InputError naming the known pipelines when there is not one of that name.
const Pipeline& find_pipeline(std::string_view name);

// How exact a sound implementation of the pipeline is, `plan` being the truth.
Exactness expected_exactness(const Spec& spec, const Pipeline& pipeline, const FrequencyPlan& plan);

// How frequencies and angles are computed, and how far each way may be from the truth.

// From the most exact to the least; an angle that one of them explains, the next explains too.
enum class Arithmetic {
    exact,      // float64 throughout, the angle included
    rounded,    // frequencies in float64, rounded once to float32; float32 angles
    pow,        // base^(2i/d) in float32
    exp,        // exp(-2i/d·ln base) in float32
    iterative,  // ggml: θ ← θ·base^(-2/d) in float32, pair after pair
};

inline constexpr std::array arithmetics{Arithmetic::exact, Arithmetic::rounded, Arithmetic::pow,
                                        Arithmetic::exp, Arithmetic::iterative};
inline constexpr Arithmetic least_exact = Arithmetic::iterative;
// Of any but the least exact.
constexpr Arithmetic next_less_exact(Arithmetic arithmetic) {
    return arithmetics[static_cast<std::size_t>(arithmetic) + 1];
}

std::string_view to_string(Arithmetic arithmetic);  // "pow"
std::string_view in_words(
    Arithmetic arithmetic);  // "as accurate as a float32 power (transformers)"

// K of each pair: its angle is off by at most K·2^-24·mθ, below positions of 2^24. 0 in all of
// them where θ is base^0 by a power of two: nothing is rounded there.
std::vector<double> angle_k(Arithmetic arithmetic, const Spec& spec, const FrequencyPlan& plan);

}  // namespace rope
