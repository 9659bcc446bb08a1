#include "plots/page/page.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/base64.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace rope::plots {
namespace {

// A hash in the syntax of Content-Security-Policy.
std::string source_hash(const Asset& asset) {
    std::string bytes;
    for (std::size_t k = 0; k < asset.sha256.size(); k += 2) {
        unsigned byte = 0;
        std::from_chars(asset.sha256.data() + k, asset.sha256.data() + k + 2, byte, 16);
        bytes += static_cast<char>(byte);
    }
    return "'sha256-" + base64_of(bytes) + "'";
}

std::string policy() {
    return fmt::format(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; "
        "form-action 'none'",
        source_hash(page_script), source_hash(page_style));
}

// JSON without <, so that it cannot end its script element.
std::string inside_script(std::string_view json) {
    std::string text;
    for (const char c : json) text += c == '<' ? "\\u003c" : std::string(1, c);
    return text;
}

}  // namespace

std::string page_html(const Page& page) {
    return filled(page_template.text, [&](std::string_view place) {
        if (place == "policy") return xml_escape(policy(), "\"");
        if (place == "title") return xml_escape(page.title);
        if (place == "style") return std::string(page_style.text);
        if (place == "summary") return xml_escape(page.summary);
        return place == "data" ? inside_script(page.json) : std::string(page_script.text);
    });
}

}  // namespace rope::plots
