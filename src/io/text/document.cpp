#include "io/text/document.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace rope::io {

const std::string& Document::in(std::string_view format) const {
    if (format == "json") return json;
    if (format == "csv") return csv;
    return format == "markdown" ? markdown : text;
}

std::string& Document::next() { return markdown += markdown.empty() ? "" : "\n"; }

void Document::heading(std::string_view marks, std::string_view words) {
    text.append(words).append("\n");
    next().append(marks).append(" ").append(markdown_escape(words)).append("\n");
}

void Document::paragraph(std::string_view mark, std::string_view words) {
    text += hanging(mark, words);
    next().append(markdown_escape(words)).append("\n");
}

void Document::item(std::string_view mark, std::string_view words) {
    text += hanging(mark, words);
    const std::size_t last = markdown.rfind('\n', std::max<std::size_t>(markdown.size(), 2) - 2);
    const bool follows = markdown.compare(last == markdown.npos ? 0 : last + 1, 2, "- ") == 0;
    (follows ? markdown : next()).append("- ").append(markdown_escape(words)).append("\n");
}

void Document::table(const Cells& cells, std::size_t indent) {
    text += aligned(cells, indent);
    next() += markdown_table(cells);
}

void Document::terms(const Cells& cells, std::size_t indent, std::size_t width) {
    for (const auto& row : cells.rows) width = std::max(width, code_points(row[0]));
    for (const auto& row : cells.rows)
        text += hanging(
            std::string(indent, ' ') + row[0] + std::string(width + 2 - code_points(row[0]), ' '),
            row[1]);
    next() += markdown_table(cells);
}

}  // namespace rope::io
