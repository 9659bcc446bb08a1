#include "rope/diagnose/cleared/vector_scale.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/row_norm.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/number/format.hpp"

namespace rope {
namespace {

struct ScaledRow {
    double position, before, after;  // norms
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
          lanes_(dump.before.size() / dump.positions.size()),
          // of the vectors, of what multiplies them, and of the product
          tolerance_(4 * half_spacing(dump.format, 1)) {
        for (const std::size_t row : rows.diagnostic(rows.all(), {})) {
            const ScaledRow one = scaled_row(row);
            if (std::isfinite(one.scale()) && one.scale() > 0) sampled_.push_back(one);
        }
        std::ranges::stable_sort(sampled_, {}, &ScaledRow::position);
    }

    std::optional<VectorScale> scale() const {
        constexpr std::size_t least = 8;
        if (sampled_.size() < least || spread(sampled_, &ScaledRow::scale) < 8 * tolerance_)
            return std::nullopt;
        if (auto found = log_n()) return found;
        if (auto found = temperature()) return found;
        return norm();
    }

  private:
    using Rule = std::function<double(double position)>;

    ScaledRow scaled_row(std::size_t row) const {
        return {dump_.positions[row], norm_of(dump_.before, row, 0, lanes_),
                norm_of(dump_.after, row, 0, lanes_)};
    }

    bool is_by(const Rule& rule, const ScaledRow& row) const {
        return !std::isfinite(row.scale()) ||
               std::abs(row.scale() / rule(row.position) - 1) <= tolerance_;
    }

    // The sampled rows first: most rules end there.
    bool fits(const Rule& rule) const {
        if (!std::ranges::all_of(sampled_, [&](const ScaledRow& row) { return is_by(rule, row); }))
            return false;
        for (std::size_t row = 0; row < dump_.positions.size(); ++row)
            if (!is_by(rule, scaled_row(row))) return false;
        return true;
    }

    VectorScale by(const Rule& rule, NamedMistake mistake) const {
        auto of_row = std::make_shared<std::vector<double>>();
        of_row->reserve(dump_.positions.size());
        for (const double m : dump_.positions) of_row->push_back(rule(m));
        return {std::move(mistake), std::move(of_row)};
    }

    // From `low` to `high`: the Spec's own, powers of two, and the greatest whole one.
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

    // ρ = ln(m + 1)/ln n, so that n = (m + 1)^(1/ρ); an error of ρ is ln n times one of n.
    std::optional<VectorScale> log_n() const {
        const ScaledRow& last = sampled_.back();
        const double of_length = portable::log(last.position + 1) / last.scale();
        if (!(of_length > 1)) return std::nullopt;
        const double measured = portable::exp(of_length), share = 2 * of_length * tolerance_;
        for (const double length : lengths(measured * (1 - share), measured * (1 + share)))
            if (auto found = log_n(length)) return found;
        return log_n(std::nearbyint(measured));
    }

    std::optional<VectorScale> log_n(double length) const {
        const double per_log = 1 / portable::log(length);
        const Rule rule = [=](double m) {
            return m + 1 > length ? portable::log(m + 1) * per_log : 1;
        };
        if (!fits(rule)) return std::nullopt;
        const auto n = static_cast<std::uint64_t>(length);
        return by(rule, {"vector-scale",
                         {{"rule", std::string("log-n")}, {"length", n}},
                         "vectors are multiplied by the logarithm of m + 1 to the base " +
                             decimal(n) + " from position " + decimal(n) + " on"});
    }

    // The least position whose vectors are scaled, and the greatest below it.
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

    std::optional<VectorScale> temperature() const {
        const auto step = first_step();
        if (!step || !(step->second >= 1)) return std::nullopt;
        for (const int counted_from : {0, 1})
            for (const double length : lengths(std::nextafter(step->first + counted_from, INFINITY),
                                               step->second + counted_from))
                if (auto found = temperature(length, counted_from)) return found;
        return std::nullopt;
    }

    // β by the last row. One step alone would be any factor from some position on, but for β = 0.1.
    std::optional<VectorScale> temperature(double length, int counted_from) const {
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
        return by(rule, {"vector-scale",
                         {{"rule", std::string("temperature")}, {"beta", beta}, {"length", n}},
                         "vectors are multiplied by 1 + " + decimal(beta) + "·ln(1 + ⌊" +
                             (counted_from == 0 ? "m/" : "(m + 1)/") + decimal(n) + "⌋)"});
    }

    std::optional<VectorScale> norm() const {
        constexpr double eps = 0x1p-10;  // beside the mean of squares, as implementations add it
        const double kept = spread(sampled_, &ScaledRow::after);
        if (kept > std::max(eps, tolerance_) ||
            spread(sampled_, &ScaledRow::before) < 32 * std::max(kept, tolerance_))
            return std::nullopt;
        auto of_row = std::make_shared<std::vector<double>>();
        for (std::size_t row = 0; row < dump_.positions.size(); ++row)
            of_row->push_back(scaled_row(row).scale());
        const double size = sampled_.front().after / std::sqrt(static_cast<double>(lanes_));
        const double rounded = few_digits(size, std::max(eps, tolerance_));
        return VectorScale{{"vector-scale",
                            {{"rule", std::string("norm")}, {"root_mean_square", rounded}},
                            "each vector is normalised to a root mean square of " +
                                decimal(rounded) + " beside the rotation"},
                           std::move(of_row)};
    }

    const Spec& asked_;
    const RotatedDump& dump_;
    std::size_t lanes_;
    double tolerance_;
    std::vector<ScaledRow> sampled_;  // by position
};

}  // namespace

std::optional<VectorScale> vector_scale(const Spec& asked, const RotatedDump& dump,
                                        const RowGroups& rows) {
    return ScaledVectors(asked, dump, rows).scale();
}

}  // namespace rope
