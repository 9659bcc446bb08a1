#include "io/text/wrapped.hpp"

#include "base/utf8.hpp"

namespace rope::io {
namespace {

std::string after(std::string_view mark, std::string_view text, std::size_t indent) {
    constexpr std::size_t width = 80;
    std::string lines(mark);
    std::size_t start = code_points(mark), column = start;  // of the line
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        const std::string word(text.substr(0, end));
        const std::size_t length = code_points(word);
        if (column > start && column + 1 + length > width) {
            lines += '\n' + std::string(indent, ' ');
            start = column = indent;
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

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent) { return after("", text, indent); }

std::string hanging(std::string_view mark, std::string_view text) {
    return after(mark, text, code_points(mark));
}

}  // namespace rope::io
