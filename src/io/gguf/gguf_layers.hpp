// Which layers of a GGUF rotate, and which by a base or a width of their own.
#pragma once

#include "io/config/config_file.hpp"
#include "io/gguf/gguf_keys.hpp"

namespace rope::io {

// Puts layer_types into the config where some layers have no attention that rotates: recurrent,
// convolution and linear attention layers of hybrids, and layers without heads. Throws InputError.
void name_unrotated_layers(GgufKeys& keys);

// Lanes that rotate in layers that do not slide, where a key says so.
std::optional<Found<std::uint64_t>> full_lanes(GgufKeys& keys);

// Splits the one section that a GGUF's keys make, by what llama.cpp's code does for its
// architecture: layers without RoPE, sliding layers with their own base, unscaled, or of other
// widths. Throws InputError.
void split_gguf_layers(ConfigFile& file, GgufKeys& keys);

}  // namespace rope::io
