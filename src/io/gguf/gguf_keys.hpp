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

    bool does(std::string_view trait) const { return known->does(trait); }
    std::string path(std::string_view key) const { return architecture + "." + std::string(key); }
    std::string shown(std::string_view key) const;  // the path, printable
    // Returns null where the key is absent; otherwise the key counts as used.
    const GgufValue* find(std::string_view key);
    const std::vector<double>* list(std::string_view key);  // null, too, for another value
    // Throws InputError where the value is not a finite number.
    std::optional<double> number(std::string_view key);
    // Puts the value under `to`, a path of the config.
    bool copy(std::string_view key, const std::string& to);
    // Returns the values of a tensor. Throws InputError.
    std::optional<std::vector<double>> tensor(const std::string& name) const;
    // Throws InputError: no rope_type does both.
    [[noreturn]] void refuse_together(const std::string& one, const std::string& other) const;
};

inline constexpr std::string_view attn_factor_key = "rope.scaling.attn_factor";

// Puts rope_scaling, from ARCH.rope.scaling.* and the tensors of factors. Throws InputError.
void translate_scaling(GgufKeys& keys);

// Puts layer_types into the config where some layers have no attention that rotates: recurrent,
// convolution and linear attention layers of hybrids, and layers without heads. Throws InputError.
void name_unrotated_layers(GgufKeys& keys);

// Returns how many dimensions rotate in layers that do not slide, where a key gives it.
std::optional<Found<std::uint64_t>> full_lanes(GgufKeys& keys);

// Splits the one section that a GGUF's keys make, by what llama.cpp's code does for its
// architecture: layers without RoPE, sliding layers with another base or width, or without scaling.
// Throws InputError.
void split_gguf_layers(ConfigFile& file, GgufKeys& keys);

}  // namespace rope::io
