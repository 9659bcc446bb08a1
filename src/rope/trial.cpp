#include "rope/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/fit.hpp"

namespace rope {

double Trial::storage() const {
    // 2^-48: our own doubles
    return std::numbers::sqrt2 * subject.exactness().rounding / plan.attention_factor + 0x1p-48;
}

double Trial::slope(std::uint32_t pair) const {
    return subject.exactness().angle_k[pair] * 0x1p-24 * plan.pairs[pair].inv_freq.to_double();
}

double Trial::allowance(std::uint64_t m, std::uint32_t pair) const {
    return std::min(2.0, slope(pair) * static_cast<double>(m)) + storage();
}

std::uint64_t Trial::context() const {
    return subject.rows() == 0 ? 0 : subject.position_of(subject.rows() - 1) + 1;
}

Trial make_trial(const Spec& spec, const FrequencyPlan& plan, const RowSource& subject,
                 std::uint64_t seed) {
    if (const auto* own = subject.own_inv_freq())
        return {spec, plan, subject, *own, plan.attention_factor, seed};
    Fit fit = fit_frequencies(plan, subject);
    return {spec, plan, subject, std::move(fit.inv_freq), fit.amplitude, seed};
}

}  // namespace rope
