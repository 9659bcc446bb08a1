#include <fmt/format.h>

#include <iterator>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

constexpr double least_ratio = 0x1p-40, least_row_error = 0x1p-10;  // lower ends of the axes
constexpr double largest_error = 0x1p30;  // values of size 1 have at most 2/2⁻²⁴ tolerances
constexpr int asked_color = 0, fitted_color = 1, uneven_color = 3;

using Pairs = std::span<const PairEvidence>;

bool is_of_frequencies(const DumpEvidence& evidence) { return evidence.rows.columns() == 0; }

bool is_finite(const PairEvidence& pair) { return pair.fitted && std::isfinite(*pair.fitted); }

void add(Panel& panel, Series series) {
    if (!series.x.empty()) panel.series.push_back(std::move(series));
}

// Adds the fitted frequencies, by whether every sampled row is on the line; or inv_freq itself.
template <class Of>
void add_fitted(Panel& panel, const DumpEvidence& evidence, const Of& of) {
    const std::string name = is_of_frequencies(evidence) ? "inv_freq" : "fitted";
    const auto add_those = [&](const std::string& label, int color, auto holds) {
        add(panel,
            per_index(label, Mark::dots, color, evidence.pairs, [&](const PairEvidence& pair) {
                return pair.fitted && holds(pair) ? std::optional(finite_or_edge(of(pair)))
                                                  : std::nullopt;
            }));
    };
    add_those(name, fitted_color,
              [](const PairEvidence& pair) { return pair.is_constant && *pair.fitted >= 0; });
    add_those(name + ", rotating backwards", 2,
              [](const PairEvidence& pair) { return pair.is_constant && *pair.fitted < 0; });
    add_those(name + (is_of_frequencies(evidence) ? ", 2³² or more" : ", rows off the line"),
              uneven_color,
              [](const PairEvidence& pair) { return !pair.is_constant && is_finite(pair); });
    add_those("not finite", uneven_color,
              [](const PairEvidence& pair) { return !is_finite(pair); });
}

// The pairs that rotate at a constant frequency, counted as in the report's text, and those without
// a line.
std::string constant_rates(const DumpEvidence& evidence) {
    const auto count = [&](auto of) { return std::ranges::count_if(evidence.pairs, of); };
    const auto unknown = count([](const PairEvidence& pair) { return !pair.fitted; });
    const auto turning = count([](const PairEvidence& pair) {
        return pair.is_constant && pair.fitted && std::abs(*pair.fitted) > 4 * pair.fitted_error;
    });
    if (unknown == std::ssize(evidence.pairs)) return "not determined";
    return fmt::format("{} of {} pairs rotate{}{}", turning, evidence.pairs.size(),
                       is_of_frequencies(evidence) ? "" : " at a constant rate",
                       unknown > 0 ? fmt::format(", {} not determined", unknown) : "");
}

Panel frequency_panel(const DumpEvidence& evidence) {
    const Pairs pairs = evidence.pairs;
    Panel panel;
    panel.title = "Frequency of each pair" + (evidence.part.empty() ? "" : ", " + evidence.part);
    panel.subtitle = constant_rates(evidence);
    panel.series = {per_index("asked", Mark::path, asked_color, pairs, &PairEvidence::asked)};
    add_fitted(panel, evidence, [](const PairEvidence& pair) { return std::abs(*pair.fitted); });
    if (panel.series.size() == 1) panel.title += ", as asked";
    panel.y = log_axis("radians per position", extent_of(panel));
    return panel;
}

// |fitted/asked − 1|; 0 if both are 0, infinite if only `asked` is 0.
double ratio_off(const PairEvidence& pair) {
    if (*pair.fitted == pair.asked) return 0;
    return finite_or_edge(std::abs(*pair.fitted / pair.asked - 1));
}

// "pair 63: 11.8 × the frequency asked for", "pair 9: off by 7.4×10⁻⁸"
std::string ratio_text(std::size_t pair, const PairEvidence& evidence) {
    const double off = ratio_off(evidence);
    std::string text = fmt::format("pair {}: ", pair);
    if (off < 0.1)
        text += "off by " + significant(off, 2);
    else if (std::isfinite(off))
        text += significant(*evidence.fitted / evidence.asked, 3) + " × the frequency asked for";
    if (off <= 1e-3) return text;
    return text + fmt::format("{}{} instead of {}", std::isfinite(off) ? ", " : "",
                              is_finite(evidence) ? significant(*evidence.fitted, 4) : "not finite",
                              significant(evidence.asked, 4));
}

