// A small table of words and numbers, for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

struct Cells {
    std::vector<std::string> head;                    // a name for each column
    std::string_view align;                           // a letter for each: 'l' or 'r'
    std::vector<std::vector<std::string>> rows = {};  // as wide as the head
};

// Columns padded with spaces, two between, each line after `indent` spaces.
std::string aligned(const Cells& cells, std::size_t indent);

// GitHub's Markdown: a pipe table. What Markdown or HTML would read as its own is escaped.
std::string markdown_table(const Cells& cells);
std::string markdown_escape(std::string_view text);

}  // namespace rope::io
