#include "rope/evidence/hypothesis.hpp"

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double most_steps = 1 << 21;

// Returns fl32(x) moved up by `steps` float32 numbers.
float neighbour(double x, int steps) {
    auto value = static_cast<float>(x);
    for (; steps > 0; --steps) value = std::nextafter(value, HUGE_VALF);
    for (; steps < 0; ++steps) value = std::nextafter(value, -HUGE_VALF);
    return value;
}

// The float32 angle of one pair, at positions that ascend from call to call.
class SteppedAngle {
  public:
    SteppedAngle(const Hypothesis& hypothesis, std::uint32_t pair, int steps)
        : accumulated_(hypothesis.rounding.method == Rounding::Method::accumulated), pair_(pair) {
        const std::vector<double>& theta = hypothesis.theta;
        const double scale = theta.size() > 1 ? theta[1] / theta[0] : 1;
        step_ = neighbour(accumulated_ ? theta[pair] : scale, steps);
        divisor_ = static_cast<float>(portable::pow(scale, pair) / theta[pair]);
    }

    double at(double m) {
        if (!accumulated_) return recurrent(m);
        for (; m_ < m; ++m_) angle_ += step_;
        return static_cast<double>(angle_);
    }

  private:
    // θ ← θ·scale from pair to pair, starting with the position, then the pair's other divisors
    double recurrent(double m) const {
        auto theta = static_cast<float>(m);
        for (std::uint32_t i = 0; i < pair_; ++i) theta *= step_;
        return static_cast<double>(theta / divisor_);
    }

    bool accumulated_;  // angle ← angle + θ from position to position
    std::uint32_t pair_;
    float step_ = 0, divisor_ = 1, angle_ = 0;
    double m_ = 0;
};

double stepped_misfit_of_pair(const Samples& samples, const Hypothesis& hypothesis, double limit,
                              std::uint32_t i, int steps) {
    const std::uint32_t axis = hypothesis.axis[i];
    // the hypothesis has every rounding except another scaling's and a library cosine's: K ≤ 8
    Hypothesis replayed = hypothesis;
    replayed.angle_k[i] = std::min(hypothesis.angle_k[i], 8.0);
    SteppedAngle stepped(hypothesis, i, steps);
    double worst = 0;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const std::size_t k = row * samples.pairs + i;
        if (Samples::is_left_out(samples.modulus[k])) continue;
        const double m = samples.position(row, axis);
        const double error =
            sample_distance(samples.modulus[k] / hypothesis.amplitude,
                            oriented(hypothesis.turn, samples.angle[k]), stepped.at(m)) /
            sample_tolerance(samples, replayed, m, i);
        if (!(error <= limit)) return HUGE_VAL;
        worst = std::max(worst, error);
    }
    return worst;
}

// Every partial sum is rounded: |s_m − mθ| ≤ 2^-24·Σ s_k ≤ 2^-24·m²θ for m up to 2^21, half of it
// and the effect of the earlier errors; θ may be off by a unit of 2^-23. If the slowest pair
// exceeds this bound, the m additions per pair need not be replayed.
bool may_be_sums(const Samples& samples, const Hypothesis& hypothesis) {
    const auto slowest = static_cast<std::uint32_t>(
        std::ranges::min_element(hypothesis.theta, {},
                                 [](double theta) { return std::abs(theta); }) -
        hypothesis.theta.begin());
    const double theta = hypothesis.theta[slowest];
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const std::size_t k = row * samples.pairs + slowest;
        const double m = samples.position(row, hypothesis.axis[slowest]);
        if (Samples::is_left_out(samples.modulus[k])) continue;
        const double off = sample_distance(samples.modulus[k] / hypothesis.amplitude,
                                           oriented(hypothesis.turn, samples.angle[k]), m * theta);
        const double rounded = (m + 4) * 0x1p-24 * m * std::abs(theta);
        if (!(off <= rounded + sample_tolerance(samples, hypothesis, m, slowest))) return false;
    }
    return true;
}

// Whether all positions are from `least` to 2^21. Sums begin at 0.
bool may_be_stepped(const Samples& samples, double least) {
    return std::ranges::all_of(samples.positions, [&](const std::vector<double>& axis) {
        return std::ranges::all_of(axis, [&](double m) { return m >= least && m <= most_steps; });
    });
}

// The format's relative spacing at `amplitude`, divided by that at 1; at least 1.
double coarseness(Format format, double amplitude) {
    if (amplitude == 1) return 1;
    return std::max(1.0, half_spacing(format, amplitude) / (amplitude * half_spacing(format, 1)));
}

// The storage error; if a table was also rounded, plus half its spacing per component. A truncated
// table has its full spacing, which may already be the storage error.
double rounded_storage(const Samples& samples, const Rounding& rounding, double amplitude) {
    const double storage = samples.storage * coarseness(samples.format, amplitude);
    if (rounding.table == Format::float64) return storage;
    const double half = std::numbers::sqrt2 * half_spacing(rounding.table, 1) *
                        coarseness(rounding.table, amplitude);
    return rounding.cuts_table() ? std::max(storage, 2 * half) + 0x1p-22 : storage + half;
}

