#include "plots/svg/svg.hpp"

#include <fmt/format.h>

#include "base/xml.hpp"
#include "plots/svg/ink.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/panel_svg.hpp"
#include "plots/svg/path.hpp"
#include "plots/svg/text_svg.hpp"

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

std::string words(const Layout& layout) {
    std::string svg;
    double y = 15;
    for (const std::string& line : layout.title)
        svg += text_svg(layout.left, y += figure_title_height, figure_title_font, Ink::title, line);
    y += 4;
    for (const std::string& line : layout.subtitle)
        svg += text_svg(layout.left, y += figure_subtitle_height, figure_subtitle_font, Ink::muted,
                        line);
    y = layout.notes_top - note_height;
    for (const std::string& line : layout.notes)
        svg += text_svg(layout.left, y += note_height, note_font, Ink::muted, line);
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
    svg += metadata(figure) + dark_style();
    svg +=
        fmt::format("<rect width=\"{}\" height=\"{}\" {}/>\n", width, height, filled(Ink::paper));
    svg += words(layout);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        svg += draw_panel(figure.panels[i], layout.boxes[i]);
    }
    return svg + "</svg>\n";
}

}  // namespace rope::plots
