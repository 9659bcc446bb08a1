// Configs that ask for no rotary position embedding.
#pragma once

#include <string>

#include "io/config/config_section.hpp"

namespace rope::io {

// Throws InputError that says what the model uses instead: by its class, or by a key of its config
// that turns RoPE off (alibi, use_mem_rope, position_embedding_type). `attention`: attn_config.
void refuse_without_rope(ConfigSection& model, ConfigSection& attention,
                         const std::string& model_type);

}  // namespace rope::io
