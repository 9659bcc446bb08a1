#include "rope/ledger/quantity/abel_bound.hpp"

#include <cmath>

#include "rope/checks/decay.hpp"
#include "rope/exact/big_real.hpp"

namespace rope::ledger {

BigReal abel_bound(const FrequencyPlan& plan, const BigReal& s) {
    BigReal sum = real(0), re = real(0), im = real(0);
    for (const PlannedFrequency& pair : plan.pairs) {
        const BigReal angle = s * pair.inv_freq;
        re = re + cosine(angle);
        im = im + sine(angle);
        sum = sum + root(re * re + im * im);
    }
    return sum / static_cast<double>(plan.pairs.size());
}

std::vector<double> abel_curve(const FrequencyPlan& plan, std::uint64_t last) {
    return decay_curves(plan, last).roformer;
}

std::optional<std::uint64_t> first_bound_rise(const FrequencyPlan& plan, std::uint64_t last) {
    const std::vector<double> curve = abel_curve(plan, last);
    const double error = DecayBlocks(plan).roformer_error();
    for (std::uint64_t s = 1; s <= last; ++s) {
        const double step = curve[s] - curve[s - 1];
        if (std::abs(step) > 2 * error ? step > 0 : exact_roformer_step(plan, s) > 0) return s;
    }
    return std::nullopt;
}

}  // namespace rope::ledger
