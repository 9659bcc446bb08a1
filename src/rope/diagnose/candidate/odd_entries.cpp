// Frequencies of which one or two entries are others.
#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"

namespace rope {
namespace {

NamedMistake entry_mistake(std::size_t pair, double own, double theta) {
    const double inv_freq = few_digits(own, 1e-4);
    return {"inv-freq-entry",
            {{"pair", std::uint64_t{pair}}, {"inv_freq", inv_freq}},
            "inv_freq of pair " + decimal(pair) + " is " +
                (std::isfinite(own) ? decimal(inv_freq) : "not finite") + ", not " +
                decimal(few_digits(theta, 1e-6))};
}

}  // namespace

std::vector<Frequencies> with_odd_entries(const std::vector<Frequencies>& list,
                                          const std::vector<PhaseLine>& lines) {
    std::vector<Frequencies> all;
    if (lines.size() < 4) return all;
    const std::size_t most = lines.size() >= 32 ? 2 : 1;
    for (const Frequencies& one : list) {
        if (one.theta.size() != lines.size()) continue;
        std::vector<std::size_t> odd;
        for (std::size_t i = 0; i < lines.size() && odd.size() <= most; ++i)
            if (lines[i].is_known() ? !one.is_on(lines[i], i) : lines[i].rows == 0)
                odd.push_back(i);
        if (odd.empty() || odd.size() > most) continue;
        Frequencies other = one;
        for (const std::size_t i : odd) {
            other.change(i, lines[i].is_known() ? lines[i].theta : NAN);
            other.also.push_back({entry_mistake(i, other.theta[i], one.theta[i]), {}});
        }
        for (std::size_t k = 0; k < odd.size(); ++k) {
            other.also[k].without = other.theta;
            other.also[k].without[odd[k]] = one.theta[odd[k]];
        }
        // an odd pair beside other frequencies may as well be a rule that is not known
        other.cost += static_cast<int>(odd.size()) + (one.mistake.empty() ? 0 : 1);
        all.push_back(std::move(other));
    }
    return all;
}

}  // namespace rope
