// The output of a command in several formats: JSON, text, Markdown and CSV.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/text/cells.hpp"

namespace rope::io {

struct Document {
    std::string json = {}, text = {}, markdown = {}, csv = {};

    // Returns the output in a format; text for an unknown one.
    const std::string& in(std::string_view format) const;

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
