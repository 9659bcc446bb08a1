// Programs that answer an audit, complete but for the call of the kernel.
#pragma once

#include <span>
#include <string_view>

namespace rope::io {

struct Adapter {
    std::string_view language;  // "numpy"
    std::string_view text;      // the file of the folder adapters/
};

std::span<const Adapter> adapters();

// What `audit --python` runs: it calls one function of a module.
extern const std::string_view python_call;

}  // namespace rope::io
