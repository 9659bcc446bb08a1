#include "rope/claims/decay.hpp"

#include <algorithm>
#include <array>

#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/sums.hpp"

namespace rope {

void DecayBlocks::take(std::span<const TurnRate> rates) {
    rates_.assign(rates.begin(), rates.end());
    base_cos_.resize(rates.size());
    base_sin_.resize(rates.size());
    turn_.resize(rates.size());
    block_cos_.resize(rates.size());
    block_sin_.resize(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) {
        std::array<std::uint64_t, size> turn;
        for (std::size_t s = 0; s < size; ++s)
            turn[s] = static_cast<std::uint64_t>(phase_at(rates[i], s) >> 64);
        kernels().cos_sin_of_turns(size, turn.data(), base_cos_[i].data(), base_sin_[i].data());
    }
}

void DecayBlocks::turn_to(std::uint64_t first) {
    for (std::size_t i = 0; i < rates_.size(); ++i)
        turn_[i] = static_cast<std::uint64_t>(phase_at(rates_[i], first) >> 64);
    kernels().cos_sin_of_turns(turn_.size(), turn_.data(), block_cos_.data(), block_sin_.data());
}

void DecayBlocks::fill(std::uint64_t first, double* mean_cos, double* roformer) {
    turn_to(first);
    kernels().sums->decay(rates_.size(), size, block_cos_.data(), block_sin_.data(),
                          base_cos_.front().data(), base_sin_.front().data(), mean_cos, roformer);
}

void DecayBlocks::fill_mean_cos(std::uint64_t first, double* mean_cos) {
    turn_to(first);
    kernels().sums->mean_cosines(rates_.size(), block_cos_.data(), block_sin_.data(),
                                 base_cos_.front().data(), base_sin_.front().data(), mean_cos);
}

double DecayBlocks::mean_cos_error() const {
    // P values, and a partial sum of up to P rounded P times, over P
    return cos_sin_error + static_cast<double>(rates_.size()) * 0x1p-53;
}

double DecayBlocks::roformer_error() const {
    // |S_j| is within j·√2·(cos_sin_error + j·2^-53); the mean over j, and the sum's own roundings
    const double pairs = static_cast<double>(rates_.size());
    return pairs * (cos_sin_error + 2 * pairs * 0x1p-53);
}

DecayCurves decay_curves(const FrequencyPlan& plan, std::uint64_t last) {
    return decay_curves(turn_rates(plan.pairs), last);
}

DecayCurves decay_curves(std::span<const TurnRate> rates, std::uint64_t last) {
    DecayBlocks blocks(rates);
    DecayCurves curves;
    const std::uint64_t padded = (last / DecayBlocks::size + 1) * DecayBlocks::size;
    curves.mean_cos.resize(padded);
    curves.roformer.resize(padded);
    for (std::uint64_t s = 0; s < padded; s += DecayBlocks::size)
        blocks.fill(s, &curves.mean_cos[s], &curves.roformer[s]);
    curves.mean_cos.resize(last + 1);
    curves.roformer.resize(last + 1);
    return curves;
}

namespace {

BigReal sum_of_cosines(const FrequencyPlan& plan, std::uint64_t s) {
    BigReal sum = real(0);
    for (const PlannedFrequency& pair : plan.pairs)
        sum = sum + cosine(pair.inv_freq * static_cast<double>(s));
    return sum;
}

BigReal sum_of_moduli(const FrequencyPlan& plan, std::uint64_t s) {
    BigReal sum = real(0), re = real(0), im = real(0), c = real(0), sn = real(0), modulus = real(0);
    for (const PlannedFrequency& pair : plan.pairs) {
        const BigReal angle = pair.inv_freq * static_cast<double>(s);
        mpfr_sin_cos(sn.raw(), c.raw(), angle.raw(), MPFR_RNDN);
        re = re + c;
        im = im + sn;
        mpfr_hypot(modulus.raw(), re.raw(), im.raw(), MPFR_RNDN);
        sum = sum + modulus;
    }
    return sum;
}

// 0 for a tie: P < 2^17 pairs with angles below 2^76, which are known to 2^-310 of their size, give
// sums that are known to P²·2^76·2^-310 < 2^-200.
int sign(const BigReal& x) { return absolute(x) < real(0x1p-200) ? 0 : mpfr_sgn(x.raw()); }

}  // namespace

int exact_mean_cos_step(const FrequencyPlan& plan, std::uint64_t s) {
    return sign(sum_of_cosines(plan, s) - sum_of_cosines(plan, s - 1));
}
int exact_roformer_step(const FrequencyPlan& plan, std::uint64_t s) {
    return sign(sum_of_moduli(plan, s) - sum_of_moduli(plan, s - 1));
}
int exact_mean_cos_sign(const FrequencyPlan& plan, std::uint64_t s) {
    return sign(sum_of_cosines(plan, s));
}

}  // namespace rope
