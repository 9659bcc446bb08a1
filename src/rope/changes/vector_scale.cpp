
#include "base/decimal.hpp"
#include "rope/changes/cleared.hpp"
#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/exact/big_real.hpp"
#include "rope/exact/format.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope {
namespace {

// ln ζ_i = high + low, where high·(m/512) is exact.
struct LogScale {
    double high, low;

    double times(double exponent) const {
        return portable::exp(exponent * high) * portable::exp(exponent * low);
    }
};

std::vector<LogScale> log_scales(std::uint32_t rotary_dim) {
    std::vector<LogScale> all;
    for (std::uint32_t dimension = 0; dimension < rotary_dim; dimension += 2) {
        const double d = rotary_dim;
        const BigReal exact = natural_log(real(5.0 * dimension + 2 * d) / (7 * d));
        const double high = static_cast<float>(exact.to_double());
        all.push_back({high, (exact - high).to_double()});
    }
    return all;
}

// Throws InputError if the scale is so large or small that numbers near 1 lose bits.
void require_range(const RotatedDump& dump, double position, double log_scale) {
    const double most = dump.format == Format::float16 ? 6 : 64;  // half of float32's exponents
    if (std::abs(log_scale) > most)
        throw InputError("--after xpos",
                         ": at position " + decimal(position) + " vectors are multiplied by e^" +
                             decimal(std::round(log_scale)) + ", beyond what " +
                             std::string(to_string(dump.format)) +
                             " keeps exact; give fewer positions, or the centre that was used");
}

// A pair of a row: the position, ln ζ_i and ln(|y|/|x|).
struct ScaledPair {
    double position, zeta, ratio;
};

// Empty if a pair is zero only before or only after the rotation.
std::vector<ScaledPair> scaled_pairs(const Undoing& of) {
    const std::vector<LogScale> logs = log_scales(of.asked.rotary_dim);
    std::vector<ScaledPair> all;
    for (const SampledVector& one : of.sampled)
        for (std::size_t i = 0; i < of.asked.pairs(); ++i) {
            const double x = norm_at(one.before, dimensions_of_pair(of.asked, i));
            const double y = norm_at(one.after, written_dimensions_of_pair(of.asked, i));
            if (x == 0 && y == 0) continue;
            if (!(x > 0 && y > 0)) return {};
            all.push_back({of.vectors().positions[one.row], logs[i].high + logs[i].low,
                           portable::log(y / x)});
        }
    return all;
}

// Fits ln(|y|/|x|) = ln ζ_i·(a·m + b) by least squares; a is negative for k. s = 1/|a| becomes the
// usual s if within 2 %, and c = −b/a is rounded to a half. A scale that is the same at all
// positions is not xPos.
std::optional<std::pair<Xpos, XposSide>> fitted_xpos(const std::vector<ScaledPair>& pairs,
                                                     double allowed) {
    LineSums sums;
    double weights = 0, exponents = 0;
    for (const auto& [position, zeta, ratio] : pairs) {
        sums.add(position, ratio / zeta, zeta * zeta);
        weights += zeta * zeta;
        exponents += zeta * ratio;
    }
    const double a = sums.slope(), b = sums.offset(a);
    if (!(std::abs(a) > 1e-6 && std::abs(a) < 1)) return std::nullopt;
    const double base = 1 / std::abs(a), usual = Xpos().base, sign = a > 0 ? 1 : -1;
    const Xpos xpos{std::abs(usual / base - 1) < 0.02 ? usual : few_digits(base, 1e-3),
                    std::round(-2 * b / a) / 2 + 0.0};
    const auto fits = [&](const auto& exponent) {
        return std::ranges::all_of(pairs, [&](const ScaledPair& one) {
            return std::abs(one.ratio - one.zeta * exponent(one.position)) <= allowed;
        });
    };
    if (fits([&](double) { return 0; }) || fits([&](double) { return exponents / weights; }) ||
        !fits([&](double m) { return sign * (m - xpos.centre) / xpos.base; }))
        return std::nullopt;
    return std::pair(xpos, a > 0 ? XposSide::query : XposSide::key);
}

// A factor by which attention multiplies scores, or part of it q.
struct SoftmaxScale {
    double value;
    std::string formula;
};

std::vector<SoftmaxScale> softmax_scales(const Spec& spec) {
    constexpr double log2_e = 1.4426950408889634;
    const double d = spec.head_dim, root = std::sqrt(d);
    const std::string of = decimal(d);
    std::vector<SoftmaxScale> all{{1 / root, "1/√" + of},
                                  {log2_e / root, "log₂e/√" + of},
                                  {1 / std::sqrt(root), of + "^(−1/4)"}};
    const double factor = spec.scaling.factor.value_or(1);
    if (spec.scaling.rope_type != "yarn" || !(factor > 1)) return all;
    const double mscale = 0.1 * portable::log(factor) + 1;
    all.push_back({mscale * mscale, "(0.1·ln " + decimal(factor) + " + 1)²"});
    all.push_back({mscale * mscale / root, all.back().formula + "/√" + of});
    return all;
}

struct ScaledRow {
    double position, before, after;  // before, after: norms
    double scale() const { return after / before; }
};

// max/min − 1
template <class Of>
double spread(const std::vector<ScaledRow>& rows, Of of) {
    const auto [low, high] = std::ranges::minmax(rows, {}, of);
    return std::invoke(of, high) / std::invoke(of, low) - 1;
}

class ScaledVectors {
  public:
    ScaledVectors(const Spec& asked, const RotatedDump& dump, const RowGroups& rows)
        : asked_(asked),
          dump_(dump),
          dimensions_(dump.before.size() / dump.positions.size()),
          // roundings of the vectors, the scale and their product; cos and sin of vectors in
          // float64 may be in float32
          tolerance_(4 * std::max(half_spacing(dump.format, 1), half_spacing(Format::float32, 1))) {
        for (const std::size_t row : rows.diagnostic(rows.all(), {})) {
            const ScaledRow one = scaled_row(row);
            if (std::isfinite(one.scale()) && one.scale() > 0) sampled_.push_back(one);
        }
        std::ranges::stable_sort(sampled_, {}, &ScaledRow::position);
    }

