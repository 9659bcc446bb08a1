// The bases that keep B_b(s) ≥ 0 for every distance s of a context, both ends included.
//
// They are islands: above a base that holds, others fail again. Four different numbers are
// therefore called "the" smallest base; each is told with how it was found.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/cosine_sum.hpp"
#include "rope/exclusion.hpp"

namespace rope {
}  // namespace rope
