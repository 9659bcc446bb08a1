#include "plots/svg/svg.hpp"

#include <fmt/format.h>

#include "base/xml.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/panel_svg.hpp"
#include "plots/svg/path.hpp"

namespace rope::plots {
namespace {

std::string metadata(const Figure& figure) {
    std::string text;
    if (!figure.version.empty()) text += "tool: rope-check " + xml_escape(figure.version) + "\n";
    if (!figure.command.empty()) text += "command: " + xml_escape(figure.command) + "\n";
    for (const auto& [name, value] : figure.parameters) {
        text += xml_escape(name) + ": " + xml_escape(value) + "\n";
    }
    return text.empty() ? "" : "<metadata>\n" + text + "</metadata>\n";
}

std::string words(const Figure& figure, const Layout& layout) {
    const std::string left = pixels(layout.left);
    std::string svg = fmt::format(
        "<text x=\"{}\" y=\"40\" font-size=\"19\" font-weight=\"bold\" fill=\"#111\">{}</text>\n",
        left, xml_escape(figure.title));
    if (!figure.subtitle.empty()) {
        svg += fmt::format("<text x=\"{}\" y=\"63\" font-size=\"13\" fill=\"#555\">{}</text>\n",
                           left, xml_escape(figure.subtitle));
    }
    double y = layout.notes;
    for (const std::string& note : figure.notes) {
        svg += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#555\">{}</text>\n",
                           left, pixels(y), xml_escape(note));
        y += note_height;
    }
    return svg;
}

}  // namespace

std::string to_svg(const Figure& figure) {
    const Layout layout = lay_out(figure);
    const std::string width = pixels(layout.width);
    const std::string height = pixels(layout.height);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" font-family=\"'DejaVu Sans',Verdana,Arial,sans-serif\">\n"
        "<title>{2}</title>\n<desc>{3}</desc>\n",
        width, height, xml_escape(figure.title), xml_escape(figure.description));
    svg += metadata(figure);
    svg += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", width, height);
    svg += words(figure, layout);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        svg += draw_panel(figure.panels[i], layout.boxes[i]);
    }
    return svg + "</svg>\n";
}

}  // namespace rope::plots