// The distance of a sample, given position m, from the hypothesis's value; 0 for a pair that
// is left out.
double sample_error(const Samples& samples, const Hypothesis& hypothesis, std::size_t row,
                    std::uint32_t i, double m) {
    const std::size_t k = row * samples.pairs + i;
    if (Samples::is_left_out(samples.modulus[k])) return 0;
    const double modulus = samples.modulus[k] / hypothesis.amplitude;
    const double angle = oriented(hypothesis.turn, samples.angle[k]);
    const ExpectedAngles expected = expected_angles(hypothesis, m, i);
    if (hypothesis.rounding.cuts_table() && modulus > 1 + 0x1p-22) return HUGE_VAL;
    double least = HUGE_VAL;
    for (std::size_t a = 0; a < expected.count; ++a) {
        if (!std::isfinite(expected.values[a])) {
            if (std::isnan(modulus)) least = 0;
            continue;
        }
        const double error = sample_distance(modulus, angle, expected.values[a]);
        if (error < least) least = error;  // false for NaN
    }
    return least;
}

double sample_misfit(const Samples& samples, const Hypothesis& hypothesis, std::size_t row,
                     std::uint32_t i) {
    const double m = hypothesis.given(samples, row, i);
    const double error = sample_error(samples, hypothesis, row, i, m);
    if (error == 0) return 0;
    return error / sample_tolerance(samples, hypothesis, hypothesis.map_of(i)(m), i);
}

// Returns the largest error of a row, or the first one above the limit. Begins with the row that
// did not fit the last hypothesis, then goes from the last row to the first: near position 0 all
// hypotheses agree.
template <class ErrorOf>
double worst_row(const Samples& samples, double limit, const ErrorOf& error_of) {
    double worst = 0;
    const std::size_t rows = samples.rows(), first = std::min(samples.refuting, rows);
    for (std::size_t k = 0; k <= rows; ++k) {
        const std::size_t row = k == 0 ? first : rows - k;
        if (row == rows || (k != 0 && row == first)) continue;
        const double one = error_of(row);
        if (!(one <= limit)) {
            samples.refuting = row;
            return std::isnan(one) ? HUGE_VAL : one;
        }
        worst = std::max(worst, one);
    }
    return worst;
}

constexpr double enough = 16;  // bits: one of 64 random pairs fits with probability 2^-10
constexpr std::size_t least_predicted = 8;  // pairs with other frequencies

double bits_of(double allowed) {
    return std::max(0.0, 1 - portable::log(std::max(allowed, 0x1p-30)) / std::numbers::ln2);
}

// −log2 of the probability that random angles of the pair are within tolerance at all positions.
// Position 0, a tolerance of a whole turn and a pair that is left out add nothing.
double predicted_bits(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair) {
    double bits = 0;
    double before = 0;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double m = hypothesis.given(samples, row, pair);
        const double p = hypothesis.map_of(pair)(m);
        // heads that share a position count once
        if (p == 0 || m == before || !(samples.modulus[row * samples.pairs + pair] >= 0)) continue;
        before = m;
        bits += bits_of(sample_tolerance(samples, hypothesis, p, pair));
    }
    return bits;
}

// The same for a pair that rotates at θ from an unknown initial angle. Rows whose angles differ by
// less than the tolerance count once. Stops at `most`.
double bits_of_phases(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                      double most) {
    double bits = 0;
    std::optional<double> before;
    for (std::size_t row = 0; row < samples.rows() && bits < most; ++row) {
        if (!(samples.modulus[row * samples.pairs + pair] >= 0)) continue;
        const double p = hypothesis.map_of(pair)(hypothesis.given(samples, row, pair));
        const double allowed = sample_tolerance(samples, hypothesis, p, pair);
        if (before && chord((p - *before) * hypothesis.theta[pair]) <= allowed) continue;
        before = p;
        bits += bits_of(allowed);
    }
    return bits;
}

}  // namespace

double stepped_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit) {
    const bool sums = hypothesis.rounding.method == Rounding::Method::accumulated;
    if (!may_be_stepped(samples, sums ? 0 : -HUGE_VAL)) return HUGE_VAL;
    if (sums && limit <= 1 && !may_be_sums(samples, hypothesis)) return HUGE_VAL;
    double worst = 0;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        double least = HUGE_VAL;
        for (const int steps : {0, 1, -1})
            if (!(least <= 1))
                least =
                    std::min(least, stepped_misfit_of_pair(samples, hypothesis, limit, i, steps));
        worst = std::max(worst, least);
        if (!(worst <= limit)) return HUGE_VAL;
    }
    return worst;
}

