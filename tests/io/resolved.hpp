// Shared by the tests of resolved Specs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/render/results.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/subject/pipeline.hpp"
#include "tests/rope/specs.hpp"

namespace rope::io {

using Flags = std::vector<Flag>;

inline constexpr auto half = PairLayout::half_split;
inline constexpr auto interleaved = PairLayout::interleaved;

inline std::string origin_of(const ResolvedSpec& resolved, std::string_view field) {
    for (const Origin& origin : resolved.origins)
        if (origin.field == field) return origin.from;
    return "[none]";
}

inline Spec spec(std::uint32_t head_dim, std::uint32_t rotary_dim, PairLayout layout,
                 std::uint64_t max_position, double rope_theta, Scaling scaling = {}) {
    Spec spec;
    spec.head_dim = head_dim;
    spec.rotary_dim = rotary_dim;
    spec.layout = layout;
    spec.max_position_embeddings = max_position;
    spec.rope_theta = rope_theta;
    spec.scaling = std::move(scaling);
    return spec;
}

// The equivalent flags without defaults: "--dim 64 --rope rope_type=linear,factor=4".
inline std::string flags_of(const Spec& spec) {
    Report report;
    report.spec = spec;
    report.subject.pipeline = default_pipeline;
    report.subject.context = spec.max_position_embeddings;
    return command_line(report).substr(std::string_view("rope-check verify ").size());
}

}  // namespace rope::io
