#include "plots/parts/ticks.hpp"

#include <bit>
#include <map>
#include <numbers>

#include "plots/parts/text.hpp"

namespace rope::plots {
namespace {

// mantissa·10^exponent
struct Step {
    int mantissa;
    int exponent;
    double value() const { return mantissa * std::pow(10.0, exponent); }
};

Step finest_step(double span, int at_most) {
    Step step{1, static_cast<int>(std::floor(std::log10(span / at_most)))};
    while (span / step.value() > at_most - 1) {
        if (step.mantissa == 5) ++step.exponent;
        step.mantissa = step.mantissa == 1 ? 2 : step.mantissa == 2 ? 5 : 1;
    }
    return step;
}

// Powers of two, or in less than two octaves multiples of a step.
std::vector<Tick> log_ticks(double first, double last) {
    std::vector<Tick> ticks = power_of_two_ticks(first, last, 8);
    return ticks.size() > 1 ? ticks : decimal_ticks(first, last, 6);
}

}  // namespace

std::vector<Tick> decimal_ticks(double first, double last, int at_most, bool are_whole) {
    if (!(last > first)) return {{first, significant(first, 6)}};
    Step step = finest_step(last - first, at_most);
    if (are_whole && step.exponent < 0) step = {1, 0};
    const double slack = 1e-9;  // of a step: an end that is a multiple keeps its tick
    const long from = std::lround(std::ceil(first / step.value() - slack));
    const long to = std::lround(std::floor(last / step.value() + slack));
    std::vector<Tick> ticks;
    for (long k = from; k <= to; ++k) {
        const double value = static_cast<double>(k) * step.value();
        ticks.push_back({value, step.exponent > 5 || step.exponent < -5
                                    ? significant(value, 6)
                                    : fixed(value, std::max(0, -step.exponent))});
    }
    return ticks;
}

std::vector<Tick> multiples(double step, double last) {
    std::vector<Tick> ticks;
    for (double k = 0; k * step <= last; ++k) ticks.push_back({k * step, fixed(k * step, 0)});
    return ticks;
}

std::vector<Tick> pi_ticks(long first, long last, long denominator) {
    std::vector<Tick> ticks;
    for (long k = first; k <= last; ++k) {
        ticks.push_back(
            {static_cast<double>(k) * std::numbers::pi / static_cast<double>(denominator),
             pi_fraction(k, denominator)});
    }
    return ticks;
}

std::vector<Tick> power_of_two_ticks(double first, double last, int at_most) {
    const double from = std::ceil(std::log2(first)), to = std::floor(std::log2(last));
    const int stride = std::max(0, static_cast<int>(to - from) / at_most) + 1;
    std::vector<Tick> ticks;
    for (int k = static_cast<int>(std::ceil(from / stride)) * stride; k <= to; k += stride)
        ticks.push_back({std::ldexp(1.0, k), "2" + superscript(k)});
    return ticks;
}

Axis pair_axis(std::size_t pairs) {
    const double step = std::max(1.0, static_cast<double>(std::bit_ceil(pairs)) / 8);
    const double last = static_cast<double>(pairs) - 1;
    return {"pair i", Scale::linear, -0.5, last + 0.5, multiples(step, last)};
}

Extent extent_of(const Panel& panel, std::initializer_list<double> values) {
    Extent extent;
    for (const double y : values) extent.include(y);
    for (const Tick& level : panel.levels) extent.include(level.value);
    for (const Series& series : panel.series)
        for (const double y : series.y) extent.include(y);
    return extent;
}

Axis log_axis(std::string label, Extent values, double below, double above) {
    if (!(values.least <= values.most)) values.least = values.most = 1;
    const double octaves = std::max(1.0, std::log2(values.most / values.least));
    constexpr double of_arrows = 0.14;
    if (values.has_below) below = std::max(below, of_arrows);
    if (values.has_above) above = std::max(above, of_arrows);
    const double first = values.least * std::exp2(-below * octaves);
    const double last = values.most * std::exp2(above * octaves);
    return {std::move(label), Scale::log2, first, last, log_ticks(first, last)};
}

void share_y_axes(std::vector<Panel>& panels) {
    std::map<std::string, Axis> shared;
    for (const Panel& panel : panels) {
        if (panel.heatmap) continue;
        Axis& axis = shared.try_emplace(panel.y.label, panel.y).first->second;
        if (panel.y.last - panel.y.first > axis.last - axis.first) axis.ticks = panel.y.ticks;
        axis.first = std::min(axis.first, panel.y.first);
        axis.last = std::max(axis.last, panel.y.last);
        if (axis.scale == Scale::log2) axis.ticks = log_ticks(axis.first, axis.last);
    }
    for (Panel& panel : panels) {
        if (panel.heatmap) continue;
        const Axis& axis = shared.at(panel.y.label);
        constexpr double most = 16;  // a curve would be a line on the axis
        if (axis.scale == Scale::linear &&
            axis.last - axis.first > most * (panel.y.last - panel.y.first))
            continue;
        panel.y.first = axis.first;
        panel.y.last = axis.last;
        panel.y.ticks = axis.ticks;
    }
}

}  // namespace rope::plots
