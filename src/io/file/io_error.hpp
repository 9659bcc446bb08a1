// A file that cannot be read or written; what is wrong inside one is a rope::InputError.
#pragma once

#include <stdexcept>

namespace rope::io {

// The message is one line: the path and the reason.
struct IoError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace rope::io
