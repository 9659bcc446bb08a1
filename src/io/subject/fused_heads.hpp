// What an unknown dump is as its shape says, and as it may be meant as well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identify.hpp"

namespace rope::io {

// Vectors that are nothing as one head are read again as fused heads of each usual width, and those
// of a batch on as many axes, until they are something, and `dump` is then those.
Identity identity_in_heads(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                           const std::vector<Spec>& known);
std::optional<Majority> majority_in_heads(NamedDump& dump, DumpTensors& tensors,
                                          const DumpHints& hints, const std::vector<Spec>& known);

// The same vectors as fused heads of `head_dim`, where they can be.
void read_in_heads_of(std::uint32_t head_dim, NamedDump& dump, DumpTensors& tensors,
                      const DumpHints& hints);

}  // namespace rope::io
