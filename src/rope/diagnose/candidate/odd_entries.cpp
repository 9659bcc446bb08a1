// Frequencies of which one or two entries are others.
#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/further_changes.hpp"

namespace rope {
namespace {

constexpr std::size_t least_pairs = 8;  // of which one may be out of order

std::size_t most_odd(std::size_t pairs) { return pairs >= 32 ? 2 : 1; }

// 0 where a pair stands still as far as its rows tell; NaN where they are not finite.
double number_of(const PhaseLine& line) {
    if (!line.is_known()) return NAN;
    return std::abs(line.theta) <= 4 * line.error ? 0 : line.theta;
}

}  // namespace

NamedMistake entry_mistake(std::size_t pair, double own, double theta) {
    const double inv_freq = few_digits(own, 1e-6);
    return {"inv-freq-entry",
            {{"pair", std::uint64_t{pair}}, {"inv_freq", inv_freq}},
            "inv_freq of pair " + decimal(pair) + " is " +
                (std::isfinite(own) ? decimal(inv_freq) : "not finite") + ", not " +
                decimal(few_digits(theta, 1e-6))};
}

Frequencies with_entry(const Frequencies& one, std::size_t pair, double inv_freq,
                       std::optional<double> named) {
    Frequencies other = one;
    for (Frequencies::Further& further : other.also) further.without[pair] = inv_freq;
    other.also.push_back(
        {entry_mistake(pair, named.value_or(inv_freq), one.theta[pair]), one.theta});
    other.change(pair, inv_freq);
    ++other.cost;
    return other;
}

std::vector<PhaseLine> in_order(const std::vector<PhaseLine>& lines) {
    if (lines.size() < least_pairs) return lines;
    std::vector<PhaseLine> rest = lines;
    std::size_t odd = 0;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const PhaseLine &before = lines[i - 1], &own = lines[i];
        const PhaseLine after = i + 1 < lines.size() ? lines[i + 1] : PhaseLine{};
        const double error = 4 * own.error;
        const bool is_between = own.theta < before.theta + error && own.theta > after.theta - error;
        if (is_between || !own.is_known() || !(before.theta > after.theta)) continue;
        rest[i] = {.rows = own.rows};
        ++odd;
    }
    return odd <= most_odd(lines.size()) ? rest : lines;
}

std::vector<Frequencies> with_odd_entries(const std::vector<Frequencies>& list,
                                          const std::vector<PhaseLine>& lines) {
    std::vector<Frequencies> all;
    if (lines.size() < 4) return all;
    const std::size_t most = most_odd(lines.size());
    for (const Frequencies& one : list) {
        if (one.theta.size() != lines.size()) continue;
        std::vector<std::size_t> odd;
        for (std::size_t i = 0; i < lines.size() && odd.size() <= most; ++i)
            if (lines[i].is_known() ? !one.is_on(lines[i], i) : lines[i].rows == 0)
                odd.push_back(i);
        if (odd.empty() || odd.size() > most) continue;
        // rows that are all apart do not tell which number
        if (std::ranges::any_of(
                odd, [&](std::size_t i) { return lines[i].modulo > 0 && lines[i].is_known(); }))
            continue;
        Frequencies other = one;
        for (const std::size_t i : odd)
            other = with_entry(other, i, number_of(lines[i]), lines[i].number);
        // an odd number beside other frequencies may as well be a rule that is not known
        const bool is_number =
            std::ranges::any_of(odd, [&](std::size_t i) { return lines[i].is_known(); });
        other.cost += one.mistake.empty() || !is_number ? 0 : 1;
        all.push_back(std::move(other));
    }
    return all;
}

}  // namespace rope
