// Which layers of a hybrid model rotate: those with softmax attention to the sequence itself.
#pragma once

#include <string>
#include <vector>

#include "io/config/config_file.hpp"

namespace rope::io {

// The kind of each layer that does not rotate, "linear_attention", "mamba", "conv", "NoPE"; empty
// for one that does. No layers where no key tells them apart, or no layer is of another kind.
// Throws InputError.
std::vector<std::string> unrotated_kinds(ConfigFile& file);

}  // namespace rope::io
