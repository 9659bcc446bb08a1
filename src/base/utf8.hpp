// UTF-8 by RFC 3629.
#pragma once

#include <cstddef>
#include <string_view>

namespace rope {

struct CodePoint {
    char32_t value;
    std::size_t bytes;  // 0: no UTF-8, not even of a surrogate
};

// The first of a text that is not empty; no overlong form is one.
CodePoint first_code_point(std::string_view text);

// No surrogate, and nothing above U+10FFFF.
bool is_scalar_value(char32_t c);

bool is_utf8(std::string_view text);

// Characters, not bytes, of well-formed UTF-8.
std::size_t code_points(std::string_view text);

}  // namespace rope