    std::optional<Cleared> scale() const {
        constexpr std::size_t least = 8;
        if (sampled_.size() < least) return std::nullopt;
        if (auto found = constant()) return found;
        if (spread(sampled_, &ScaledRow::scale) < 8 * tolerance_) return std::nullopt;
        if (auto found = log_n()) return found;
        if (auto found = temperature()) return found;
        return norm();
    }

  private:
    using Rule = std::function<double(double position)>;

    ScaledRow scaled_row(std::size_t row) const {
        return {dump_.positions[row], norm_of(dump_.before, row, 0, dimensions_),
                norm_of(dump_.after, row, 0, dimensions_)};
    }

    bool is_by(const Rule& rule, const ScaledRow& row) const {
        return !std::isfinite(row.scale()) ||
               std::abs(row.scale() / rule(row.position) - 1) <= tolerance_;
    }

    // The sample comes first: most rules fail there.
    bool fits(const Rule& rule) const {
        if (!std::ranges::all_of(sampled_, [&](const ScaledRow& row) { return is_by(rule, row); }))
            return false;
        for (std::size_t row = 0; row < dump_.positions.size(); ++row)
            if (!is_by(rule, scaled_row(row))) return false;
        return true;
    }

    Cleared by(const Rule& rule, NamedMistake mistake) const {
        std::vector<double> of_row;
        for (const double m : dump_.positions) of_row.push_back(rule(m));
        return by_rows(std::move(of_row), std::move(mistake));
    }

    Cleared by_rows(std::vector<double> scales, NamedMistake mistake) const {
        RotatedDump unscaled = dump_;
        unscaled.after = unscaled.after.divided_by(
            std::make_shared<const std::vector<double>>(std::move(scales)));
        unscaled.scale_rounding += 4 * half_spacing(dump_.format, 1);
        // the product, the factor and the quotient are each rounded
        return {std::move(mistake), std::move(unscaled), 4};
    }

    // The lengths in [low, high] to try: the Spec's, powers of two, and the largest whole number.
    std::vector<double> lengths(double low, double high) const {
        std::vector<double> all;
        const auto add = [&](double length) {
            if (length >= std::max(low, 2.0) && length <= high) all.push_back(length);
        };
        add(static_cast<double>(asked_.scaling.original_max_position_embeddings.value_or(0)));
        add(static_cast<double>(asked_.max_position_embeddings));
        for (int exponent = 1; exponent < 32; ++exponent) add(std::ldexp(1, exponent));
        add(std::floor(high));
        return all;
    }

