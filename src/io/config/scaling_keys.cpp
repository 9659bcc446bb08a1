#include "io/config/scaling_keys.hpp"

#include <algorithm>
#include <array>

#include "rope/frequency/frequency.hpp"

namespace rope::io {
namespace {

// clang-format off
constexpr std::array<ScalingKey, 13> keys{{
    {"factor",                           "--factor",                &Scaling::factor},
    {"low_freq_factor",                  "--low-freq-factor",       &Scaling::low_freq_factor},
    {"high_freq_factor",                 "--high-freq-factor",      &Scaling::high_freq_factor},
    {"original_max_position_embeddings", "--original-max-position", &Scaling::original_max_position_embeddings},
    {"beta_fast",                        "--beta-fast",             &Scaling::beta_fast},
    {"beta_slow",                        "--beta-slow",             &Scaling::beta_slow},
    {"truncate",                         "--truncate",              &Scaling::truncate},
    {"mscale",                           "--mscale",                &Scaling::mscale},
    {"mscale_all_dim",                   "--mscale-all-dim",        &Scaling::mscale_all_dim},
    {"attention_factor",                 "--attention-factor",      &Scaling::attention_factor},
    {"short_factor",                     "--short-factor",          &Scaling::short_factor},
    {"long_factor",                      "--long-factor",           &Scaling::long_factor},
    {"partial_rotary_factor",            "--partial-rotary-factor", &Scaling::partial_rotary_factor},
}};
// clang-format on

}  // namespace

std::span<const ScalingKey> scaling_keys() { return keys; }

bool uses(std::string_view rope_type, std::string_view key) {
    for (const Variant& variant : variants())
        if (variant.name == rope_type)
            return std::find(variant.keys.begin(), variant.keys.end(), key) != variant.keys.end();
    return false;
}

}  // namespace rope::io