// "Positions are multiples of 37 apart: frequencies are known up to 2π/37, …"; "" if they are not.
std::string note_on_aliases(Pairs pairs) {
    const auto known = std::ranges::find_if(pairs, [](auto& pair) { return pair.modulo > 0; });
    if (known == pairs.end()) return "";
    const std::string apart = fixed(std::round(2 * std::numbers::pi / known->modulo), 0);
    return fmt::format(
        "Positions are multiples of {0} apart: a frequency is known up to 2π/{0}, and drawn "
        "nearest to the asked one.",
        apart);
}

Panel ratio_panel(const DumpEvidence& evidence) {
    const Pairs pairs = evidence.pairs;
    Panel panel;
    const std::string ratio =
        is_of_frequencies(evidence) ? "|inv_freq/asked − 1|" : "|fitted/asked − 1|";
    panel.title = "How far off: " + ratio;
    add(panel,
        per_index("standard error", Mark::guide, asked_color, pairs, [](const PairEvidence& pair) {
            return pair.fitted_error > 0 && pair.asked > 0
                       ? std::optional(std::max(pair.fitted_error / pair.asked, least_ratio))
                       : std::nullopt;
        }));
    add_fitted(panel, evidence, ratio_off);
    panel.levels = {{0x1p-24, "float32’s rounding"}};
    panel.subtitle = "the rows determine no frequency";
    double worst = -1;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (!pairs[i].fitted || ratio_off(pairs[i]) <= worst) continue;
        worst = ratio_off(pairs[i]);
        panel.subtitle = worst == 0 ? "no pair is off" : ratio_text(i, pairs[i]);
        panel.markers = {{static_cast<double>(i), worst, fmt::format("pair {}", i)}};
    }
    Extent ratios = extent_of(panel, {0x1p-26, 0x1p-20});
    ratios.limit(least_ratio, HUGE_VAL);
    panel.y = log_axis(ratio, ratios);
    panel.y.below = "as asked to 2⁻⁴⁰";
    if (std::ranges::all_of(pairs, [](const PairEvidence& pair) {
            return !pair.fitted || std::isfinite(*pair.fitted);
        }))
        panel.y.above = "0 was asked for";
    return panel;
}

// "0.2 × the tolerance once corrected", as in the report's text. The error before, of other
// rows than the drawn ones, would be another number than the curve's.
std::string corrected(const Report& report) {
    double after = 0;
    for (const Explanation& one : report.diagnosis) after = std::max(after, one.after);
    if (after == 0) return "";
    return significant(after, 2) + " × the tolerance once " +
           (report.diagnosis.size() > 1 ? "all are corrected" : "corrected");
}

// The axis of errors divided by their tolerance.
Axis tolerance_axis(const Panel& panel) {
    Extent errors = extent_of(panel, {0.25, 4.0});
    const bool is_large = errors.most > largest_error, has_infinite = errors.has_above;
    errors.limit(least_row_error, largest_error);
    Axis axis = log_axis("error ÷ tolerance", errors);
    axis.below = "below 2⁻¹⁰";
    if (is_large) axis.above = has_infinite ? "not finite or above 2³⁰" : "above 2³⁰";
    return axis;
}

Panel residue_panel(Pairs pairs, const Report& report) {
    Panel panel;
    panel.title = "Residual of each pair";
    panel.subtitle = corrected(report);
    panel.levels = {{1, "what rounding allows"}};
    panel.series = {per_index("against the config", Mark::path, asked_color, pairs,
                              [](const PairEvidence& pair) { return finite_or_edge(pair.error); })};
    add(panel,
        per_index("against the fit", Mark::dots, fitted_color, pairs, [](const PairEvidence& pair) {
            return pair.residue ? std::optional(finite_or_edge(*pair.residue)) : std::nullopt;
        }));
    panel.y = tolerance_axis(panel);
    return panel;
}

// ", head 3 of 8"
std::string in_group(const RowPlace& place) {
    return place.group.empty() ? "" : ", " + place.group;
}

std::string summary(const RowEvidence& rows) {
    if (rows.off == 0 && rows.rows == 1) return "the only row is within what rounding allows";
    if (rows.off == 0)
        return fmt::format("all {} rows are within what rounding allows", grouped(rows.rows));
    return fmt::format("{} of {} rows off, first at {} {}{}", grouped(rows.off), grouped(rows.rows),
                       rows.place, position_text(rows.first_off->position),
                       in_group(*rows.first_off));
}

void add_curve(Panel& panel, const RowEvidence& rows) {
    const bool is_listed = rows.positions.scale == PositionScale::listed;
    Series series{"largest error", is_listed ? Mark::dots : Mark::path, 0};
    for (std::size_t k = 0; k < rows.columns(); ++k) {
        if (rows.worst[k] < 0) continue;
        series.listed.push_back(rows.positions.edges[k]);
        series.x.push_back(middle_of(rows.positions.edges[k], rows.positions));
        series.y.push_back(finite_or_edge(rows.worst[k]));
    }
    panel.series = {std::move(series)};
    panel.levels = {{1, "what rounding allows"}};
    panel.y = tolerance_axis(panel);
}