    // A factor of the dimensions that do not rotate, which a factor of cos and sin leaves as they
    // are.
    std::optional<Cleared> constant() const {
        const std::vector<std::size_t> rest = passed_dimensions(asked_);
        double before = 0, after = 0;
        for (std::size_t row = 0; row < dump_.positions.size(); ++row)
            for (const std::size_t dimension : rest) {
                const double x = dump_.before.at(row, dimension),
                             y = dump_.after.at(row, dimension);
                before += x * x;
                after += y * y;
            }
        const double mean = std::sqrt(after / before);
        if (!(mean > 0) || std::abs(mean - 1) < 8 * tolerance_) return std::nullopt;
        double own = few_digits(mean, tolerance_ * mean / 32);
        for (const SoftmaxScale& one : softmax_scales(asked_))
            if (std::abs(mean / one.value - 1) <= tolerance_) own = one.value;
        for (std::size_t row = 0; row < dump_.positions.size(); ++row)
            for (const std::size_t dimension : rest) {
                const double want = own * dump_.before.at(row, dimension);
                if (!(std::abs(dump_.after.at(row, dimension) - want) <=
                      tolerance_ * std::abs(want)))
                    return std::nullopt;
            }
        return by([=](double) { return own; }, named_amplitude(own, 1, asked_, tolerance_));
    }

    // ρ = ln(m + 1)/ln n, so n = (m + 1)^(1/ρ); a relative error of ρ is ln n times as large in n.
    std::optional<Cleared> log_n() const {
        const ScaledRow& last = sampled_.back();
        const double of_length = portable::log(last.position + 1) / last.scale();
        if (!(of_length > 1)) return std::nullopt;
        const double measured = portable::exp(of_length), share = 2 * of_length * tolerance_;
        for (const double length : lengths(measured * (1 - share), measured * (1 + share)))
            if (auto found = log_n(length)) return found;
        return log_n(std::nearbyint(measured));
    }

    std::optional<Cleared> log_n(double length) const {
        const double per_log = 1 / portable::log(length);
        const Rule rule = [=](double m) {
            return m + 1 > length ? portable::log(m + 1) * per_log : 1;
        };
        if (!fits(rule)) return std::nullopt;
        const auto n = static_cast<std::uint64_t>(length);
        return by(rule, named("vector-scale", {{"rule", "log-n"}, {"length", n}}));
    }

    // Returns the last position whose vectors are not scaled and the first whose vectors are.
    std::optional<std::pair<double, double>> first_step() const {
        std::vector<std::size_t> by_position;
        for (std::size_t row = 0; row < dump_.positions.size(); ++row) by_position.push_back(row);
        std::ranges::sort(by_position, {}, [&](std::size_t row) { return dump_.positions[row]; });
        const auto is_plain = [&](std::size_t row) {
            const double scale = scaled_row(row).scale();
            return !std::isfinite(scale) || std::abs(scale - 1) <= tolerance_;
        };
        const auto first = std::ranges::partition_point(by_position, is_plain);
        if (first == by_position.begin() || first == by_position.end()) return std::nullopt;
        return std::pair{dump_.positions[*(first - 1)], dump_.positions[*first]};
    }

    std::optional<Cleared> temperature() const {
        const auto step = first_step();
        if (!step || !(step->second >= 1)) return std::nullopt;
        for (const int counted_from : {0, 1})
            for (const double length : lengths(std::nextafter(step->first + counted_from, INFINITY),
                                               step->second + counted_from))
                if (auto found = temperature(length, counted_from)) return found;
        return std::nullopt;
    }

    // β comes from the last row. One step fits any factor, so there only β = 0.1 is accepted.
    std::optional<Cleared> temperature(double length, int counted_from) const {
        const auto logarithm = [=](double m) {
            return portable::log(1 + std::floor((m + counted_from) / length));
        };
        const ScaledRow& last = sampled_.back();
        const double measured = (last.scale() - 1) / logarithm(last.position);
        if (!(measured > 0)) return std::nullopt;
        const double beta = few_digits(measured, 4 * tolerance_ / measured);
        if (beta != 0.1 && last.position + counted_from < 2 * length) return std::nullopt;
        const Rule rule = [=](double m) { return 1 + beta * logarithm(m); };
        if (!fits(rule)) return std::nullopt;
        const auto n = static_cast<std::uint64_t>(length);
        return by(rule,
                  named("vector-scale", {{"rule", "temperature"}, {"beta", beta}, {"length", n}},
                        {{"m", counted_from == 0 ? "m" : "(m + 1)"}}));
    }

