#include "rope/rows/exact_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <optional>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

std::uint64_t top_bits(Phase phase) { return static_cast<std::uint64_t>(phase >> 64); }

// Niven's theorem: if the angle is a rational fraction of a turn, cos is rational only for 0, ±½
// and ±1, which occur at these twelfths of a turn.
std::optional<double> rational_cosine(std::uint64_t twelfth) {
    constexpr double none = 9;
    constexpr std::array<double, 12> cosine{1,  none, 0.5,  0, -0.5, none,
                                            -1, none, -0.5, 0, 0.5,  none};
    const double c = cosine[twelfth % 12];
    return c == none ? std::nullopt : std::optional(c);
}

// position·numerator mod denominator, exact
std::uint64_t turned(const TurnRate& rate, std::uint64_t position) {
    return static_cast<std::uint64_t>(Phase{position} * rate.numerator % rate.denominator);
}

// +0 and −0 count as different numbers.
bool is_ambiguous(Format format, double v, double error) {
    const double low = round_to(format, v - error), high = round_to(format, v + error);
    return low != high || std::signbit(low) != std::signbit(high);
}

// Rounds every value. Returns how many are ambiguous within `error`.
std::size_t round_values(Format format, const AlignedVector<double>& x, double error,
                         double* rounded) {
    if (format == Format::float32)
        return kernels().round_to_float32(x.size(), error, x.data(), rounded);
    std::size_t ambiguous = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        ambiguous += is_ambiguous(format, x[k], error) ? 1 : 0;
        rounded[k] = round_to(format, x[k]);
    }
    return ambiguous;
}

}  // namespace

bool is_aligned_run(std::span<const std::uint64_t> positions) {
    if (positions[0] % tile_rows != 0) return false;
    for (std::size_t r = 1; r < positions.size(); ++r)
        if (positions[r] != positions[0] + r) return false;
    return true;
}

ExactRows::ExactRows(std::vector<TurnRate> rates)
    : rates_(std::move(rates)),
      base_cos_(tile_rows * rates_.size()),
      base_sin_(tile_rows * rates_.size()) {
    if (std::all_of(rates_.begin(), rates_.end(),
                    [](const TurnRate& rate) { return rate.denominator == 0; }))
        for (const TurnRate& rate : rates_) {
            rate_high_.push_back(top_bits(rate.fraction));
            rate_low_.push_back(static_cast<std::uint64_t>(rate.fraction));
        }
    for (std::size_t r = 0; r < tile_rows; ++r)
        fill_row(r, &base_cos_[r * pairs()], &base_sin_[r * pairs()]);
}

void ExactRows::fill_row(std::uint64_t position, double* cos, double* sin) const {
    std::array<std::uint64_t, 64> turn;
    for (std::size_t i = 0; i < pairs(); i += turn.size()) {
        const std::size_t n = std::min(turn.size(), pairs() - i);
        if (!rate_high_.empty() && position < max_context)
            kernels().turns_at(n, position, &rate_high_[i], &rate_low_[i], turn.data());
        else
            for (std::size_t k = 0; k < n; ++k)
                turn[k] = top_bits(phase_at(rates_[i + k], position));
        kernels().cos_sin_of_turns(n, turn.data(), cos + i, sin + i);
    }
}

void ExactRows::fill(std::span<const std::uint64_t> positions, double* cos, double* sin) const {
    assert(!positions.empty() && positions.size() <= tile_rows);
    if (is_aligned_run(positions)) {
        alignas(64) std::array<double, 128> few;  // avoids an allocation for each tile of a sweep
        AlignedVector<double> many(2 * pairs() > few.size() ? 2 * pairs() : 0);
        double* const block = many.empty() ? few.data() : many.data();
        fill_row(positions[0], block, block + pairs());
        kernels().add_angles(positions.size(), pairs(), {block, block + pairs()},
                             {base_cos_.data(), base_sin_.data()}, {cos, sin});
        return;
    }
    for (std::size_t r = 0; r < positions.size(); ++r) {
        double* const own_cos = cos + r * pairs();
        double* const own_sin = sin + r * pairs();
        if (r > 0 && positions[r] == positions[r - 1]) {  // another head of the same token
            std::copy_n(own_cos - pairs(), pairs(), own_cos);
            std::copy_n(own_sin - pairs(), pairs(), own_sin);
        } else {
            fill_row(positions[r], own_cos, own_sin);
        }
    }
}

