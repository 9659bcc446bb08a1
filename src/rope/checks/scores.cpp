#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

#include "base/decimal.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/checks/sample.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/spec/dimensions.hpp"

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

    // Returns Δ of every pair for the worst query and key at this distance, or nothing if no two
    // rows have this distance.
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

    // Returns e^{isθ} of every pair.
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

    using Positions = std::pair<double, double>;  // of a query and its key

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

    // An undetermined pair counts as exact.
    std::vector<Complex> errors_of(const Sample::Row& q, const Sample::Row& k,
                                   const std::vector<Complex>& right) const {
        const double a = comparison_.plan.attention_factor;
        std::vector<Complex> errors(right.size());
        for (std::size_t i = 0; i < errors.size(); ++i) {
            if (q.is_left_out(i) || k.is_left_out(i)) continue;
            const Complex query(q.cos[i], q.sin[i]), key(k.cos[i], k.sin[i]);
            errors[i] = std::conj(query) * key - a * a * std::conj(right[i]);
        }
        return errors;
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

// Stored pair by pair, so that one loop computes a query's scores with all keys.
struct SampledRows {
    std::vector<double> positions;
    Sample::Row truth, own;
    std::vector<double> tolerance;  // ε
};

// An undetermined pair gets the exact values, because the subject's fitted frequencies may exceed
// the tolerance.
void fill_row(SampledRows& rows, std::size_t r, const Comparison& comparison,
              const Sample::Row& own, RealRows& exact) {
    const std::uint32_t pairs = comparison.spec.pairs();
    const double position = rows.positions[r], amplitude = comparison.plan.attention_factor;
    std::vector<double> cos(pairs), sin(pairs);
    exact.fill({&position, 1}, cos.data(), sin.data());
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const std::size_t k = i * rows.positions.size() + r;
        const bool left_out = own.is_left_out(i);
        rows.truth.cos[k] = cos[i];
        rows.truth.sin[k] = sin[i];
        rows.own.cos[k] = left_out ? amplitude * cos[i] : own.cos[i];
        rows.own.sin[k] = left_out ? amplitude * sin[i] : own.sin[i];
        rows.tolerance[k] = comparison.tolerance(position, i);
    }
}

SampledRows sampled_rows(const Comparison& comparison, const Sample& sample) {
    SampledRows rows{sample.positions, {}, {}, {}};
    std::vector<const Sample::Row*> values;
    for (const double position : sample.positions) values.push_back(sample.row(position));
    const auto add = [&](double position, const Sample::Row* row) {
        rows.positions.push_back(position);
        values.push_back(row);
    };
    // not counted as samples, because their number depends on the faults
    for (const double position : sample.suspects) add(position, sample.row(position));
    for (const auto& [position, row] : sample.best_rows) add(position, &row);
    for (auto* one :
         {&rows.truth.cos, &rows.truth.sin, &rows.own.cos, &rows.own.sin, &rows.tolerance})
        one->resize(comparison.spec.pairs() * rows.positions.size());
    RealRows exact(comparison.plan.pairs, comparison.rates);
    for (std::size_t r = 0; r < rows.positions.size(); ++r)
        fill_row(rows, r, comparison, *values[r], exact);
    return rows;
}

// Adds one query's scores with all keys, in the order and with the roundings of score().
void add_scores(const PairProducts& products, const Sample::Row& rows, std::size_t query,
                std::span<double> scores) {
    for (std::size_t i = 0; i < products.dot.size(); ++i) {
        const double* cos = &rows.cos[i * scores.size()];
        const double* sin = &rows.sin[i * scores.size()];
        const double query_cos = cos[query], query_sin = sin[query];
        const double dot = products.dot[i], cross = products.cross[i];
        for (std::size_t key = 0; key < scores.size(); ++key) {
            const double c = query_cos * cos[key] + query_sin * sin[key];
            const double s = query_cos * sin[key] - query_sin * cos[key];
            scores[key] += dot * c - cross * s;
        }
    }
}