    std::optional<Cleared> norm() const {
        constexpr double eps = 0x1p-10;  // effect of an eps in the mean of squares
        const double kept = spread(sampled_, &ScaledRow::after);
        if (kept > std::max(eps, 2 * tolerance_) ||  // the largest and the smallest are rounded
            spread(sampled_, &ScaledRow::before) < 32 * std::max(kept, tolerance_))
            return std::nullopt;
        std::vector<double> of_row;
        for (std::size_t row = 0; row < dump_.positions.size(); ++row)
            of_row.push_back(scaled_row(row).scale());
        const double size = sampled_.front().after / std::sqrt(static_cast<double>(dimensions_));
        const double rounded = few_digits(size, std::max(eps, tolerance_));
        return by_rows(std::move(of_row),
                       named("vector-scale", {{"rule", "norm"}, {"root_mean_square", rounded}}));
    }

    const Spec& asked_;
    const RotatedDump& dump_;
    std::size_t dimensions_;
    double tolerance_;
    std::vector<ScaledRow> sampled_;  // sorted by position
};

}  // namespace

// Errors: 3·2⁻²⁴ of ζ in float32, |exponent| times in its power; 4·2⁻²⁴ of the power and its
// products with cos and sin.
RotatedDump without_xpos(const Spec& spec, RotatedDump dump, const Xpos& xpos, XposSide side) {
    if (!dump.more_positions.empty() || spec.axes.scheme != AxisScheme::single)
        throw InputError("--after xpos", ": positions have several axes; xPos has one");
    const std::vector<LogScale> logs = log_scales(spec.rotary_dim);
    const std::uint64_t dimensions = spec.head_dim;
    double farthest = 0;
    std::vector<double> values(dump.positions.size() * dimensions);
    for (std::size_t row = 0; row < dump.positions.size(); ++row) {
        double* to = values.data() + row * dimensions;
        dump.after.read(row, 0, dimensions, to);
        const double sign = side == XposSide::query ? 1 : -1;
        const double exponent = sign * (dump.positions[row] - xpos.centre) / xpos.base;
        farthest = std::max(farthest, std::abs(exponent));
        require_range(dump, dump.positions[row], exponent * logs.front().high);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [first, second] = written_dimensions_of_pair(spec, i);
            const double scale = logs[i].times(exponent);
            to[first] /= scale;
            to[second] /= scale;
        }
    }
    dump.scale_rounding = (3 * farthest + 4) * 0x1p-24;
    dump.after = StridedRows(std::move(values), dimensions);
    return dump;
}

std::optional<Cleared> cleared_of_xpos(const Undoing& of) {
    const RotatedDump& dump = of.vectors();
    if (!dump.more_positions.empty() || of.asked.pairs() < 4) return std::nullopt;
    const auto found = fitted_xpos(scaled_pairs(of), 16 * half_spacing(dump.format, 1));
    if (!found) return std::nullopt;
    const auto& [xpos, side] = *found;
    try {
        return Cleared{named("vector-scale", {{"rule", "xpos"},
                                              {"side", side == XposSide::query ? "query" : "key"},
                                              {"base", xpos.base},
                                              {"centre", xpos.centre}}),
                       without_xpos(of.asked, dump, xpos, side), 4};
    } catch (const InputError&) {  // beyond the range of the dump's format
        return std::nullopt;
    }
}

NamedMistake named_amplitude(double own, double asked, const Spec& spec,
                             const std::optional<double>& of_vectors) {
    if (of_vectors)
        for (const SoftmaxScale& one : softmax_scales(spec))
            if (std::abs(own / asked - one.value) <= std::max(0x1p-18, *of_vectors) * one.value)
                return named("vector-scale",
                             {{"rule", "softmax"}, {"scale", few_digits(own, 1e-6)}},
                             {{"formula", one.formula}});
    return named("attention-factor", {parameter(&Scaling::attention_factor, own)},
                 {{"asked", few_digits(asked, 1e-9)}});
}

std::optional<Cleared> cleared_of_scale(const Spec& asked, const RotatedDump& dump) {
    return ScaledVectors(asked, dump, RowGroups(dump)).scale();
}

}  // namespace rope
