// Numbers as text, the same in every locale.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace rope {

// The shortest decimal that reads back as the same number.
inline std::string decimal(double x) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}
inline std::string decimal(std::uint64_t x) {
    char text[24];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

}  // namespace rope
