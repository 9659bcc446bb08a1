// Text for a terminal of 80 columns, small tables, and the output of a command in each format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

// Returns the words of a text in lines of at most 80 code points, the later ones indented; a longer
// word has a line by itself, and begins before the indentation where it would not fit behind it.
// Ends in a newline.
std::string wrapped(std::string_view text, std::size_t indent);

// The same after a mark such as "  1. ", with later lines indented by its width.
std::string hanging(std::string_view mark, std::string_view text);

// Breaks the lines of a text that exceed 80 code points between words: the rest is aligned with the
// last column of a row, else with the indentation. Commands are not broken.
std::string fitted(std::string_view text);

// A table of words and numbers.
struct Cells {
    std::vector<std::string> head;  // one name per column
    std::string_view align;         // one letter per column: 'l' or 'r'
    // Each as wide as the head, or a heading of one cell, which may be wider than its column.
    std::vector<std::vector<std::string>> rows = {};

    template <class... Texts>
    void add(const Texts&... texts) {
        rows.push_back({std::string(texts)...});
    }
};

// Returns columns padded with spaces, two between, each line after `indent` spaces.
std::string aligned(const Cells& cells, std::size_t indent);

// Returns a pipe table of GitHub's Markdown, with special characters of Markdown and HTML escaped.
std::string markdown_table(const Cells& cells);
std::string markdown_escape(std::string_view text);

struct Document {
    std::string json = {}, text = {}, markdown = {}, csv = {};
    std::string verdict = {};  // lines for a user who sees none of these; empty: none

    // Returns the output in a format; for an unknown one the text, in lines of 80 code points.
    std::string in(std::string_view format) const;

    // Functions that append to the text and to the Markdown. In Markdown a blank line separates
    // blocks, but not items.

    void heading(std::string_view marks, std::string_view words);  // "##", "Verdicts:"
    // Later lines of the text are indented by the width of the mark.
    void paragraph(std::string_view mark, std::string_view words);
    void item(std::string_view mark, std::string_view words);
    void line(std::string_view mark, std::string_view words);  // an item without line breaks
    void table(const Cells& cells, std::size_t indent);
    // A table of two columns: in the text, the first is `width` wide and the second wrapped.
    void terms(const Cells& cells, std::size_t indent, std::size_t width);

    // Appends an empty line to the text.
    Document& gap() { return text += '\n', *this; }

  private:
    // Returns `markdown`, to append to; separates a new block from earlier ones by a blank line.
    std::string& next();
    void add_item(std::string_view words);
};

}  // namespace rope::io
