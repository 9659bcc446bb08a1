// Linux's Landlock: what a process may still open.
#pragma once

#include <filesystem>
#include <span>

namespace rope::io {

// Whether this kernel has it, and whoever runs this process allows it.
bool has_landlock();

// From here on this process, which must have one thread, opens no files but these, to be read,
// makes, renames and removes none, and starts no programs; with newer kernels it makes no TCP
// connections and sends no signals either. What it has open stays open. A path where there is
// nothing is passed over. Returns false, and nothing has changed, where that cannot be had.
bool restrict_to_reading(std::span<const std::filesystem::path> files);

}  // namespace rope::io
