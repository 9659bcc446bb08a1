// The turns between which YaRN's ramp runs where a config has no others.
#pragma once

namespace rope {

// transformers modeling_rope_utils.py, _compute_yarn_parameters; llama.cpp's llama_hparams
inline constexpr double yarn_beta_fast = 32, yarn_beta_slow = 1;

}  // namespace rope
