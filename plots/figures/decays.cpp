#include "plots/figures/decays.hpp"

#include <array>
#include <limits>
#include <vector>

#include "rope/checks/decay.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::plots {
namespace {

using Block = std::array<double, DecayBlocks::size>;

}  // namespace

// Blocks of one Spec at a time: those of 32768 pairs take 32 MiB.
struct Decays::Tables {
    std::vector<std::vector<TurnRate>> rates;
    DecayBlocks blocks = {};
    std::optional<std::size_t> taken = {};

    DecayBlocks& of(std::size_t i) {
        if (taken != i) blocks.take(rates[i]);
        taken = i;
        return blocks;
    }
};

Decays::Decays(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances)
    : tables_(std::make_shared<Tables>()), last_(last), distances_(distances) {
    if (distances != nullptr) distances->all += specs.size() * (last + 1);
    for (const NamedSpec& named : specs) {
        std::vector<TurnRate>& rates = tables_->rates.emplace_back();
        const FrequencyPlan plan = plan_frequencies(named.spec, exact_precision);
        for (const PlannedFrequency& pair : plan.pairs) rates.push_back(turn_rate(pair));
    }
}

MeanCosShape Decays::mean_cos_shape(std::size_t i) const {
    constexpr double step = 0x1p-47;  // twice the curve's error of 2⁻⁴⁸: less proves nothing
    DecayBlocks& blocks = tables_->of(i);
    Block mean_cos;
    MeanCosShape shape{{}, std::numeric_limits<double>::infinity(), 0};
    double before = shape.least;
    for (std::uint64_t s = 0; s <= last_; ++s) {
        if (s % mean_cos.size() == 0) blocks.fill_mean_cos(s, mean_cos.data());
        const double now = mean_cos[s % mean_cos.size()];
        if (!shape.first_rise && now - before > step) shape.first_rise = s;
        if (now < shape.least) {
            shape.least = now;
            shape.least_at = s;
        }
        before = now;
        if (distances_ != nullptr) ++distances_->ended;
    }
    return shape;
}

double Decays::roformer_at_zero(std::size_t i) const {
    Block mean_cos, roformer;
    tables_->of(i).fill(0, mean_cos.data(), roformer.data());
    return roformer.front();
}

Curve Decays::mean_cos(std::size_t i) const {
    return {last_, [tables = tables_, i](std::uint64_t first, std::span<double> y) {
                DecayBlocks& blocks = tables->of(i);
                for (std::size_t k = 0; k < y.size(); k += DecayBlocks::size)
                    blocks.fill_mean_cos(first + k, &y[k]);
            }};
}

Curve Decays::roformer(std::size_t i) const {
    return {last_, [tables = tables_, i](std::uint64_t first, std::span<double> y) {
                DecayBlocks& blocks = tables->of(i);
                Block mean_cos;
                for (std::size_t k = 0; k < y.size(); k += DecayBlocks::size)
                    blocks.fill(first + k, mean_cos.data(), &y[k]);
            }};
}

}  // namespace rope::plots
