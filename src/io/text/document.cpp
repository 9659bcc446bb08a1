#include "io/text/document.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace rope::io {
namespace {

std::string after(std::string_view mark, std::string_view text, std::size_t indent) {
    constexpr std::size_t width = 80;
    std::string lines(mark);
    std::size_t start = code_points(mark), column = start;  // column of the first word
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        const std::string word(text.substr(0, end));
        const std::size_t length = code_points(word);
        if (column > start && column + 1 + length > width) {
            // a word that is too long for the column begins before it
            start = column = length < width ? std::min(indent, width - length) : indent;
            lines += '\n' + std::string(start, ' ');
        } else if (column > start) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += length;
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines + '\n';
}

constexpr std::size_t widest = 80;

bool is_command(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line.starts_with("reproduce: ") || line.starts_with("identified: --") ||
           line.starts_with("rope-check ");
}

// The column where the last cell of a row begins, after two spaces; else where the first word
// begins.
std::size_t last_cell(std::string_view line) {
    constexpr std::size_t latest = 56;
    const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.rfind("  ");
    if (gap == line.npos || gap < start || code_points(line.substr(0, gap + 2)) > latest)
        return start;
    return gap + 2;
}

std::string fitted_line(std::string_view line) {
    if (code_points(line) <= widest || is_command(line)) return std::string(line) + '\n';
    const std::size_t start = line.find_first_not_of(' '), cell = last_cell(line);
    const std::string_view mark = line.substr(0, cell);
    return after(mark, line.substr(cell), cell == start ? cell + 2 : code_points(mark));
}

using Texts = std::vector<std::string>;

std::string padded_line(const Texts& row, const Cells& cells,
                        const std::vector<std::size_t>& widths, std::size_t indent) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string padding(widths[i] - code_points(row[i]), ' ');
        line += i == 0 ? "" : "  ";
        line += cells.align[i] == 'r' ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string pipe_line(const Texts& row) {
    std::string line = "|";
    for (const std::string& cell : row) line += " " + markdown_escape(cell) + " |";
    return line + "\n";
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) { return after("", text, indent); }

std::string hanging(std::string_view mark, std::string_view text) {
    return after(mark, text, code_points(mark));
}

std::string fitted(std::string_view text) { return join(split(text, "\n"), fitted_line, ""); }

std::string aligned(const Cells& cells, std::size_t indent) {
    std::vector<std::size_t> widths = mapped<std::size_t>(cells.head, code_points);
    const auto is_heading = [&](const Texts& row) { return row.size() < widths.size(); };
    for (const Texts& row : cells.rows)
        for (std::size_t i = 0; i < row.size() && !is_heading(row); ++i)
            widths[i] = std::max(widths[i], code_points(row[i]));
    std::string text = padded_line(cells.head, cells, widths, indent);
    for (const Texts& row : cells.rows)
        text += is_heading(row) ? std::string(indent, ' ') + row[0] + "\n"
                                : padded_line(row, cells, widths, indent);
    return text;
}

std::string markdown_table(const Cells& cells) {
    std::string text = pipe_line(cells.head) + "|";
    for (const char side : cells.align) text += side == 'r' ? "---:|" : "---|";
    text += "\n";
    for (const Texts& row : cells.rows) text += pipe_line(row);
    return text;
}

std::string markdown_escape(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("\\`*[]<>|&").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string Document::in(std::string_view format) const {
    if (format == "json") return json;
    if (format == "csv") return csv;
    return format == "markdown" ? markdown : fitted(text);
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
