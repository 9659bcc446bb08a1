// Vectors of a file without xPos' scales, which are in no table and in no law but that of scores.
#pragma once

#include <optional>
#include <vector>

#include "io/dump/dump.hpp"

namespace rope::io {

// Of L positions torchscale's centre is ⌈L/2⌉, which is that of none. Names that begin with k are
// keys. Throws InputError where a dump holds no vectors.
void take_xpos_off(std::vector<NamedDump>& dumps, const Spec& spec, double base,
                   std::optional<double> centre);

}  // namespace rope::io
