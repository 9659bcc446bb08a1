#pragma once

#include <ostream>
#include <string>

namespace rope::io {

// A row of a table: an input that is refused, and the message.
struct Refused {
    const char* name;
    std::string input;
    std::string message;

    friend void PrintTo(const Refused& row, std::ostream* out) { *out << row.name; }
};

}  // namespace rope::io