// Adds cells with colours from a hundredth of the tolerance to the largest error.
void add_cells(Panel& panel, const RowEvidence& rows) {
    double most = 10;
    for (const float error : rows.worst)
        if (std::isfinite(error)) most = std::max<double>(most, error);
    panel.heatmap = Heatmap{rows.positions.edges, rows.positions.columns, rows.groups, rows.worst};
    panel.heatmap->low = 0.01;
    panel.heatmap->high = std::pow(10, std::ceil(std::log10(most)));
    panel.heatmap->label = "error";
    const auto lines = static_cast<double>(rows.groups.size());
    panel.y = {rows.kind, Scale::linear, -0.5, lines - 0.5, {}};
    const std::size_t step = std::max<std::size_t>(1, std::bit_ceil(rows.groups.size()) / 8);
    for (std::size_t k = 0; k < rows.groups.size(); k += step)
        panel.y.ticks.push_back(
            {static_cast<double>(k), fixed(static_cast<double>(k * rows.groups_per_line), 0)});
}

// The largest error over the position: a curve, or for several heads a line of cells each.
Panel row_panel(const RowEvidence& rows) {
    Panel panel;
    panel.title = "Largest error of a pair in each row";
    panel.subtitle = summary(rows);
    panel.x = position_axis(rows.positions, rows.place);
    const bool has_several = rows.groups.size() > 1;
    if (has_several)
        add_cells(panel, rows);
    else
        add_curve(panel, rows);
    if (rows.first_off)
        panel.rules = {{place_of(rows.first_off->position, rows.positions),
                        "off from " + position_text(rows.first_off->position)}};
    if (rows.worst_row && rows.off > 0) {
        const RowPlace& worst = *rows.worst_row;
        panel.markers = {
            {middle_of(worst.position, rows.positions),
             has_several ? static_cast<double>(worst.line) : finite_or_edge(worst.error), "worst"}};
        panel.subtitle += fmt::format("; worst {} at {}{}", error_text(worst.error),
                                      position_text(worst.position), in_group(worst));
    }
    return panel;
}

void ring_worst(Panel& panel, const PositionParts& parts, const Finding& accuracy) {
    const auto error = number_of(accuracy, "worst_error");
    const auto position = number_of(accuracy, "worst_error_position");
    const auto pair = number_of(accuracy, "worst_error_pair");
    if (!error || !position || !pair) return;
    panel.markers.push_back({middle_of(*position, parts), *pair, "worst"});
    panel.subtitle = fmt::format("{}{}orst error {} at position {}, pair {}", panel.subtitle,
                                 panel.subtitle.empty() ? "W" : " · w", error_text(*error),
                                 position_text(*position), position_text(*pair));
}

// The lower end of the colours: one of two, for float32 and float64, so that figures are
// comparable.
double least_color(const ErrorMap& errors) {
    const auto is_seen = [](float error) { return error > 1e-8F; };
    return std::ranges::any_of(errors.worst, is_seen) ? 1e-8 : 1e-16;
}

Heatmap heatmap_of(const ErrorMap& errors) {
    Heatmap heatmap{errors.positions.edges, errors.positions.columns, {}, errors.worst};
    for (std::uint32_t first = 0; first < errors.pairs; first += errors.pairs_per_row)
        heatmap.rows.push_back(
            "pair " + range(first, std::min(first + errors.pairs_per_row, errors.pairs) - 1));
    heatmap.low = least_color(errors);
    heatmap.label = "|error|";
    return heatmap;
}

// `verdict`: the subtitle.
Panel panel_of(const DrawnReport& mapped, const std::string& title, const std::string& verdict) {
    Panel panel;
    panel.title = title;
    panel.subtitle = verdict;
    panel.x = position_axis(mapped.errors.positions);
    panel.y = pair_axis(mapped.errors.pairs);
    panel.y.last = static_cast<double>(mapped.errors.rows()) * mapped.errors.pairs_per_row - 0.5;
    panel.heatmap = heatmap_of(mapped.errors);
    const Finding* accuracy = find_finding(mapped.report, "table-accuracy");
    if (!accuracy) return panel;
    const PositionParts& parts = mapped.errors.positions;
    const auto add_rule = [&](double position, const char* limit) {
        panel.rules.push_back(
            {place_of(position, parts),
             fmt::format("error above {} from position {}", limit, position_text(position))});
    };
    if (const auto position = number_of(*accuracy, "first_beyond_1e_3"))
        add_rule(*position, "10⁻³");
    if (accuracy->violations) add_rule(accuracy->violations->first_position, "its tolerance");
    ring_worst(panel, parts, *accuracy);
    return panel;
}

