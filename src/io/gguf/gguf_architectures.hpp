// Which lanes llama.cpp pairs, by a GGUF's general.architecture.
#pragma once

#include <string_view>

namespace rope::io {

// llama_model_rope_type in llama-model.cpp. NORM pairs are interleaved, all others half_split.
enum class GgmlPairs { none, norm, neox, mrope, imrope, norm_or_mrope };

struct GgufArchitecture {
    std::string_view name;
    GgmlPairs pairs;
    // The converter moves the rows of q_proj and k_proj from half_split to interleaved order.
    bool permutes = false;
    std::string_view instead = {};  // of a rotary embedding: "ALiBi"
};

// Null where there is no row.
const GgufArchitecture* find_gguf_architecture(std::string_view name);

}  // namespace rope::io
