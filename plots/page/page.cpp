#include "plots/page/page.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/base64.hpp"
#include "base/xml.hpp"

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

// JSON without < or line separators, so that it cannot end its script element.
std::string inside_script(std::string_view json) {
    constexpr std::pair<std::string_view, std::string_view> escapes[] = {
        {"<", "\\u003c"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}};
    std::string text;
    while (!json.empty()) {
        std::size_t length = 1;
        std::string_view written = json.substr(0, 1);
        for (const auto& [sign, escape] : escapes)
            if (json.starts_with(sign)) {
                length = sign.size();
                written = escape;
            }
        text += written;
        json.remove_prefix(length);
    }
    return text;
}

}  // namespace

std::string page_html(const Page& page) {
    const std::array<std::pair<std::string_view, std::string>, 6> places{{
        {"{{policy}}", xml_escape(policy(), "\"")},
        {"{{title}}", xml_escape(page.title)},
        {"{{style}}", std::string(page_style.text)},
        {"{{summary}}", xml_escape(page.summary)},
        {"{{data}}", inside_script(page.json)},
        {"{{script}}", std::string(page_script.text)},
    }};
    std::string html;
    std::string_view left = page_template.text;
    for (const auto& [name, text] : places) {
        const std::size_t at = left.find(name);
        html.append(left.substr(0, at)).append(text);
        left.remove_prefix(at + name.size());
    }
    return html.append(left);
}

}  // namespace rope::plots
