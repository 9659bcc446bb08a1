// An array on disk.
#pragma once

#include <string>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// An array and the name that messages and origins call it by.
struct NamedArray {
    std::string name;
    Array array;
};

}  // namespace rope::io
