#include "plots/svg/text_svg.hpp"

#include <fmt/format.h>

#include "base/xml.hpp"
#include "plots/svg/path.hpp"

namespace rope::plots {
namespace {

std::string attributes(Font font, Ink ink) {
    return fmt::format(" font-size=\"{}\"{} {}", pixels(font.size),
                       font.weight == Weight::bold ? " font-weight=\"bold\"" : "", filled(ink));
}

std::string anchored(Anchor anchor) {
    return anchor == Anchor::start ? "" : fmt::format(" text-anchor=\"{}\"", to_string(anchor));
}

}  // namespace

std::string text_svg(double x, double y, Font font, Ink ink, std::string_view words,
                     Anchor anchor) {
    return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", pixels(x), pixels(y),
                       anchored(anchor), attributes(font, ink), xml_escape(words));
}

std::string upward_text_svg(double x, double y, Font font, Ink ink, std::string_view words) {
    return fmt::format("<text transform=\"translate({} {}) rotate(-90)\"{}{}>{}</text>\n",
                       pixels(x), pixels(y), anchored(Anchor::middle), attributes(font, ink),
                       xml_escape(words));
}

}  // namespace rope::plots
