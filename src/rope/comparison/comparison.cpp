#include "rope/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/comparison/fit.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

double Comparison::allowance(double m, std::uint32_t pair) const {
    return std::min(2.0, slope[pair] * std::abs(m)) + storage;
}

double Comparison::effective_allowance(double m, std::uint32_t pair) const {
    return std::min(2.0, effective_slope[pair] * std::abs(m)) + storage;
}

std::uint64_t Comparison::context() const {
    if (subject.rows() == 0) return 0;
    std::vector<double> last;
    for (std::uint32_t a = 0; a < axis_count(spec.axes); ++a)
        last.push_back(subject.position_of(subject.rows() - 1, a));
    return context_of(last);
}

double Comparison::position_k(Arithmetic arithmetic) const {
    return rounds_positions && arithmetic != Arithmetic::exact ? 1 : 0;
}

namespace {

// How far a pair is carried where rounding may move it by `most`. Whole positions that float32
// holds, to 2^24, are not themselves rounded.
double carried_to(const Comparison& comparison, std::uint32_t pair, double most) {
    const double carried = most / comparison.slope[pair];
    const bool counts = comparison.subject.positions(comparison.axis[pair]).empty();
    if (!comparison.rounds_positions || !counts) return carried;
    const double theta = comparison.plan.pairs[pair].inv_freq.to_double();
    const double of_positions = comparison.position_k(least_exact) * 0x1p-24 * theta;
    const double own = std::max(0.0, comparison.slope[pair] - of_positions);
    return std::min(most / own, std::max(carried, 0x1p24));
}

}  // namespace

std::optional<Uncarried> first_uncarried(const Comparison& comparison) {
    constexpr double most = 0.1;
    const RowSource& subject = comparison.subject;
    std::optional<Uncarried> first;
    for (std::uint32_t i = 0; i < comparison.slope.size() && subject.rows() > 0; ++i) {
        const double carried = carried_to(comparison, i, std::max(0.0, most - comparison.storage));
        const auto last = subject.position_of(subject.rows() - 1, comparison.axis[i]);
        if (!(carried < std::abs(last))) continue;
        const auto position = static_cast<std::uint64_t>(carried) + 1;
        if (!first || position < first->position) first = {position, i};
    }
    return first;
}

namespace {

bool float32_rounds_positions(const Comparison& comparison) {
    if (comparison.context() > 1 << 24) return true;
    for (std::uint32_t a = 0; a < axis_count(comparison.spec.axes); ++a)
        for (const double m : comparison.subject.positions(a))
            if (static_cast<double>(static_cast<float>(m)) != m) return true;
    return false;
}

// K of each pair: the implementation's where it is known, else the profile's.
std::vector<double> expected_k(const Comparison& comparison) {
    std::vector<double> k = comparison.subject.exactness().angle_k;
    double position_k = comparison.position_k(least_exact);
    if (comparison.profile) {
        const Arithmetic arithmetic = comparison.profile->arithmetic;
        k = angle_k(arithmetic, comparison.spec, comparison.plan);
        position_k = comparison.position_k(arithmetic);
    }
    for (double& each : k) each += position_k;
    return k;
}

// θ̃ by itself is of the subject's arithmetic; where none explains it, of the least exact, and no
// pair is exact. No less than the truth's: a fit knows θ̃ modulo 2π/gap. A subject that is within
// the truth's allowances, mK·2^-24·θ + storage, is within m|θ̃ − θ| more of its own.
double effective_slope(const Comparison& comparison, std::uint32_t pair, double k) {
    const double planned = comparison.plan.pairs[pair].inv_freq.to_double();
    const double own = comparison.effective[pair].inv_freq.to_double();
    const double slope = std::max(comparison.slope[pair], k * 0x1p-24 * std::abs(own));
    const bool is_explained = comparison.profile && comparison.profile->explains;
    return is_explained ? slope + std::abs(own - planned) : slope;
}

void add_effective(Comparison& comparison) {
    std::vector<BigReal> inv_freq;
    if (const auto* own = comparison.subject.effective_inv_freq()) {
        inv_freq = *own;
    } else {
        Fit fit = fit_frequencies(comparison);
        inv_freq = std::move(fit.inv_freq);
        comparison.effective_amplitude = fit.amplitude;
    }
    comparison.effective.clear();
    for (BigReal& each : inv_freq) comparison.effective.push_back({std::move(each), {}});
    std::vector<double> k = expected_k(comparison);
    if (comparison.profile && !comparison.profile->explains) {
        const auto any = angle_k(least_exact, comparison.spec, comparison.plan);
        std::fill(k.begin(), k.end(), *std::max_element(any.begin(), any.end()));
    }
    for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i) {
        comparison.effective_slope.push_back(effective_slope(comparison, i, k[i]));
        comparison.effective_rates[i] = turn_rate(comparison.effective[i]);
    }
}

// An implementation that no arithmetic explains may reduce its angles: then even those of θ = 1,
// and small ones below 0, are rounded as others are. Coarser formats than float32 do not tell, and
// frequencies alone have no angles.
void add_profile(Comparison& comparison, unsigned threads) {
    comparison.profile = profile_of(comparison, threads);
    if (comparison.profile->explains || comparison.storage > 0x1p-20 ||
        comparison.subject.effective_inv_freq() != nullptr)
        return;
    Comparison reduced = comparison;
    reduced.rounding += reduced_angle_error * comparison.plan.attention_factor;
    reduced.storage += reduced_angle_error;
    reduced.profile = profile_of(reduced, threads);
    if (!reduced.profile->explains) return;
    comparison.rounding = reduced.rounding;
    comparison.storage = reduced.storage;
    comparison.profile = std::move(reduced.profile);
    comparison.profile->reduced = true;
}

}  // namespace

Comparison make_comparison(const Spec& spec, const FrequencyPlan& plan, const RowSource& subject,
                           std::uint64_t seed, unsigned threads) {
    Comparison comparison{.spec = spec,
                          .plan = plan,
                          .subject = subject,
                          .effective_amplitude = plan.attention_factor,
                          .seed = seed,
                          .axis = axis_of_pairs(spec.axes, spec.pairs())};
    const Exactness& exactness = subject.exactness();
    comparison.rounding = exactness.rounding;
    // 2^-48: our own doubles
    comparison.storage = std::numbers::sqrt2 * exactness.rounding / plan.attention_factor + 0x1p-48;
    comparison.rounds_positions = float32_rounds_positions(comparison);
    comparison.effective = plan.pairs;
    comparison.rates = turn_rates(plan.pairs);
    comparison.effective_rates = comparison.rates;
    if (exactness.is_unknown_implementation) add_profile(comparison, threads);
    const std::vector<double> k = expected_k(comparison);
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
        comparison.slope.push_back(k[i] * 0x1p-24 * plan.pairs[i].inv_freq.to_double());
    add_effective(comparison);
    return comparison;
}

}  // namespace rope
