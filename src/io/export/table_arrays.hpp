// The table of an export in its cache layout.
#pragma once

#include <memory>
#include <vector>

#include "io/export/export.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope::io {

// inv_freq as float64 and float32, and the cosines and sines or angles. Throws InputError where
// request.pipeline does not compute them.
std::vector<WrittenArray> table_arrays(const ExportRequest& request,
                                       const std::shared_ptr<GoldenRows>& golden);

}  // namespace rope::io
