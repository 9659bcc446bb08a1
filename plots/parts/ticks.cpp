#include "plots/parts/ticks.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

std::vector<Tick> decimal_ticks(double first, double last, int at_most) {
    if (!(last > first)) return {{first, significant(first, 6)}};
    const Step step = finest_step(last - first, at_most);
    const double slack = 1e-9;  // of a step: an end that is a multiple keeps its tick
    const long from = std::lround(std::ceil(first / step.value() - slack));
    const long to = std::lround(std::floor(last / step.value() + slack));
    std::vector<Tick> ticks;
    for (long k = from; k <= to; ++k) {
        const double value = static_cast<double>(k) * step.value();
        ticks.push_back({value, fixed(value, std::max(0, -step.exponent))});
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
    const long from = std::lround(std::ceil(std::log2(first)));
    const long to = std::lround(std::floor(std::log2(last)));
    const long stride = std::max(1L, (to - from) / at_most + 1);
    std::vector<Tick> ticks;
    for (long k = from; k <= to; k += stride) {
        ticks.push_back({std::ldexp(1.0, static_cast<int>(k)), "2" + superscript(k)});
    }
    return ticks;
}

}  // namespace rope::plots
