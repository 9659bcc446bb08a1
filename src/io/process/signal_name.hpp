// Signals by name.
#pragma once

#include <string>

namespace rope::io {

// "SIGSEGV"; "signal 40" where a number has no name.
std::string signal_name(int number);

}  // namespace rope::io