// Adds norm·Σ|q_i||k_i|(ε_m + ε_n + ε_m·ε_n) for all keys.
void add_tolerances(const PairProducts& products, double norm, const SampledRows& rows,
                    std::size_t query, std::span<double> allowed) {
    for (std::size_t i = 0; i < products.size.size(); ++i) {
        const double* tolerance = &rows.tolerance[i * allowed.size()];
        const double size = norm * products.size[i], em = tolerance[query];
        for (std::size_t key = 0; key < allowed.size(); ++key) {
            const double en = tolerance[key];
            allowed[key] += size * (em + en + em * en);
        }
    }
}

// Returns whether at least three quarters of |ẑ| are within a tenth of their median. Rows solved
// from vectors that rotate in other pairs are not, and no model has their scores.
bool rotate_pairs(const SampledRows& rows) {
    std::vector<double> norms;
    for (std::size_t k = 0; k < rows.own.cos.size(); ++k)
        norms.push_back(std::hypot(rows.own.cos[k], rows.own.sin[k]));
    std::erase_if(norms, [](double norm) { return std::isnan(norm); });
    if (norms.empty()) return true;
    const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
    std::ranges::nth_element(norms, middle);
    const double median = *middle;
    const auto far = std::ranges::count_if(
        norms, [&](double norm) { return !(std::abs(norm - median) <= median / 10); });
    return far <= std::ssize(norms) / 4;
}

}  // namespace

void report_logits(const Comparison& comparison, const std::vector<double>& suspects,
                   Finding& finding) {
    const RowSource& subject = comparison.subject;
    if (subject.has_several_axes() || subject.rows() < 2) return;
    const std::uint64_t last = largest_distance(subject);
    if (last == 0) return;
    Logits logits(comparison, suspects);
    const auto errors = logits.errors_at(last);
    if (!errors) return;  // their distance is not an integer
    const auto add = [&](std::string name, const auto& value,
                         std::optional<std::uint64_t> distance = {}) {
        finding.fields.push_back({std::move(name), value ? FieldValue(*value) : FieldValue(),
                                  FieldRole::place, "", distance});
    };
    const double a = comparison.plan.attention_factor, spread = normal_spread(comparison.spec, a);
    add("logit_standard_deviation", std::optional(spread));
    for (const std::uint64_t distance : {1U, 128U, 4096U, 32768U})
        if (distance < last)
            add("logit_error_at_" + decimal(distance), logits.rms_at(distance), distance);
    add("logit_error_at_" + decimal(last), std::optional(rms(*errors)), last);
    add("logit_error_matters_from", first_beyond(logits, spread / 10, last));

    const auto worst = std::ranges::max_element(*errors, {}, [](const Complex& error) {
        return std::isfinite(std::norm(error)) ? std::norm(error) : -1;
    });
    const auto pair = static_cast<std::uint64_t>(worst - errors->begin());
    const double theta = comparison.plan.pairs[pair].inv_freq.to_double();
    const Complex right = a * a * std::conj(logits.turned(last)[pair]);
    // avoids std::complex division, whose bits differ between processors
    const Complex turned = (*worst + right) * std::conj(right);
    double tokens_off = 0;
    if (theta > 0 && std::isfinite(std::norm(*worst)))
        tokens_off = std::abs(portable::atan2(turned.imag(), turned.real())) / theta;
    add("tokens_off", std::optional(tokens_off));
    add("tokens_off_pair", std::optional(pair));
}

// ⟨R(m)q, R(n)k⟩ compared with the exact score, q ≠ k, with the key on either side of the query.
// With an error of each row of at most aε: |error| ≤ a²Σ|q_i||k_i|(ε_m + ε_n + ε_m·ε_n).

double normal_spread(const Spec& spec, double a) {
    return std::sqrt(spec.rotary_dim * a * a * a * a +
                     static_cast<double>(passed_dimensions(spec).size()));
}

