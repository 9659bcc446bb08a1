// A GGUF's metadata while it is being translated into a config.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/config/config_file.hpp"
#include "io/config/params_json.hpp"
#include "io/gguf/gguf_config.hpp"
#include "io/tensor/readers/gguf.hpp"

namespace rope::io {

// Keys are given without the architecture: "rope.freq_base".
struct GgufKeys {
    std::string file;  // as messages name it
    std::span<const std::byte> bytes;
    Gguf gguf;
    std::string architecture = {};
    const GgufArchitecture* known = nullptr;  // its row, once it is read
    TranslatedConfig config = {};
    std::set<std::string> used = {};  // metadata keys

    std::string path(std::string_view key) const { return architecture + "." + std::string(key); }
    // Null if it is absent; otherwise it counts as used.
    const GgufValue* find(std::string_view key);
    // Throws InputError if it is present and not a finite number.
    std::optional<double> number(std::string_view key);
    // Puts the value under `to`, a path of the config.
    bool copy(std::string_view key, const std::string& to);
    // The values of a tensor, or nothing if it is absent. Throws InputError.
    std::optional<std::vector<double>> tensor(const std::string& name) const;
};

// rope_scaling, out of ARCH.rope.scaling.* and the tensors of factors.
void translate_scaling(GgufKeys& keys);

// Factors that divide the frequencies, of any length or of two, out of their tensors; the rope_type
// that they make, empty if there are none. Throws InputError.
std::string translate_factors(GgufKeys& keys, const std::string& type);

// rope.scaling.attn_factor, which multiplies what the type itself has. llama_context overwrites
// yarn_attn_factor where there is an extrapolated part.
std::optional<double> own_attention_factor(GgufKeys& keys, bool is_extrapolated);

// Which layers of a GGUF rotate, and which by a base or a width of their own.

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
