// A GGUF as a config.json, and what llama.cpp's code does by its architecture.
#pragma once

#include <filesystem>

#include "io/config/config.hpp"

namespace rope::io {

// The behaviour of llama.cpp's code for a GGUF's general.architecture, a row of
// data/architectures.jsonl.
struct GgufArchitecture {
    std::string name;  // "*": architectures without a row
    // llama_model_rope_type in llama-model.cpp: unknown, none, norm, neox, mrope, imrope or
    // norm_or_mrope. NORM pairs are interleaved, all others half_split.
    std::string pairs;
    std::string instead = {};  // of a rotary embedding: "ALiBi"
    // Its traits and, for the rows of data/gguf.jsonl, `interval`: without the key one layer of so
    // many has no linear attention. Where layers slide, one of the traits says which keys only
    // these, or only the others, have:
    //   own_base      rope.freq_base_swa, else 10000 (llama-hparams.h), without scaling
    //   another_base  rope.freq_base_swa, else the others', with their scaling
    //   no_scaling    the base, without scaling
    //   rotation      the others have no RoPE
    // `usual_period`: one layer of each period does not slide; 0: only a key gives it. `pattern`:
    // the form of attention.sliding_window_pattern: period, list, either or unread.
    // llama_model_loader::get_key_or_arr ignores a list if a period is wanted, and gives every
    // layer a single value if a list is.
    ConfigFacts facts = {};
    std::optional<std::string> slides_if = {};  // conditions on the GGUF's keys
    // The model_type of a config whose class reads `keys`: by a GGUF's key, the config's.
    std::string model_class = {};
    std::map<std::string, std::string> keys = {};
    std::optional<Becomes> becomes = {};
};

// Returns the row of "*" if none has the name.
const GgufArchitecture& find_gguf_architecture(std::string_view name);

// Adds the row, or replaces the row of its name. Throws InputError. Call it before any GGUF is
// read.
void add_architecture(const Row& row);

// Reads a GGUF's metadata as the config.json that would say the same of its rotary embedding. Only
// the first 64 MiB are read, so that a model of any size can be; where a split model's first file
// has no tensors, those of the second one, too.
// Origins name the GGUF's keys. Throws InputError or IoError.
ConfigFile open_gguf_config(const std::filesystem::path& path);

// Returns the path of the file that follows NAME-00001-of-N.gguf; empty for another name.
std::filesystem::path second_shard(const std::filesystem::path& path);

// Whether the file starts as a GGUF. Throws IoError.
bool is_gguf_file(const std::filesystem::path& path);

}  // namespace rope::io
