// Linux's Landlock: restricts the files that a process can open.
#pragma once

#include <filesystem>
#include <vector>

namespace rope::io {

// Returns whether the kernel supports it and the environment of this process permits it.
bool has_landlock();

// The files that a command line names: to read, to write, and to read and write.
struct Grants {
    std::vector<std::filesystem::path> read, written, updated;
};

// Restricts this process, which must have one thread, to reading and writing these files, and to
// creating and replacing files in the folders of the written ones. It can start no program; with
// newer kernels it can make no TCP connection and send no signal. Open files stay open; a missing
// path is not readable. Returns false, with nothing changed, if Landlock is missing.
bool restrict_to(const Grants& grants);

}  // namespace rope::io
