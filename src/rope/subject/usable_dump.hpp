// What a dump must hold to be judged, and what is said of its values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// Throw InputError unless positions and values are as many as the Spec's shape needs.
void require_usable(const Spec& spec, const TableDump& dump);
void require_usable(const Spec& spec, const RotatedDump& dump);

// Of a pair's norm, where values are as coarse; throws InputError where no angle is left of it.
double rounding_of_small_vectors(const RotatedDump& dump, double coarseness);

// Throws InputError where every pair was left out. `untold`: pairs that were in every row.
std::vector<std::string> notes_on(const Spec& spec, const RotatedDump& dump, double coarseness,
                                  std::uint64_t left_out, std::span<const std::uint32_t> untold);

}  // namespace rope
