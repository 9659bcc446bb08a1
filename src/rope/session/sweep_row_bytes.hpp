// A row of a sweep on its way from one process to another.
#pragma once

#include "base/bytes.hpp"
#include "rope/session/sweep_row.hpp"

namespace rope {

Bytes bytes_of(const SweepRow& row);
// Throws std::length_error where they are not those of a row.
SweepRow sweep_row_of(const Bytes& bytes);

}  // namespace rope
