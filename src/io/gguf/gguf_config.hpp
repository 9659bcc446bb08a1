// A GGUF as a config.json, and what llama.cpp's code does by its architecture.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/config/config_file.hpp"
#include "io/json/rows.hpp"

namespace rope::io {

// What llama.cpp's code does by a GGUF's general.architecture: the rows of
// data/architectures.jsonl.

// llama_model_rope_type in llama-model.cpp. NORM pairs are interleaved, all others half_split.
enum class GgmlPairs { unknown, none, norm, neox, mrope, imrope, norm_or_mrope };

// What sliding layers have that the others have not.
enum class SlidingHave {
    own_base,      // rope.freq_base_swa, else 10000 (llama-hparams.h), without scaling
    another_base,  // rope.freq_base_swa, else the others', with their scaling
    unscaled,      // the base alone
    rotation,      // the others have no RoPE
};
// What attention.sliding_window_pattern may be: llama_model_loader::get_key_or_arr passes over a
// list where a period is wanted, and gives every layer a single value where a list is.
enum class SlidingPattern { period, list, either, unread };
// By which attention.sliding_window layers slide.
enum class SlidingWindow { any, positive, not_zero };
struct SlidingLayers {
    SlidingHave have;
    std::uint32_t period =
        0;  // where no key says: of so many layers one does not slide; 0: unknown
    std::uint32_t layers = 0;  // only models of so many; 0: of any number
    SlidingPattern pattern = SlidingPattern::period;
    SlidingWindow window = SlidingWindow::any;
};

struct GgufArchitecture {
    std::string name;  // "*": of architectures without a row
    GgmlPairs pairs;
    std::string instead = {};  // of a rotary embedding: "ALiBi"
    std::optional<SlidingLayers> sliding = {};
    std::uint32_t interval = 0;  // where no key says: one layer of so many has no linear attention
    std::vector<std::string> traits = {};

    bool does(std::string_view trait) const { return std::ranges::count(traits, trait) != 0; }
};

// The row of "*" where there is none of that name.
const GgufArchitecture& find_gguf_architecture(std::string_view name);

// Adds the row, or replaces that of its name. Throws InputError. Call it before any GGUF is read.
void add_architecture(const Row& row);

// A GGUF's metadata as the config.json that would say the same of its rotary embedding.

// Of a GGUF only the first 64 MiB are read, so that any model's does. ARCH is general.architecture:
//   head_dim         ARCH.attention.key_length, else ARCH.embedding_length / attention.head_count
//   rotary_dim       ARCH.rope.dimension_count
//   rope_theta       ARCH.rope.freq_base, else 10000
//   rope_type        ARCH.rope.scaling.type; linear if there is only a factor, as in llama.cpp
//   factors          rope_factors_short/long.weight, or rope_freqs.weight for any length (what
//                    llama.cpp makes of llama3): a longrope with no attention factor of its own;
//                    proportional where the last factors are 1e30
//   attention_factor yarn's own times ARCH.rope.scaling.attn_factor
//   yarn's betas     where the architecture's code reads the keys; else 32 and 1
//   layers           those without RoPE, and sliding ones with a base or a width of their own, by
//                    architecture (data/architectures.jsonl)
//   layout           interleaved for the architectures that llama.cpp calls NORM, else half_split
// A float32 value is read as the shortest decimal that rounds to it: 0.0707, not
// 0.07069999724626541. Origins name the GGUF's keys. Throws InputError or IoError.
ConfigFile open_gguf_config(const std::filesystem::path& path);

// Whether the file starts as a GGUF. Throws IoError.
bool is_gguf_file(const std::filesystem::path& path);

}  // namespace rope::io
