#include "rope/comparison/logit_error.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "rope/comparison/sample.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

constexpr std::uint64_t queries_tried = 4096;

// √(Σ 2|Δ_i|²)
double rms(const std::vector<Complex>& errors) {
    double sum = 0;
    for (const Complex& error : errors) sum += 2 * std::norm(error);
    return std::sqrt(sum);
}

class Logits {
  public:
    Logits(const Comparison& comparison, const std::vector<double>& suspects)
        : comparison_(comparison),
          suspects_(suspects),
          rows_(comparison),
          truth_(comparison.rates) {}

    double spread() const {
        const double a = comparison_.plan.attention_factor;
        return std::sqrt(comparison_.spec.rotary_dim * a * a * a * a +
                         static_cast<double>(passed_lanes(comparison_.spec).size()));
    }

    // Δ of every pair for the worst query so far from its key; none where no two rows are so far
    // apart.
    std::optional<std::vector<Complex>> errors_at(std::uint64_t distance) {
        std::optional<std::vector<Complex>> worst;
        const std::vector<Complex> right = turned(distance);
        for (const auto& [query_at, key_at] : positions_apart(distance)) {
            const PositionRows::Rows query = rows_.at(query_at), key = rows_.at(key_at);
            for (const Sample::Row* q : rows_of(query))
                for (const Sample::Row* k : rows_of(key)) {
                    auto errors = errors_of(*q, *k, right);
                    if (!worst || !(rms(errors) <= rms(*worst))) worst = std::move(errors);
                }
        }
        return worst;
    }

    std::optional<double> rms_at(std::uint64_t distance) {
        const auto errors = errors_at(distance);
        if (!errors) return std::nullopt;
        return rms(*errors);
    }

    // e^{isθ} of every pair.
    std::vector<Complex> turned(std::uint64_t distance) const {
        std::vector<double> c(comparison_.spec.pairs()), s(c.size());
        truth_.fill({&distance, 1}, c.data(), s.data());
        std::vector<Complex> turned;
        turned.reserve(c.size());
        for (std::size_t i = 0; i < c.size(); ++i) turned.emplace_back(c[i], s[i]);
        return turned;
    }

  private:
    static std::vector<const Sample::Row*> rows_of(const PositionRows::Rows& rows) {
        if (!rows.best) return {&rows.worst};
        return {&rows.worst, &*rows.best};
    }

    using Positions = std::pair<double, double>;  // of a query and of its key

    std::vector<Positions> positions_apart(std::uint64_t distance) const {
        const RowSource& subject = comparison_.subject;
        const auto apart = static_cast<double>(distance);
        std::vector<Positions> found;
        const auto add = [&](double position) {
            const bool has_both = rows_.has(position) && rows_.has(position - apart);
            if (has_both) found.emplace_back(position, position - apart);
            return has_both;
        };
        const std::uint64_t most = std::min(subject.rows(), queries_tried);
        for (std::uint64_t back = 1; back <= most; ++back)
            if (add(subject.position_of(subject.rows() - back, 0))) break;
        for (const double suspect : suspects_) {
            add(suspect);
            add(suspect + apart);
        }
        return found;
    }

    // A pair that a row leaves out is taken to be right, e^{isθ}.
    std::vector<Complex> errors_of(const Sample::Row& q, const Sample::Row& k,
                                   const std::vector<Complex>& right) const {
        const double a = comparison_.plan.attention_factor;
        std::vector<Complex> errors(right.size());
        for (std::size_t i = 0; i < errors.size(); ++i) {
            if (is_left_out(q, i) || is_left_out(k, i)) continue;
            const Complex query(q.cos[i], q.sin[i]), key(k.cos[i], k.sin[i]);
            errors[i] = std::conj(query) * key - a * a * std::conj(right[i]);
        }
        return errors;
    }
    static bool is_left_out(const Sample::Row& row, std::size_t i) {
        return !row.left_out.empty() && row.left_out[i] != 0;
    }

    const Comparison& comparison_;
    const std::vector<double>& suspects_;
    PositionRows rows_;
    ExactRows truth_;
};

std::uint64_t largest_distance(const RowSource& subject) {
    const std::span<const double> positions = subject.positions(0);
    if (positions.empty()) return subject.rows() - 1;
    const auto [least, most] = std::ranges::minmax(positions);
    return static_cast<std::uint64_t>(most - least);
}

std::optional<std::uint64_t> first_beyond(Logits& logits, double limit, std::uint64_t last) {
    const auto is_beyond = [&](std::uint64_t distance) {
        const auto rms = logits.rms_at(distance);
        return rms && !(*rms <= limit);
    };
    std::uint64_t before = 0;
    for (double step = 0;; ++step) {
        const auto distance = std::min(last, static_cast<std::uint64_t>(std::exp2(step / 8)));
        if (is_beyond(distance)) {
            std::uint64_t first = distance;
            while (first - before > 1) {
                const std::uint64_t middle = before + (first - before) / 2;
                (is_beyond(middle) ? first : before) = middle;
            }
            return first;
        }
        if (distance == last) return std::nullopt;
        before = distance;
    }
}

}  // namespace

std::optional<LogitErrors> logit_errors(const Comparison& comparison,
                                        const std::vector<double>& suspects) {
    const RowSource& subject = comparison.subject;
    if (subject.has_several_axes() || subject.rows() < 2) return std::nullopt;
    const std::uint64_t last = largest_distance(subject);
    if (last == 0) return std::nullopt;
    Logits logits(comparison, suspects);
    LogitErrors all{.spread = logits.spread()};
    for (const std::uint64_t distance : {1U, 128U, 4096U, 32768U})
        if (distance < last) all.at.push_back({distance, logits.rms_at(distance)});
    const auto errors = logits.errors_at(last);
    if (!errors) return std::nullopt;  // they are no whole number apart
    all.at.push_back({last, rms(*errors)});
    all.matters_from = first_beyond(logits, all.spread / 10, last);

    const auto worst = std::ranges::max_element(*errors, {}, [](const Complex& error) {
        return std::isfinite(std::norm(error)) ? std::norm(error) : -1;
    });
    all.worst_pair = static_cast<std::uint32_t>(worst - errors->begin());
    const double a = comparison.plan.attention_factor;
    const double theta = comparison.plan.pairs[all.worst_pair].inv_freq.to_double();
    const Complex right = a * a * std::conj(logits.turned(last)[all.worst_pair]);
    // no quotient: a library's complex division has other bits on other processors
    const Complex turned = (*worst + right) * std::conj(right);
    if (theta > 0 && std::isfinite(std::norm(*worst)))
        all.tokens_off = std::abs(portable::atan2(turned.imag(), turned.real())) / theta;
    return all;
}

}  // namespace rope
