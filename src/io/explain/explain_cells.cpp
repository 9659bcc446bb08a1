#include "io/explain/explain_cells.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/text/number_text.hpp"

namespace rope::io {
namespace {

// 8192 and up with commas, so that lengths can be read; below, three digits
std::string length_text(double positions) {
    constexpr double most = 1e15;
    if (std::isinf(positions)) return "∞";
    if (positions >= most || positions < 1000) return significant(positions, 3);
    return grouped(static_cast<std::uint64_t>(std::round(positions)));
}

// "6.28…13,410", or one of them where they print the same
std::string span_text(const std::string& first, const std::string& last) {
    return first == last ? first : first + "…" + last;
}

struct ValueText {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool yes) const { return yes ? "true" : "false"; }
    std::string operator()(std::uint64_t n) const { return decimal(n); }
    std::string operator()(double x) const { return plain(x); }
    std::string operator()(const std::string& text) const { return printable(text); }
    std::string operator()(const std::vector<double>& list) const {
        return fmt::format("{} values", list.size());
    }
};

}  // namespace

std::string value_text(const SettingValue& value) { return std::visit(ValueText{}, value); }

std::string band_text(const BandRun& run) {
    if (run.band == Band::unscaled || run.band == Band::still)
        return std::string(to_string(run.band));
    const std::string divisor =
        "÷" + span_text(significant(run.least, 3), significant(run.most, 3));
    return run.band == Band::blended ? divisor + " (blended)" : divisor;
}

Cells settings_cells(const ExplainedPlan& plan) {
    Cells cells{{"key", "value", "from"}, "lll"};
    for (const auto& [field, value, from] : plan.settings)
        cells.rows.push_back({field, value_text(value), printable(from)});
    return cells;
}

Cells band_cells(const ExplainedPlan& plan) {
    const auto context = static_cast<double>(plan.context);
    Cells cells{{"pairs", "frequency", "wavelength", "turns in " + grouped(plan.context)}, "llrr"};
    for (const BandRun& run : band_runs(plan.pairs)) {
        const SpectralPair &first = plan.pairs[run.first], &last = plan.pairs[run.last];
        cells.rows.push_back(
            {range(run.first, run.last), band_text(run),
             span_text(length_text(first.wavelength), length_text(last.wavelength)),
             span_text(length_text(first.turns(context)), length_text(last.turns(context)))});
    }
    return cells;
}

Cells pair_cells(const ExplainedPlan& plan) {
    const auto context = static_cast<double>(plan.context);
    Cells cells{{"pair", "inv_freq", "unscaled", "÷", "wavelength", "turns", "band"}, "rrrrrrl"};
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const SpectralPair& pair = plan.pairs[i];
        cells.rows.push_back({decimal(i), significant(pair.inv_freq, 9),
                              significant(pair.unscaled, 9), length_text(pair.divisor),
                              length_text(pair.wavelength), length_text(pair.turns(context)),
                              std::string(to_string(pair.band))});
    }
    return cells;
}

std::string never_turning_text(const ExplainedPlan& plan) {
    if (!plan.critical)
        return "the length of training is not in the file, so pairs that complete no turn in it "
               "are "
               "not counted";
    const CriticalDimension& critical = *plan.critical;
    const std::string length = grouped(critical.trained_length);
    if (critical.never_turn.empty())
        return fmt::format("every pair completes a turn in the {} positions of training", length);
    return fmt::format("{} of {} pairs never complete a turn in the {} positions of training: {}",
                       critical.never_turn.size(), plan.pairs.size(), length,
                       ranges(critical.never_turn));
}

std::string critical_dimension_text(const CriticalDimension& critical) {
    std::string text = fmt::format("critical dimension {}", critical.counted);
    if (critical.formula)
        text += fmt::format("; min(d, 2⌈d/2·log_b(T/2π)⌉) = {}", *critical.formula);
    return text + " (arXiv 2310.05209)";
}

}  // namespace rope::io
