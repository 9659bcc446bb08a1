// How YaRN's attention factor grows with the context.
#pragma once

#include "rope/exact/big_real.hpp"

namespace rope {

// m·ln(s)/10 + 1, and 1 where s ≤ 1, at exact_precision (transformers modeling_rope_utils.py,
// get_mscale)
BigReal yarn_magnitude(double s, double m);

}  // namespace rope
