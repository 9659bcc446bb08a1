// Readings that differ from the Spec: in width, in the place of the pairs, in the map of axes.
#pragma once

#include <optional>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

using Readings = std::vector<DumpReading>;

// None where no Spec of this width is sound.
std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim,
                                    std::uint32_t head_dim);

// The reading with its axes mapped, ordered or sectioned otherwise.
void add_axis_maps(Readings& all, const DumpReading& plain);

Readings vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part);
// The Spec's alone, and its maps of axes.
Readings own_vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part);

}  // namespace rope
