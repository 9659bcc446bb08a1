// A sweep that is saved as it goes.
#pragma once

#include <filesystem>

#include "io/sweep/sweep_table.hpp"

namespace rope::io {

// Judges what has no row yet. Before the first, and whenever rows have ended, all that there are
// go to `file`; a signal ends the process between two writes, and leaves no temporary. Throws
// IoError when it cannot be written: what was saved before stays.
void finish_sweep(SweepTable& table, const SweepOptions& options,
                  const std::filesystem::path& file);

}  // namespace rope::io
