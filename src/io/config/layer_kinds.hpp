// Which layers of a hybrid model rotate: those with softmax attention to the sequence itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config/config_file.hpp"

namespace rope::io {

inline constexpr std::uint64_t most_layers = 65536;

// num_hidden_layers; 0 where the file does not say. Throws InputError.
std::uint64_t layer_count(ConfigFile& file);

// The kind of each layer that does not rotate, "linear_attention", "mamba", "conv", "NoPE"; empty
// for one that does. No layers where no key tells them apart, or no layer is of another kind.
// Throws InputError.
std::vector<std::string> unrotated_kinds(ConfigFile& file);

}  // namespace rope::io
