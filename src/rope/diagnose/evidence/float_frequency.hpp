// A frequency beyond half a turn a position, identified by the float32 products that it leaves.
#pragma once

#include <optional>

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

// The float32 number t between π and 10^5 for which the pair's angle is fl32(m·t) at every row, to
// the dump's storage; none where 16 bits or far positions leave it open. A line modulo 2π says
// nothing of such a t: its products are off by 2^-24·m·t, which identifies it.
std::optional<double> float_frequency(const Samples& samples, Orientation turn, std::uint32_t pair);

}  // namespace rope
