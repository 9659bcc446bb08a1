// What a command prints, made once: its values as JSON, and the same as text and as Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/text/cells.hpp"

namespace rope::io {

struct Document {
    std::string json = {}, text = {}, markdown = {}, csv = {};

    // By the name of the format; text for any other.
    const std::string& in(std::string_view format) const;

    // Each goes to the text and to the Markdown, where a blank line is between two but for items.

    void heading(std::string_view marks, std::string_view words);  // "##", "Verdicts:"
    // The later lines of the text after as much space as the mark takes.
    void paragraph(std::string_view mark, std::string_view words);
    void item(std::string_view mark, std::string_view words);
    void line(std::string_view mark, std::string_view words);  // an item that is not wrapped
    void table(const Cells& cells, std::size_t indent);
    // A table of two columns: of the text, the first is `width` wide, and the second is wrapped.
    void terms(const Cells& cells, std::size_t indent, std::size_t width);

    // An empty line of the text.
    Document& gap() { return text += '\n', *this; }

  private:
    // Of the Markdown.
    std::string& next();
    void add_item(std::string_view words);
};

}  // namespace rope::io