// Gives the panels the longest axis of positions, if they begin alike.
void share_x_axes(std::vector<Panel>& panels) {
    const auto last = [](const Panel& panel) { return panel.x.last; };
    const Axis longest = std::ranges::max_element(panels, {}, last)->x;
    for (Panel& panel : panels) {
        if (panel.x.scale != longest.scale || panel.x.first != longest.first) continue;
        Heatmap& cells = *panel.heatmap;
        for (std::size_t k = 0; k < cells.columns.size(); ++k) {
            const double x = longest.at((static_cast<double>(k) + 0.5) /
                                        static_cast<double>(cells.columns.size()));
            const auto after = std::ranges::upper_bound(cells.edges, x) - cells.edges.begin();
            cells.columns[k] = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
        }
        panel.x = longest;
    }
}

}  // namespace

Figure compared_figure(std::span<const DrawnReport> compared, const RequiredClaims& required) {
    Figure figure = figure_of_reports(
        compared, required,
        "For each subject: the frequency of each pair as asked and as fitted to the dump, how far "
        "the two are apart, the errors of each pair against both, and the error of every row over "
        "its position.");
    figure.columns = 2;
    bool is_fitted = false, has_cells = false, has_rest = false;
    for (const DrawnReport& one : compared) {
        const DumpEvidence& evidence = one.evidence;
        std::vector<Panel> panels = {frequency_panel(evidence), ratio_panel(evidence),
                                     residue_panel(evidence.pairs, one.report)};
        for (Panel& panel : panels) panel.x = pair_axis(evidence.pairs.size());
        if (!is_of_frequencies(evidence)) {
            is_fitted = true;
            has_rest = has_rest || one.report.spec.rotary_dim < one.report.spec.head_dim;
            panels.push_back(row_panel(evidence.rows));
            has_cells = has_cells || panels.back().heatmap;
        }
        if (compared.size() > 1) {
            panels.front().subtitle = verdict_line(one.report, required);
            for (Panel& panel : panels) panel.title = one.label + " · " + panel.title;
        }
        std::ranges::move(panels, std::back_inserter(figure.panels));
    }
    figure.notes = {
        std::string(is_fitted
                        ? "Fitted: the line closest to the angles of each pair in the sampled "
                          "rows, without single rows that are off and rows that are not finite. A "
                          "pair rotates at a constant rate "
                          "if all of these rows lie on the line, else the line is the one with the "
                          "most rows on it. No dot: the rows determine no frequency. Faint: the "
                          "standard error. "
                        : "") +
        "An error is the distance of (cos, sin) from its exact place, divided by its tolerance: up "
        "to 1 is rounding." +
        (is_fitted ? " A residual is the largest of the sampled rows." : "") +
        (has_rest ? " A row also has the errors of dimensions that do not rotate." : "") +
        (has_cells ? " Crimson cells: not finite; blank cells: no row." : "")};
    const std::string aliases = note_on_aliases(compared.front().evidence.pairs);
    if (!aliases.empty()) figure.notes.push_back(aliases);
    share_y_axes(figure.panels);
    return figure;
}

Figure precision_figure(std::span<const DrawnReport> reports, const RequiredClaims& required) {
    Figure figure = figure_of_reports(
        reports, required,
        "Cells over position and pair, coloured by the largest error of cos and sin in each. Lines "
        "mark the first position beyond a limit, a ring the worst error.");
    figure.notes = {
        "Colour: the largest error of cos and sin in each cell of positions and pairs, against the "
        "exact value. A tolerance is the largest error that rounding can explain, by position and "
        "frequency."};
    const auto has_infinite = [](const DrawnReport& one) {
        return std::ranges::any_of(one.errors.worst, [](float x) { return !std::isfinite(x); });
    };
    if (std::ranges::any_of(reports, has_infinite)) figure.notes.push_back("Crimson: not finite.");
    if (reports.size() == 1)  // its name and verdict are the figure's title
        figure.panels = {panel_of(reports.front(), "Error over position and pair", "")};
    else
        for (const DrawnReport& mapped : reports)
            figure.panels.push_back(
                panel_of(mapped, mapped.label, verdict_line(mapped.report, required)));
    const auto is_listed = [](const DrawnReport& mapped) {
        return mapped.errors.positions.scale == PositionScale::listed;
    };
    if (std::ranges::none_of(reports, is_listed)) share_x_axes(figure.panels);
    return figure;
}

}  // namespace rope::plots
