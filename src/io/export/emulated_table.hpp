// A table as an implementation computes it, roundings and faults included.
#pragma once

#include "io/export/export.hpp"

namespace rope::io {

// Of request.pipeline, at whole positions from 0. Throws InputError at others.
GoldenVectors emulated_table(const ExportRequest& request);

}  // namespace rope::io