double sample_distance(double modulus, double angle, double expected) {
    const double off = chord(angle - expected) * std::sqrt(modulus);
    return portable::hypot(modulus - 1, off);
}

double PositionMap::operator()(double m) const {
    switch (kind) {
        using Kind = PositionMap::Kind;
        case Kind::affine:
            return scale * m + offset;
        case Kind::constant:
            return offset;
        case Kind::clamp:
            return std::min(m, offset);
        case Kind::raised:
            return std::max(m, offset);
        case Kind::wrap:
            return std::fmod(m, offset);
        case Kind::run:
            return scale * std::floor(m / scale);
        case Kind::quotient:
            return std::floor(m / scale);
        case Kind::integer:
            return m - offset * std::floor((m - from) / offset);
        case Kind::switched:
            return m >= from ? scale * m + offset : m;
        case Kind::magnitude:
            return std::abs(m);
        case Kind::truncated:
            return std::trunc(m);
        case Kind::nearest:
            return std::nearbyint(m);
        case Kind::chunks:
            return m + offset * std::floor(m / scale);
    }
    return m;
}

double Hypothesis::given(const Samples& samples, std::size_t row, std::uint32_t pair) const {
    if (!places.empty())
        if (const auto other = places[axis[pair]].other_ids)
            return samples.other_ids[*other].positions[row];
    return samples.position(row, axis[pair]);
}

ExpectedAngles expected_angles(const Hypothesis& hypothesis, double m, std::uint32_t i) {
    const Rounding& r = hypothesis.rounding;
    const double theta = hypothesis.theta[i], p = hypothesis.map_of(i)(m);
    const Rounding exact{.table = r.table, .mode = r.mode};
    if (r == exact) return {{p * theta, 0, 0}, 1};
    const auto rounded = [&](Format format, double x) {
        return format == Format::float32 ? round_to(format, x) : round_to(format, x, r.mode);
    };
    ExpectedAngles angles{{}, 3};
    for (std::size_t k = 0; k < 3; ++k) {
        const double inv_freq =
            rounded(r.inv_freq, theta * (1 + (static_cast<double>(k) - 1) * 4 * 0x1p-24));
        const double position = rounded(r.position, p);
        angles.values[k] = rounded(r.product, round_to(Format::float32, inv_freq * position));
    }
    return angles;
}

double stored_tolerance(const Samples& samples, const Hypothesis& hypothesis) {
    return rounded_storage(samples, hypothesis.rounding, hypothesis.amplitude);
}

double sample_tolerance(const Samples& samples, const Hypothesis& hypothesis, double position,
                        std::uint32_t pair) {
    return angle_tolerance(samples, hypothesis, position, pair) +
           stored_tolerance(samples, hypothesis);
}

double pair_misfit(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                   double limit) {
    return worst_row(samples, limit, [&](std::size_t row) {
        return sample_misfit(samples, hypothesis, row, pair);
    });
}

double row_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit,
                  std::size_t row) {
    double worst = 0;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        const double one = sample_misfit(samples, hypothesis, row, i);
        if (!(one <= limit)) return one;
        worst = std::max(worst, one);
    }
    return worst;
}

double misfit(const Samples& samples, const Hypothesis& hypothesis, double limit) {
    if (hypothesis.rounding.method != Rounding::Method::product)
        return stepped_misfit(samples, hypothesis, limit);
    return worst_row(samples, limit,
                     [&](std::size_t row) { return row_misfit(samples, hypothesis, limit, row); });
}

bool fits_within(const Samples& samples, const Hypothesis& hypothesis, const Hypothesis& wider,
                 double times) {
    for (std::size_t row = 0; row < samples.rows(); ++row)
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const double m = hypothesis.given(samples, row, i);
            const double place = wider.map_of(i)(wider.given(samples, row, i));
            if (!(sample_error(samples, hypothesis, row, i, m) <=
                  times * sample_tolerance(samples, wider, place, i)))
                return false;
        }
    return true;
}

bool predicts_enough(const Samples& samples, const Hypothesis& own) {
    double bits = 0;
    for (std::uint32_t pair = samples.pairs; pair-- > 0 && bits < enough;)
        bits += bits_of_phases(samples, own, pair, enough - bits);
    return bits >= enough;
}

bool predicts_as_much(const Samples& samples, const Hypothesis& own, const Hypothesis& asked) {
    std::size_t predicted = 0, lost = 0;  // among the pairs with another frequency
    for (std::uint32_t pair = 0; pair < samples.pairs; ++pair) {
        const bool is_other = own.theta[pair] != asked.theta[pair];
        if (predicted_bits(samples, own, pair) >= enough) {
            if (is_other) ++predicted;
            continue;
        }
        if (predicted_bits(samples, asked, pair) < enough) continue;
        if (!is_other) return false;
        ++lost;
    }
    return lost == 0 || (predicted >= least_predicted && predicted >= lost);
}

}  // namespace rope
