#include "rope/base_bound/cosine_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/exact/big_real.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

constexpr Precision working{200};

// b^(−1/P) = q·(1 + e)^(−1/P) with e = b·q^P − 1, q being close: the third term is below 2^-128
Phase ratio_of(std::uint32_t pairs, double base) {
    const double count = pairs;
    BigReal ratio(portable::exp(-portable::log(base) / count), working), power = ratio;
    mpfr_pow_ui(power.raw(), power.raw(), pairs, MPFR_RNDN);
    const BigReal e = power * base - 1.0;
    ratio = ratio - ratio * (e - e * e * ((count + 1) / (2 * count))) / count;
    return ratio < BigReal(1, working) ? fraction_of(ratio) : ~Phase{0};
}

// Computes θ_i/4π, each from the one before; error < (i + 1)·2^-125.
std::vector<Phase> half_rates_of(std::uint32_t pairs, double base) {
    const Phase ratio = ratio_of(pairs, base);
    static const Phase inverse_4_pi = fraction_of(0.25 / BigReal::pi(working));
    std::vector<Phase> rates(pairs, inverse_4_pi);
    for (std::uint32_t i = 1; i < pairs; ++i) rates[i] = upper_product(rates[i - 1], ratio);
    return rates;
}

std::vector<Phase> half_rates_of(const FrequencyPlan& plan) {
    const BigReal four_pi = BigReal::pi(working) * 4.0;
    std::vector<Phase> rates;
    for (const PlannedFrequency& pair : plan.pairs)
        rates.push_back(fraction_of(BigReal(pair.inv_freq, working) / four_pi));
    return rates;
}

}  // namespace

CosineSum::CosineSum(PairCounts pairs, double base)
    : pairs_(pairs), half_rate_(half_rates_of(pairs.rotating, base)), theta_(half_rate_.size()) {
    std::ranges::transform(half_rate_, theta_.begin(), [](Phase rate) {
        return static_cast<double>(rate) * (0x1p-126 * std::numbers::pi);
    });
}

CosineSum::CosineSum(const FrequencyPlan& plan, std::uint32_t passing)
    : pairs_{static_cast<std::uint32_t>(plan.pairs.size()), passing},
      half_rate_(half_rates_of(plan)) {}

bool CosineSum::is_never_negative() const {
    const auto still = std::ranges::count(half_rate_, Phase{0}) + std::ptrdiff_t{pairs_.passing};
    return 2 * still >= std::ptrdiff_t{pairs_.rotating} + std::ptrdiff_t{pairs_.passing};
}

// With u = sθ and t = 2i/d, dθ/dx = −tθ:
//   B' = Σ t·u·sin u,   B'' = −Σ t²(u²·cos u + u·sin u),   |B''| ≤ Σ t²(u² + u·min(1, u)),
// and each u decreases as x grows.
CosineSum::Local CosineSum::at(std::uint64_t s) const {
    const std::size_t pairs = half_rate_.size();
    std::vector<std::uint64_t> turn(pairs);
    for (std::size_t i = 0; i < pairs; ++i) turn[i] = turn_of(half_rate_[i] * (Phase{2} * s));
    std::vector<double> cosine(pairs), sine(pairs);
    kernels().cos_sin_of_turns(pairs, turn.data(), cosine.data(), sine.data());
    const auto distance = static_cast<double>(s);
    Local local{0, 0, 0, 0};
    for (std::size_t i = 0; i < pairs; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(pairs);
        const double u = distance * theta_[i], tu = t * u;
        local.value += cosine[i];
        local.slope += tu * sine[i];
        local.slope_error += tu;
        local.bend += tu * (tu + t * (u < 1 ? u : 1));
    }
    local.value += pairs_.passing;
    local.slope_error *= error();  // of each sine; larger than the sum's
    return local;
}

// Σ t·θ
double CosineSum::steepest() const {
    double sum = 0;
    for (std::size_t i = 0; i < theta_.size(); ++i) sum += static_cast<double>(i) * theta_[i];
    return sum / pairs_.rotating;
}

double CosineSum::error() const {
    // P products of two cosines, each with an error < cos_sin_error, in two sums of P terms
    const double pairs = pairs_.rotating, all = pairs + pairs_.passing;
    return pairs * (4 * cos_sin_error + (all + 4) * 0x1p-52);
}

double CosineSum::nearer_zero(std::uint64_t s, double value) const {
    double off = error();
    if (std::abs(value) <= 16 * off) {
        FixedPoint sum = FixedPoint{pairs_.passing} << 110;
        for (const Phase rate : half_rate_) sum += cosine_of(rate * (Phase{2} * s));
        const double all = pairs_.rotating;
        value = static_cast<double>(sum) * 0x1p-110;
        off =
            all * (0x1p-109 + static_cast<double>(s) * all * 0x1p-121) + std::abs(value) * 0x1p-52;
    }
    return value < -off ? value + off : value > off ? value - off : 0;
}

bool is_negative(PairCounts pairs, std::uint64_t s, double base) {
    const CosineSum sum(pairs, base);
    return sum.is_negative(s, sum.at(s).value);
}

SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high) {
    const bool is_low_negative = is_negative(pairs, s, low);
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(low < middle && middle < high)) return {low, high};
        (is_negative(pairs, s, middle) == is_low_negative ? low : high) = middle;
    }
}

}  // namespace rope
