// What the terminal says it supports.
#pragma once

#include <vector>

namespace rope::cli {

// The attributes in its answer to ESC [ c (DA1; VT510 Video Terminal Programmer Information,
// chapter 4), such as 4 for sixel. None where it does not answer in 0.3 s, and where it is not
// asked: standard input or output is no terminal or another process's, something has been typed
// ahead, or CI is set. The terminal's modes are then as before, also where a signal ends the
// process.
std::vector<int> device_attributes();

}  // namespace rope::cli
