// Which layers of a hybrid model rotate: those with softmax attention to the sequence itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/config/config_file.hpp"

namespace rope::io {

inline constexpr std::uint64_t most_layers = 65536;

// num_hidden_layers; 0 where the file does not say. Throws InputError.
std::uint64_t layer_count(ConfigFile& file);

// How each layer attends, as layer_types or a pattern says. Throws InputError.
class Attention {
  public:
    explicit Attention(ConfigFile& file);
    std::string of(std::uint64_t layer) const;  // "sliding_attention"; empty where neither says
    std::uint64_t listed() const { return types_.size(); }

  private:
    std::vector<std::string> types_;
    std::string letters_;           // of EXAONE 4: L slides
    std::uint64_t full_every_ = 0;  // the others slide
    bool first_is_full_ = false;    // of MiMo-V2
};

// Gives the sections that are named after a kind of attention the numbers of their layers, and
// marks those of a kind that no layer has, as far as the file says how its layers attend. Marks no
// key as read. Throws InputError.
void number_by_attention(ConfigFile& file);

// The kind of each layer that does not rotate, "linear_attention", "mamba", "conv", "NoPE"; empty
// for one that does. No layers where no key distinguishes them, or all are of one kind.
// Throws InputError.
std::vector<std::string> unrotated_kinds(ConfigFile& file);

}  // namespace rope::io
