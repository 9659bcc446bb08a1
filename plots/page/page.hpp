// The page, and the files of this folder as CMake put them together (embed.cmake).
#pragma once

#include <string>
#include <string_view>

namespace rope::plots {

struct Asset {
    std::string_view text;
    std::string_view sha256;  // of the text, in hexadecimal
};

extern const Asset page_template, page_style, page_script;

// One HTML page that needs nothing else: its script and style are part of it, and its policy lets
// no other run and nothing be fetched.

struct Page {
    std::string title;
    std::string summary;  // what it says, for who runs no script
    std::string json;     // what the script shows
};

// Requires valid UTF-8. No text of title, summary or json becomes markup.
std::string page_html(const Page& page);

}  // namespace rope::plots
