#include "rope/table/real_position.hpp"

#include <bit>
#include <cmath>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

RealPosition real_position(double position) {
    if (!(std::abs(position) < static_cast<double>(max_context)))
        throw InputError("a position", decimal(position), "between -2^32 and 2^32");
    if (position == 0) return {};
    int exponent = 0;
    const double fraction = std::frexp(std::abs(position), &exponent);  // ½ ≤ fraction < 1
    auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    exponent -= 53;
    const int twos = std::min(std::countr_zero(whole), -exponent);  // exponent ≤ 32 − 53
    return {whole >> twos, exponent + twos, position < 0};
}

PlannedFrequency in_units(PlannedFrequency frequency, int exponent) {
    mpfr_mul_2si(frequency.inv_freq.raw(), frequency.inv_freq.raw(), exponent, MPFR_RNDN);
    if (!frequency.turn) return frequency;
    // An odd n over a longer denominator is no whole twelfth of a turn, so that no cosine is
    // rational (Niven) and nothing is lost with the fraction.
    if (-exponent < std::countl_zero(frequency.turn->denominator) - 1)
        frequency.turn->denominator <<= -exponent;
    else
        frequency.turn.reset();
    return frequency;
}

FrequencyPlan in_units(const FrequencyPlan& plan, int exponent) {
    FrequencyPlan scaled = plan;
    for (PlannedFrequency& pair : scaled.pairs) pair = in_units(std::move(pair), exponent);
    return scaled;
}

}  // namespace rope
