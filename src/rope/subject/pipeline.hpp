// Where a real implementation rounds on its way from a config to a table.
#pragma once

#include <span>
#include <string_view>

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

}  // namespace rope
