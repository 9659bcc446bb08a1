// What was judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rope {

// How a dump was read: {"cache_layout", "half", "columns are rotary_dim/2"}.
struct Assumption {
    std::string what, value, from;
};

struct Subject {
    std::string origin;         // "pipeline hf-fp32", "cos.npy, sin.npy"
    std::string pipeline;       // the pipeline's name; empty for a dump
    std::uint64_t context = 0;  // positions 0 … context − 1
    std::uint64_t seed = 1;
    std::string layers = {};                        // of the model, where its layers differ
    std::vector<std::uint32_t> layer_numbers = {};  // of these, where they are known
    std::string digest = {};                        // of every cos and sin, if a baseline needs it
    std::vector<std::string> notes = {};            // what was assumed or left out, a sentence each
    std::uint64_t left_out = 0;                     // pairs of rows, of which it says nothing
    std::vector<Assumption> read_as = {};
    double nearest_position = 0;  // |m| of the row nearest to 0
};

}  // namespace rope
