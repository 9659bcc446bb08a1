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
    words.remove_suffix(words.ends_with(':') ? 1 : 0);
    next().append(marks).append(" ").append(markdown_escape(words)).append("\n");
}

void Document::paragraph(std::string_view mark, std::string_view words) {
    text += hanging(mark, words);
    mark.remove_prefix(std::min(mark.find_first_not_of(' '), mark.size()));
    next().append(mark).append(markdown_escape(words)).append("\n");
}

void Document::line(std::string_view mark, std::string_view words) {
    text.append(mark).append(words).append("\n");
    add_item(words);
}

void Document::item(std::string_view mark, std::string_view words) {
    text += hanging(mark, words);
    add_item(words);
}

void Document::add_item(std::string_view words) {
    const std::size_t last = markdown.rfind('\n', std::max<std::size_t>(markdown.size(), 2) - 2);
    const std::size_t start = markdown.find_first_not_of(' ', last == markdown.npos ? 0 : last + 1);
    const bool follows = start != markdown.npos && markdown.compare(start, 2, "- ") == 0;
    (follows ? markdown : next()).append("- ").append(markdown_escape(words)).append("\n");
}

void Document::table(const Cells& cells, std::size_t indent) {
    text += aligned(cells, indent);
    next() += markdown_table(cells);
}

void Document::terms(const Cells& cells, std::size_t indent, std::size_t width) {
    for (const auto& row : cells.rows) {
        // a combining accent, as in r̂ or θ̄, has no width
        const auto accents = static_cast<std::size_t>(std::ranges::count(row[0], '\xCC'));
        const std::size_t own = code_points(row[0]) - accents,
                          columns = indent + std::max(own, width) + 2;
        text += std::string(indent, ' ') + row[0] + std::string(columns - indent - own, ' ') +
                hanging(std::string(columns, ' '), row[1]).substr(columns);
    }
    next() += markdown_table(cells);
}

}  // namespace rope::io