TruthRows::TruthRows(const FrequencyPlan& plan, std::uint32_t first, std::uint32_t count)
    : pairs_(plan.pairs.begin() + first, plan.pairs.begin() + first + count),
      rates_(turn_rates(pairs_)),
      exact_(rates_),
      real_amplitude_(plan.amplitude),
      amplitude_(plan.attention_factor) {}

BigReal TruthRows::angle(std::uint64_t position, std::size_t pair) const {
    const TurnRate& rate = rates_[pair];
    const Precision precision{384};
    if (rate.denominator == 0)
        return BigReal(pairs_[pair].inv_freq, precision) * static_cast<double>(position);
    return BigReal::pi(precision) * BigReal::whole(2 * turned(rate, position), precision) /
           BigReal::whole(rate.denominator, precision);
}

void TruthRows::round_one(std::uint64_t position, std::size_t pair, Format format, double& cos,
                          double& sin) const {
    const TurnRate& rate = rates_[pair];
    const BigReal angle = this->angle(position, pair);
    if (rate.denominator == 0) {
        rounded_cos_sin(angle, real_amplitude_, format, cos, sin);
        return;
    }
    const Phase twelfths = Phase{turned(rate, position)} * 12;
    std::optional<double> c, s;
    if (twelfths % rate.denominator == 0) {
        const auto twelfth = static_cast<std::uint64_t>(twelfths / rate.denominator);
        c = rational_cosine(twelfth);
        s = rational_cosine(twelfth + 9);
    }
    cos = c ? round_to(format, real_amplitude_ * *c) : rounded_cos(angle, real_amplitude_, format);
    sin = s ? round_to(format, real_amplitude_ * *s) : rounded_sin(angle, real_amplitude_, format);
}

void TruthRows::fill_rounded(std::span<const std::uint64_t> positions, Format format, double* cos,
                             double* sin) const {
    if (format == Format::float64) return fill_float64(positions, cos, sin);
    const std::size_t pairs = exact_.pairs(), n = positions.size() * pairs;
    AlignedVector<double> exact_cos(n), exact_sin(n);
    exact_.fill(positions, exact_cos.data(), exact_sin.data());
    const double error = cos_sin_error * std::max(1.0, amplitude_) * 2;
    for (std::size_t k = 0; amplitude_ != 1 && k < n; ++k) {
        exact_cos[k] *= amplitude_;
        exact_sin[k] *= amplitude_;
    }
    if (round_values(format, exact_cos, error, cos) + round_values(format, exact_sin, error, sin) ==
        0)
        return;
    for (std::size_t k = 0; k < n; ++k)
        if (is_ambiguous(format, exact_cos[k], error) || is_ambiguous(format, exact_sin[k], error))
            round_one(positions[k / pairs], k % pairs, format, cos[k], sin[k]);
}

