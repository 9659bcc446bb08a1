// Text for a terminal of 80 columns, and small tables of words and numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

// Text for a terminal of 80 columns.

// The words of a text as lines of at most 80 code points, the later ones indented; a longer word
// has a line of its own. Ends in a newline.
std::string wrapped(std::string_view text, std::size_t indent);

// The same after a mark such as "  1. ", the later lines beside it.
std::string hanging(std::string_view mark, std::string_view text);

// A whole text with its lines of more than 80 code points broken between words: the rest goes below
// the last column of a row, else after the indentation. A command to paste stays as it is.
std::string fitted(std::string_view text);

// A small table of words and numbers, for people.

struct Cells {
    std::vector<std::string> head;                    // a name for each column
    std::string_view align;                           // a letter for each: 'l' or 'r'
    std::vector<std::vector<std::string>> rows = {};  // as wide as the head

    template <class... Texts>
    void add(const Texts&... texts) {
        rows.push_back({std::string(texts)...});
    }
};

// Columns padded with spaces, two between, each line after `indent` spaces.
std::string aligned(const Cells& cells, std::size_t indent);

// GitHub's Markdown: a pipe table. What Markdown or HTML would read as its own is escaped.
std::string markdown_table(const Cells& cells);
std::string markdown_escape(std::string_view text);

}  // namespace rope::io