PairProducts pair_products(const Spec& spec, const QueryAndKey& vectors) {
    PairProducts products;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const auto [x, y] = dimensions_of_pair(spec, i);
        const double q1 = vectors.q[x], q2 = vectors.q[y], k1 = vectors.k[x], k2 = vectors.k[y];
        products.dot.push_back(q1 * k1 + q2 * k2);
        products.cross.push_back(q1 * k2 - q2 * k1);
        products.size.push_back(std::sqrt((q1 * q1 + q2 * q2) * (k1 * k1 + k2 * k2)));
    }
    for (const std::size_t dimension : passed_dimensions(spec))
        products.pass_through += vectors.q[dimension] * vectors.k[dimension];
    return products;
}

double score(const PairProducts& products, const Sample::Row& query, const Sample::Row& key) {
    double sum = products.pass_through;
    for (std::size_t i = 0; i < products.dot.size(); ++i) {
        const double c = query.cos[i] * key.cos[i] + query.sin[i] * key.sin[i];
        const double s = query.cos[i] * key.sin[i] - query.sin[i] * key.cos[i];
        sum += products.dot[i] * c - products.cross[i] * s;
    }
    return sum;
}

void check_score_accuracy(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const PairProducts products = pair_products(comparison.spec, sample);
    const double norm = comparison.plan.attention_factor * comparison.plan.attention_factor;
    const double pass_through = products.pass_through;
    const SampledRows rows = sampled_rows(comparison, sample);
    const Dump* const dump = comparison.subject.dumped();
    const bool is_of_vectors = dump != nullptr && std::holds_alternative<RotatedDump>(*dump);
    if (is_of_vectors && !rotate_pairs(rows)) {
        finding.note = "the vectors do not rotate in the config's pairs";
        return;
    }
    const std::size_t count = rows.positions.size();

    WorstCase worst_case;
    worst_case.add_samples(sample.positions.size() * sample.positions.size());
    std::vector<double> own(count), truth(count), allowed(count);
    for (std::size_t query = 0; query < count; ++query) {
        for (auto* scores : {&own, &truth}) scores->assign(count, pass_through);
        allowed.assign(count, std::abs(pass_through) * 0x1p-48);
        add_scores(products, rows.own, query, own);
        add_scores(products, rows.truth, query, truth);
        add_tolerances(products, norm, rows, query, allowed);
        for (std::size_t key = 0; key < count; ++key) {
            const double want = norm * (truth[key] - pass_through) + pass_through;
            worst_case.add(std::abs(own[key] - want), allowed[key], [&] {
                return Witness{
                    {rows.positions[query], rows.positions[key]}, std::nullopt, own[key], want};
            });
        }
    }
    worst_case.report_to(finding);
    report_logits(comparison, sample.suspects, finding);
}

// (c1) of He & Xu: ⟨R(m)q, R(m)k⟩ = a²⟨q, k⟩. Both rotate by the same angle, so only the norms of
// rows matter: |error| ≤ a²(2ε + ε²)·Σ|q_i||k_i| over pairs, ε = storage.

void check_self_inner_product(const Comparison& comparison, const Sample& sample,
                              Finding& finding) {
    const double a = comparison.plan.attention_factor, epsilon = comparison.storage;
    const PairProducts products = pair_products(comparison.spec, sample);
    double want = products.pass_through, size = std::abs(products.pass_through) * 0x1p-48;
    for (std::size_t i = 0; i < products.dot.size(); ++i) {
        want += a * a * products.dot[i];
        size += a * a * (2 * epsilon + epsilon * epsilon) * products.size[i];
    }
    WorstCase worst_case;
    worst_case.add_samples(sample.positions.size());
    for (const double m : sample.positions_and_suspects()) {
        const double got = score(products, *sample.row(m), *sample.row(m));
        worst_case.add(std::abs(got - want), size,
                       [&] { return Witness{{m, m}, std::nullopt, got, want}; });
    }
    worst_case.report_to(finding);
}

}  // namespace rope
