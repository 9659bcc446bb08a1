// Removes a folder with all that is in it.
#pragma once

namespace rope::io {

// However deep it is, two files are open at a time. No link is followed. What cannot be removed
// stays.
void remove_folder(const char* path) noexcept;

}  // namespace rope::io
