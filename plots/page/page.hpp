// One HTML page that needs nothing else: its script and style are part of it, and its policy lets
// no other run and nothing be fetched.
#pragma once

#include <string>

namespace rope::plots {

struct Page {
    std::string title;
    std::string summary;  // what it says, for who runs no script
    std::string json;     // what the script shows
};

// Requires valid UTF-8. No text of title, summary or json becomes markup.
std::string page_html(const Page& page);

}  // namespace rope::plots
