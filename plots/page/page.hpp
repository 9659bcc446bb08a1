// The interactive page, and its files, which CMake embeds (embed.cmake).
#pragma once

#include <string>
#include <string_view>

namespace rope::plots {

struct Asset {
    std::string_view text;
    std::string_view sha256;  // of the text, hexadecimal
};

extern const Asset page_template, page_style, page_script;

// A self-contained HTML page: script and style are inlined, and its policy forbids other scripts
// and all requests.
struct Page {
    std::string title;
    std::string summary;  // for readers without script
    std::string json;     // data of the script, as json_text writes it
};

// Returns the page. Requires valid UTF-8. Title, summary and json are escaped.
std::string page_html(const Page& page);

}  // namespace rope::plots
