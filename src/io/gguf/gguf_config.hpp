// A GGUF's metadata as the config.json that would say the same of its rotary embedding.
#pragma once

#include <filesystem>

#include "io/config/config_file.hpp"

namespace rope::io {

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
