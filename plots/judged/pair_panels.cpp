#include "plots/judged/pair_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/grouped.hpp"
#include "plots/parts/ticks.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {
namespace {

constexpr double least_ratio = 0x1p-40, least_error = 0x1p-10;  // less, and 0, is drawn there
constexpr int asked_color = 0, fitted_color = 1, uneven_color = 3;

using Pairs = std::span<const PairEvidence>;

Axis pair_axis(std::size_t pairs) {
    const auto count = static_cast<double>(pairs);
    const double step = std::max(1.0, static_cast<double>(std::bit_ceil(pairs)) / 8);
    return {"pair i", Scale::linear, -0.5, count - 0.5, multiples(step, count - 1)};
}

// What `of` makes of each pair, without those that have none.
template <class Of>
Series per_pair(std::string label, Mark mark, int color, Pairs pairs, const Of& of) {
    Series series{std::move(label), mark, color};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::optional<double> y = of(pairs[i]);
        if (!y) continue;
        series.x.push_back(static_cast<double>(i));
        series.y.push_back(*y);
    }
    return series;
}

Axis log_axis(std::string label, const Panel& panel, double least, double most) {
    for (const Series& series : panel.series)
        for (const double y : series.y) {
            if (!std::isfinite(y) || y <= 0) continue;
            least = std::min(least, y);
            most = std::max(most, y);
        }
    if (!(least <= most)) least = most = 1;
    const double margin = std::exp2(0.06 * std::max(1.0, std::log2(most / least)));
    return {std::move(label), Scale::log2, least / margin, most * margin,
            power_of_two_ticks(least / margin, most * margin, 8)};
}

// Fitted, and whether every sampled row lies on it.
template <class Of>
void add_fitted(Panel& panel, Pairs pairs, const Of& of) {
    const auto where = [&](auto holds) {
        return [&of, holds](const PairEvidence& pair) {
            return pair.fitted && holds(pair) ? std::optional(of(pair)) : std::nullopt;
        };
    };
    const auto add = [&](const char* label, int color, auto holds) {
        Series series = per_pair(label, Mark::dots, color, pairs, where(holds));
        if (!series.x.empty()) panel.series.push_back(std::move(series));
    };
    add("fitted", fitted_color,
        [](const PairEvidence& pair) { return pair.is_constant && *pair.fitted >= 0; });
    add("fitted, turning backwards", 2,
        [](const PairEvidence& pair) { return pair.is_constant && *pair.fitted < 0; });
    add("of no constant rate", uneven_color,
        [](const PairEvidence& pair) { return !pair.is_constant; });
}

std::string constant_rates(Pairs pairs) {
    return fmt::format("{} of {} pairs turn at a constant rate",
                       grouped(static_cast<std::uint64_t>(
                           std::ranges::count_if(pairs, &PairEvidence::is_constant))),
                       grouped(pairs.size()));
}

Panel frequency_panel(Pairs pairs, const std::string& part) {
    Panel panel;
    panel.title = "Frequency of each pair" + (part.empty() ? "" : ", " + part);
    panel.subtitle = constant_rates(pairs);
    panel.series = {per_pair("asked", Mark::path, asked_color, pairs,
                             [](const PairEvidence& pair) { return std::optional(pair.asked); })};
    add_fitted(panel, pairs, [](const PairEvidence& pair) { return std::abs(*pair.fitted); });
    constexpr double none = std::numeric_limits<double>::infinity();
    panel.y = log_axis("radians per position", panel, none, 0);
    return panel;
}

double ratio_off(const PairEvidence& pair) {
    const double off = std::abs(*pair.fitted / pair.asked - 1);
    return off < least_ratio ? least_ratio : off;  // NaN stays NaN
}

Panel ratio_panel(Pairs pairs) {
    Panel panel;
    panel.title = "How far off: |fitted/asked − 1|";
    const Series error =
        per_pair("standard error", Mark::guide, asked_color, pairs, [](const PairEvidence& pair) {
            return pair.fitted_error > 0 && pair.asked > 0
                       ? std::optional(std::max(pair.fitted_error / pair.asked, least_ratio))
                       : std::nullopt;
        });
    if (!error.x.empty()) panel.series.push_back(error);
    add_fitted(panel, pairs, ratio_off);
    panel.levels = {{0x1p-24, "float32's rounding"}};
    std::optional<std::size_t> worst;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].fitted && std::isfinite(ratio_off(pairs[i])) &&
            (!worst || ratio_off(pairs[i]) > ratio_off(pairs[*worst])))
            worst = i;
    if (worst) {
        const double off = ratio_off(pairs[*worst]);
        panel.subtitle =
            fmt::format("most in pair {}: {} for {}", *worst, significant(*pairs[*worst].fitted, 9),
                        significant(pairs[*worst].asked, 9));
        panel.markers = {{static_cast<double>(*worst), off, significant(off, 2)}};
    }
    panel.y = log_axis("|fitted/asked − 1|", panel, 0x1p-26, 0x1p-20);
    return panel;
}

// "worst 2.5×10⁶ times the allowance; with the diagnosis corrected 0.2"
std::string corrected(const Report& report) {
    if (report.diagnosis.empty()) return "";
    double before = 0, after = 0;
    for (const Explanation& one : report.diagnosis) {
        before = std::max(before, one.before);
        after = std::max(after, one.after);
    }
    return fmt::format("worst error {} times the tolerance; with the diagnosis corrected {}",
                       std::isfinite(before) ? significant(before, 2) : "∞", significant(after, 2));
}

Panel residue_panel(Pairs pairs, const Report& report) {
    Panel panel;
    panel.title = "Residue of each pair";
    panel.subtitle = corrected(report);
    panel.levels = {{1, "what rounding allows"}};
    panel.series = {
        per_pair("against the config", Mark::path, asked_color, pairs,
                 [](const PairEvidence& pair) { return std::optional(drawn_error(pair.error)); })};
    Series own =
        per_pair("against the fit", Mark::dots, fitted_color, pairs, [](const PairEvidence& pair) {
            return pair.residue ? std::optional(drawn_error(*pair.residue)) : std::nullopt;
        });
    if (!own.x.empty()) panel.series.push_back(std::move(own));
    double least = 1, most = 1;
    for (const Series& series : panel.series)
        for (const double y : series.y) {
            least = std::min(least, y);
            most = std::max(most, y);
        }
    panel.y = allowance_axis(least, most);
    return panel;
}

}  // namespace

double drawn_error(double error) {
    return std::isnan(error) ? largest_drawn : std::clamp(error, least_error, largest_drawn);
}

Axis allowance_axis(double least, double most) {
    const double first = std::min(least, 0.25) / 2, last = std::max(most, 4.0) * 2;
    return {"error over its tolerance", Scale::log2, first, last,
            power_of_two_ticks(first, last, 8)};
}

std::vector<Panel> pair_panels(const ComparedReport& compared) {
    const Pairs pairs = compared.evidence.pairs;
    std::vector<Panel> panels = {frequency_panel(pairs, compared.evidence.part), ratio_panel(pairs),
                                 residue_panel(pairs, compared.report)};
    for (Panel& panel : panels) panel.x = pair_axis(pairs.size());
    return panels;
}

}  // namespace rope::plots
