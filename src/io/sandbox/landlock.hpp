// Linux's Landlock: what a process may still open.
#pragma once

#include <filesystem>
#include <vector>

namespace rope::io {

// Whether this kernel has it, and whoever runs this process allows it.
bool has_landlock();

// What a command line names: files to read, files to write, and files to read and write.
struct Grants {
    std::vector<std::filesystem::path> read, written, updated;
};

// From here on this process, which must have one thread, reads and writes only these files, makes
// and replaces files only in the folders of those that it writes, and starts no programs; with
// newer kernels it makes no TCP connections and sends no signals either. What it has open stays
// open. A path that does not exist is not read. Returns false, and nothing has changed, where
// Landlock is missing.
bool restrict_to(const Grants& grants);

}  // namespace rope::io
