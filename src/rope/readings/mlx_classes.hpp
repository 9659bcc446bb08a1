// What mlx-lm's classes make of a base that stands in rope_parameters, and of scaling.
#pragma once

#include "rope/readings/readings.hpp"

namespace rope {

// rope_parameters is not read, but of classes that are not listed here: the base and the fraction
// are the top level's or the class's own, and nothing is scaled. Nor is a base in rope_scaling.
// Throws InputError where the class has none of its own.
bool mlx_without_rope_parameters(Spec& spec, const ConfigFacts& facts);

// Many classes pass their head_dim on as the number of lanes that rotate.
bool mlx_whole_head(Spec& spec, const ConfigFacts& facts);

// Many classes pass no rope_scaling on: nothing is scaled. Throws InputError where the class
// refuses the type.
bool mlx_class_scaling(Spec& spec, const ConfigFacts& facts);

}  // namespace rope
