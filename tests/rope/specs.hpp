// Short functions that make Specs.
#pragma once

#include <cstdint>
#include <utility>

#include "rope/spec/spec.hpp"

namespace rope {

inline Scaling linear(double factor) { return {.rope_type = "linear", .factor = factor}; }

inline Scaling llama3(double factor, double low = 1, double high = 4,
                      std::uint64_t original = 8192) {
    return {.rope_type = "llama3",
            .factor = factor,
            .low_freq_factor = low,
            .high_freq_factor = high,
            .original_max_position_embeddings = original};
}

inline Scaling yarn(double factor, std::uint64_t original = 4096) {
    return {.rope_type = "yarn", .factor = factor, .original_max_position_embeddings = original};
}

inline Scaling dynamic(double factor) { return {.rope_type = "dynamic", .factor = factor}; }
inline Scaling ntk(double factor) { return {.rope_type = "ntk", .factor = factor}; }

inline Scaling he_xu() { return {.rope_type = "he_xu"}; }

inline Spec spec_of(std::uint32_t d, double base, Scaling scaling = {}, std::uint64_t n = 2048) {
    Spec spec;
    spec.head_dim = spec.rotary_dim = d;
    spec.rope_theta = base;
    spec.max_position_embeddings = n;
    spec.scaling = std::move(scaling);
    return spec;
}

inline Spec partial(std::uint32_t head_dim, std::uint32_t rotary_dim,
                    PairLayout layout = PairLayout::half_split) {
    Spec spec = spec_of(head_dim, 10000);
    spec.rotary_dim = rotary_dim;
    spec.layout = layout;
    return spec;
}

inline Spec on_axes(Spec spec, AxisMap axes) {
    spec.axes = std::move(axes);
    return spec;
}

inline Spec interleaved(Spec spec) {
    spec.layout = PairLayout::interleaved;
    return spec;
}

}  // namespace rope
