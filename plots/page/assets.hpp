// The files of this folder, as CMake put them together (embed.cmake).
#pragma once

#include <string_view>

namespace rope::plots {

struct Asset {
    std::string_view text;
    std::string_view sha256;  // of the text, in hexadecimal
};

extern const Asset page_template, page_style, page_script;

}  // namespace rope::plots