// In units of 2^-126, a fixed-point cosine at position m times a factor below 1 has an error of
// less than 2^18 + 2m.
void TruthRows::fill_float64(std::span<const std::uint64_t> positions, double* cos,
                             double* sin) const {
    const auto exponent = static_cast<int>(
        mpfr_regular_p(real_amplitude_.raw()) != 0 ? mpfr_get_exp(real_amplitude_.raw()) : 0);
    const bool is_normal = std::abs(exponent) < 900;  // no number is subnormal or infinite
    const double unit = std::ldexp(1, exponent - 126);
    BigReal scaled = absolute(real_amplitude_);
    mpfr_mul_2si(scaled.raw(), scaled.raw(), -exponent, MPFR_RNDN);
    const Phase factor = fraction_of(scaled);
    const auto round = [&](Phase phase, std::uint64_t m, double& rounded) {
        const FixedPoint cosine = cosine_of(phase), error = (1 << 18) + 2 * FixedPoint{m};
        const Phase size = static_cast<Phase>(cosine < 0 ? -cosine : cosine) << 16;
        auto value = static_cast<FixedPoint>(upper_product(size, factor));
        if ((cosine < 0) != (amplitude_ < 0)) value = -value;
        const auto low = static_cast<double>(value - error);
        rounded = low * unit;
        return low == static_cast<double>(value + error);
    };
    for (const std::uint64_t m : positions)
        for (std::size_t i = 0; i < rates_.size(); ++i, ++cos, ++sin) {
            const Phase phase = phase_at(rates_[i], m);
            if (!is_normal || !round(phase, m, *cos) || !round(phase - half_turn / 2, m, *sin))
                round_one(m, i, Format::float64, *cos, *sin);
        }
}

RotaryTable build_table(const FrequencyPlan& plan, std::vector<std::uint64_t> positions,
                        Format format) {
    return build_table(TruthRows(plan, 0, static_cast<std::uint32_t>(plan.pairs.size())),
                       std::move(positions), format);
}

RotaryTable build_table(const TruthRows& truth, std::vector<std::uint64_t> positions,
                        Format format) {
    const auto pairs = static_cast<std::uint32_t>(truth.exact().pairs());
    RotaryTable table{std::move(positions), pairs, {}, {}};
    table.cos.resize(table.positions.size() * pairs);
    table.sin.resize(table.cos.size());
    for (std::size_t r = 0; r < table.positions.size(); r += tile_rows) {
        const std::size_t rows = std::min(tile_rows, table.positions.size() - r);
        truth.fill_rounded(std::span(table.positions).subspan(r, rows), format,
                           &table.cos[r * pairs], &table.sin[r * pairs]);
    }
    return table;
}

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
    // An odd n over a larger denominator is no multiple of 1/12 of a turn, so no cosine is rational
    // (Niven) and the fraction is not needed.
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

RealRows::RealRows(std::span<const PlannedFrequency> frequencies, std::vector<TurnRate> rates)
    : frequencies_(frequencies), whole_(std::move(rates)) {}

void RealRows::fill(std::span<const double> positions, double* cos, double* sin) {
    assert(!positions.empty() && positions.size() <= tile_rows);
    std::array<std::uint64_t, tile_rows> counted;
    std::size_t count = 0;
    for (const double position : positions) {
        const auto whole = static_cast<std::int64_t>(position);  // std::floor would be a call
        if (position < 0 || position != static_cast<double>(whole)) break;
        counted[count++] = static_cast<std::uint64_t>(whole);
    }
    if (count == positions.size()) {
        whole_.fill({counted.data(), count}, cos, sin);
        return;
    }
    for (std::size_t r = 0; r < positions.size(); ++r)
        fill_row(positions[r], cos + r * pairs(), sin + r * pairs());
}

// R(−m) = R(m)ᵀ
void RealRows::fill_row(double position, double* cos, double* sin) {
    const RealPosition real = real_position(position);
    const ExactRows& rows = real.exponent == 0 ? whole_ : in_units(real.exponent);
    rows.fill_row(real.whole, cos, sin);
    for (std::size_t i = 0; real.negative && i < pairs(); ++i) sin[i] = -sin[i];
}

const ExactRows& RealRows::in_units(int exponent) {
    const auto known = parts_.find(exponent);
    if (known != parts_.end()) return known->second;
    std::vector<TurnRate> rates;
    for (const PlannedFrequency& frequency : frequencies_)
        rates.push_back(turn_rate(rope::in_units(frequency, exponent)));
    return parts_.emplace(exponent, ExactRows(std::move(rates))).first->second;
}

}  // namespace rope
