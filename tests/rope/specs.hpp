// Specs in a line.
#pragma once

#include <cstdint>
#include <utility>

#include "rope/spec/spec.hpp"

namespace rope {

inline Scaling linear(double factor) {
    Scaling scaling;
    scaling.rope_type = "linear";
    scaling.factor = factor;
    return scaling;
}

inline Scaling llama3(double factor, double low = 1, double high = 4,
                      std::uint64_t original = 8192) {
    Scaling scaling;
    scaling.rope_type = "llama3";
    scaling.factor = factor;
    scaling.low_freq_factor = low;
    scaling.high_freq_factor = high;
    scaling.original_max_position_embeddings = original;
    return scaling;
}

inline Scaling he_xu() {
    Scaling scaling;
    scaling.rope_type = "he_xu";
    return scaling;
}

inline Spec spec_of(std::uint32_t d, double base, Scaling scaling = {}, std::uint64_t n = 2048) {
    Spec spec;
    spec.head_dim = spec.rotary_dim = d;
    spec.rope_theta = base;
    spec.max_position_embeddings = n;
    spec.scaling = std::move(scaling);
    return spec;
}

}  // namespace rope
