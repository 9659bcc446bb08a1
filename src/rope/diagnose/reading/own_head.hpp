// The lanes that turn, rotated as a head of their own where the Spec pairs them across the head.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/spec/lanes.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// The lanes of each pair, in the order of the Spec's frequencies.
struct OwnHead {
    std::uint32_t rotary_dim;
    std::vector<Lanes> read, written;
};

// Of proportional, whose first pairs alone turn; none where its layout pairs the same lanes anyway.
std::optional<OwnHead> own_head(const Spec& spec);

}  // namespace rope
