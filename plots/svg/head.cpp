#include "plots/svg/head.hpp"

#include <fmt/format.h>

#include "plots/svg/ink.hpp"
#include "plots/svg/path.hpp"
#include "plots/svg/text_svg.hpp"

namespace rope::plots {
namespace {

constexpr Font title_font{14, Weight::bold}, subtitle_font{12}, legend_font{12};
constexpr double title_height = 20, subtitle_height = 17, legend_height = 18;
constexpr double swatch = 24, after_swatch = 7, between = 18;

std::vector<LegendRow> legend_rows(const Panel& panel, double width) {
    std::vector<const Series*> labelled;
    for (const Series& series : panel.series)
        if (series.mark != Mark::guide && !series.label.empty()) labelled.push_back(&series);
    if (labelled.size() < 2) return {};
    std::vector<LegendRow> rows(1);
    double used = 0;
    for (const Series* series : labelled) {
        const double room = width - swatch - after_swatch;
        const std::vector<std::string> lines = wrapped(series->label, room, legend_font, 1);
        const std::string label = lines.empty() ? "" : lines.front();
        const double wide = swatch + after_swatch + text_width(label, legend_font);
        if (used > 0 && used + wide > width) {
            rows.emplace_back();
            used = 0;
        }
        rows.back().push_back({series, label, used});
        used += wide + between;
    }
    return rows;
}

std::string draw_swatch(const LegendEntry& entry, double y) {
    const int color = entry.series->color;
    const bool is_dots = entry.series->mark == Mark::dots;
    Path path;
    if (is_dots) {
        path.dot(entry.left + swatch / 2, y);
    } else {
        path.move_to(entry.left, y);
        path.line_to(entry.left + swatch, y);
    }
    const std::string_view dash = is_dots ? "" : dashes(color);
    return fmt::format("<path fill=\"none\" {} stroke-width=\"{}\" d=\"{}\"/>\n",
                       fmt::format("{}{}{}", stroked(color), dash.empty() ? "" : " ", dash),
                       is_dots ? "7\" stroke-linecap=\"round" : "2.4", path.data());
}

}  // namespace

Head head_of(const Panel& panel, double width) {
    return {wrapped(panel.title, width, title_font), wrapped(panel.subtitle, width, subtitle_font),
            legend_rows(panel, width)};
}

double head_height(const Head& head) {
    return title_height * static_cast<double>(head.title.size()) +
           subtitle_height * static_cast<double>(head.subtitle.size()) +
           legend_height * static_cast<double>(head.legend.size());
}

std::string draw_head(const Head& head, double top) {
    std::string svg;
    double y = top;
    for (const std::string& line : head.title)
        svg += text_svg(0, (y += title_height) - 4, title_font, Ink::title, line);
    for (const std::string& line : head.subtitle)
        svg += text_svg(0, (y += subtitle_height) - 3, subtitle_font, Ink::muted, line);
    for (const LegendRow& row : head.legend) {
        y += legend_height;
        for (const LegendEntry& entry : row)
            svg += draw_swatch(entry, y - 7) + text_svg(entry.left + swatch + after_swatch, y - 3,
                                                        legend_font, Ink::text, entry.label);
    }
    return svg;
}

}  // namespace rope::plots
