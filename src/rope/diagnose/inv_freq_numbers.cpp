#include "rope/diagnose/inv_freq_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/decimal.hpp"
#include "rope/diagnose/explain/damage.hpp"

namespace rope {
namespace {

// Of a power, an exponential of a logarithm or a recurrence, and of a reciprocal of one: 64 units.
constexpr double most_off = 0x1p-18;

double relative_error(const std::vector<double>& numbers, const std::vector<double>& theta) {
    if (numbers.size() != theta.size()) return std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t i = 0; i < theta.size(); ++i) {
        const double off = std::abs(numbers[i] - theta[i]);
        if (!(off <= most_off * std::abs(theta[i]))) return std::numeric_limits<double>::infinity();
        if (off > 0) most = std::max(most, off / std::abs(theta[i]));
    }
    return most;
}

}  // namespace

std::optional<Explanation> explain_empty_frequencies(const DumpReading& reading) {
    const std::vector<double>& numbers = reading.samples.inv_freq;
    const auto turns = [](double one) { return !(std::abs(one) * 0x1p32 < 0x1p-24); };
    if (numbers.empty() || std::ranges::any_of(numbers, turns)) return std::nullopt;
    double most = 0;
    for (const double one : numbers) most = std::max(most, std::abs(one));
    return explanation_of({"uninitialised",
                           {{"inv_freq", std::string("zero")}},
                           most == 0 ? "every inv_freq is 0: a buffer that was zeroed"
                                     : "no inv_freq is beyond " + decimal(few_digits(most, 0.01)) +
                                           ": a buffer that was never written"},
                          asked_misfit(reading), 0);
}

std::optional<Explanation> explain_named_frequencies(const DumpReading& reading) {
    if (!reading.mistakes.empty()) return std::nullopt;
    for (const Frequencies& one : usual_frequencies(reading.asked)) {
        if (one.mistake.empty() || !one.also.empty()) continue;
        const double error = relative_error(reading.samples.inv_freq, one.theta);
        if (error > most_off) continue;
        return explanation_of({one.mistake, one.parameters, one.what}, asked_misfit(reading),
                              error / most_off);
    }
    return std::nullopt;
}

}  // namespace rope
