// Rows of images and videos whose file does not say where on each axis they are.
#pragma once

#include "io/dump/dump.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// Places the rows where the Spec's positions have several axes, and its own do not explain every
// value; of text only where the file `has_images`:
//   row numbers            become the frames × rows × columns that explain every value
//   coordinates in [−1, 1] are multiplied by 2π, as DINOv3 does, if that explains every value
//   rows and columns       become such coordinates of their centres, likewise
// Throws InputError that asks for the positions where there are none, no grid fits, and the Spec's
// pairs are those of images alone, or the file has sizes of images: these have no row numbers.
void place_on_axes(NamedDump& one, const Spec& spec, bool has_images);

}  // namespace rope::io
