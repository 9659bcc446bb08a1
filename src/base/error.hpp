// Unusable input.
#pragma once

#include <stdexcept>

namespace rope {

// The message is one line: what, where, and what would be right.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace rope
