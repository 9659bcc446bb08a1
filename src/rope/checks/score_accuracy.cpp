// ⟨R(m)q, R(n)k⟩ against the truth, q ≠ k, the key on either side of the query.
// Each row is within aε of its place: |error| ≤ a²Σ|q_i||k_i|(ε_m + ε_n + ε_m·ε_n).
#include <cmath>
#include <span>

#include "base/decimal.hpp"
#include "rope/checks/checks.hpp"
#include "rope/checks/scores.hpp"
#include "rope/comparison/logit_error.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

PairProducts pair_products(const Spec& spec, const Sample& sample) {
    PairProducts products;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const auto [x, y] = lanes_of_pair(spec, i);
        const double q1 = sample.q[x], q2 = sample.q[y], k1 = sample.k[x], k2 = sample.k[y];
        products.dot.push_back(q1 * k1 + q2 * k2);
        products.cross.push_back(q1 * k2 - q2 * k1);
        products.size.push_back(std::sqrt((q1 * q1 + q2 * q2) * (k1 * k1 + k2 * k2)));
    }
    for (const std::size_t lane : passed_lanes(spec))
        products.pass_through += sample.q[lane] * sample.k[lane];
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

namespace {

// All values of pair 0, then all of pair 1 and so on: a query is scored with every key at once.
struct SampledRows {
    std::vector<double> positions;
    Sample::Row truth, own;
    std::vector<double> allowance;  // ε
};

// A pair that the subject leaves out is as the truth is: its own frequencies may be known to less
// than the allowance.
void fill_row(SampledRows& rows, std::size_t r, const Comparison& comparison,
              const Sample::Row& own, RealRows& exact) {
    const std::uint32_t pairs = comparison.spec.pairs();
    const double position = rows.positions[r], amplitude = comparison.plan.attention_factor;
    std::vector<double> cos(pairs), sin(pairs);
    exact.fill({&position, 1}, cos.data(), sin.data());
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const std::size_t k = i * rows.positions.size() + r;
        const bool left_out = !own.left_out.empty() && own.left_out[i] != 0;
        rows.truth.cos[k] = cos[i];
        rows.truth.sin[k] = sin[i];
        rows.own.cos[k] = left_out ? amplitude * cos[i] : own.cos[i];
        rows.own.sin[k] = left_out ? amplitude * sin[i] : own.sin[i];
        rows.allowance[k] = comparison.allowance(position, i);
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
    // not counted as samples: how many there are depends on what is wrong
    for (const double position : sample.suspects) add(position, sample.row(position));
    for (const auto& [position, row] : sample.best_rows) add(position, &row);
    for (auto* one :
         {&rows.truth.cos, &rows.truth.sin, &rows.own.cos, &rows.own.sin, &rows.allowance})
        one->resize(comparison.spec.pairs() * rows.positions.size());
    RealRows exact(comparison.plan.pairs, comparison.rates);
    for (std::size_t r = 0; r < rows.positions.size(); ++r)
        fill_row(rows, r, comparison, *values[r], exact);
    return rows;
}

// Adds to the score of each key with this query, in the order and with the roundings of `score`.
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

// norm·Σ|q_i||k_i|(ε_m + ε_n + ε_m·ε_n) likewise
void add_allowances(const PairProducts& products, double norm, const SampledRows& rows,
                    std::size_t query, std::span<double> allowed) {
    for (std::size_t i = 0; i < products.size.size(); ++i) {
        const double* allowance = &rows.allowance[i * allowed.size()];
        const double size = norm * products.size[i], em = allowance[query];
        for (std::size_t key = 0; key < allowed.size(); ++key) {
            const double en = allowance[key];
            allowed[key] += size * (em + en + em * en);
        }
    }
}

// What the errors do to logits, which the allowance does not say.
void report_logits(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const auto logits = logit_errors(comparison, sample.suspects);
    if (!logits) return;
    finding.fields.push_back({"logit_spread", logits->spread, FieldRole::place});
    for (const LogitError& one : logits->at)
        finding.fields.push_back({"logit_error_at_" + decimal(one.distance),
                                  one.rms ? FieldValue(*one.rms) : FieldValue(), FieldRole::place,
                                  "", one.distance});
    finding.fields.push_back(
        {"logit_error_matters_from",
         logits->matters_from ? FieldValue(*logits->matters_from) : FieldValue(),
         FieldRole::place});
    finding.fields.push_back({"tokens_off", logits->tokens_off, FieldRole::place});
    finding.fields.push_back(
        {"tokens_off_pair", std::uint64_t{logits->worst_pair}, FieldRole::place});
}

}  // namespace

void check_score_accuracy(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const PairProducts products = pair_products(comparison.spec, sample);
    const double norm = comparison.plan.attention_factor * comparison.plan.attention_factor;
    const double pass_through = products.pass_through;
    const SampledRows rows = sampled_rows(comparison, sample);
    const std::size_t count = rows.positions.size();

    WorstCase worst_case;
    worst_case.add_samples(sample.positions.size() * sample.positions.size());
    std::vector<double> own(count), truth(count), allowed(count);
    for (std::size_t query = 0; query < count; ++query) {
        for (auto* scores : {&own, &truth}) scores->assign(count, pass_through);
        allowed.assign(count, std::abs(pass_through) * 0x1p-48);
        add_scores(products, rows.own, query, own);
        add_scores(products, rows.truth, query, truth);
        add_allowances(products, norm, rows, query, allowed);
        for (std::size_t key = 0; key < count; ++key) {
            const double want = norm * (truth[key] - pass_through) + pass_through;
            worst_case.add(std::abs(own[key] - want), allowed[key], [&] {
                return Witness{
                    {rows.positions[query], rows.positions[key]}, std::nullopt, own[key], want};
            });
        }
    }
    worst_case.report_to(finding);
    report_logits(comparison, sample, finding);
}

}  // namespace rope
