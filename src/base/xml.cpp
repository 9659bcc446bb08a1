#include "base/xml.hpp"

#include "base/printable.hpp"

namespace rope {
namespace {

std::string_view entity(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        default:
            return "&#39;";
    }
}

}  // namespace

std::string xml_escape(std::string_view foreign, std::string_view quotes) {
    std::string text;
    for (const char c : printable(foreign, foreign.size())) {
        if (c == '&' || c == '<' || c == '>' || quotes.find(c) != quotes.npos)
            text += entity(c);
        else
            text += c;
    }
    return text;
}

}  // namespace rope
