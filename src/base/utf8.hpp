// UTF-8 as defined by RFC 3629.
#pragma once

#include <cstddef>
#include <string_view>

namespace rope {

struct CodePoint {
    char32_t value;
    std::size_t bytes;  // 0 if the bytes are not UTF-8; surrogates are accepted
};

// Returns the first code point of a non-empty text. Overlong forms are not accepted.
CodePoint first_code_point(std::string_view text);

// Returns whether c is at most U+10FFFF and no surrogate.
bool is_scalar_value(char32_t c);

bool is_utf8(std::string_view text);

// Returns the number of characters in well-formed UTF-8.
std::size_t code_points(std::string_view text);

}  // namespace rope
