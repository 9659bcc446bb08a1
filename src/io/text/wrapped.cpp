#include "io/text/wrapped.hpp"

#include "base/utf8.hpp"

namespace rope::io {

std::string wrapped(std::string_view text, std::size_t indent) {
    constexpr std::size_t width = 80;
    std::string lines;
    std::size_t start = 0, column = 0;  // of the line
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        const std::string word(text.substr(0, end));
        const std::size_t length = code_points(word);
        if (column > start && column + 1 + length > width) {
            lines += '\n' + std::string(indent, ' ');
            start = column = indent;
        } else if (column > 0) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += length;
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines + '\n';
}

}  // namespace rope::io
