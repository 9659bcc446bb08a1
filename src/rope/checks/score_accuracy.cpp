// ⟨R(m)q, R(n)k⟩ against the truth, q ≠ k, the key on either side of the query.
// Each row is within aε of its place: |error| ≤ a²Σ|q_i||k_i|(ε_m + ε_n + ε_m·ε_n).
#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/checks/checks.hpp"
#include "rope/checks/scores.hpp"
#include "rope/comparison/logit_error.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/real_rows.hpp"
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

struct SampleRow {
    double position;
    Sample::Row truth, own;
    std::vector<double> allowance;  // ε per pair
};

// A pair that the subject leaves out is as the truth is: its own frequencies may be known to less
// than the allowance.
SampleRow make_row(const Comparison& comparison, const Sample& sample, RealRows& exact,
                   double position) {
    const std::uint32_t pairs = comparison.spec.pairs();
    SampleRow row{position,
                  {std::vector<double>(pairs), std::vector<double>(pairs)},
                  *sample.row(position),
                  {}};
    exact.fill({&position, 1}, row.truth.cos.data(), row.truth.sin.data());
    for (std::size_t i = 0; i < row.own.left_out.size(); ++i)
        if (row.own.left_out[i] != 0) {
            row.own.cos[i] = comparison.plan.attention_factor * row.truth.cos[i];
            row.own.sin[i] = comparison.plan.attention_factor * row.truth.sin[i];
        }
    for (std::uint32_t i = 0; i < pairs; ++i)
        row.allowance.push_back(comparison.allowance(position, i));
    return row;
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
    RealRows truth(comparison.plan.pairs, comparison.rates);
    const PairProducts products = pair_products(comparison.spec, sample);
    const double norm = comparison.plan.attention_factor * comparison.plan.attention_factor;
    std::vector<SampleRow> rows;
    for (const double m : sample.positions) rows.push_back(make_row(comparison, sample, truth, m));
    // not counted: how many there are depends on what is wrong
    for (const double m : sample.suspects) rows.push_back(make_row(comparison, sample, truth, m));

    WorstCase worst_case;
    worst_case.add_samples(sample.positions.size() * sample.positions.size());
    for (const SampleRow& query : rows)
        for (const SampleRow& key : rows) {
            double allowed = std::abs(products.pass_through) * 0x1p-48;
            for (std::size_t i = 0; i < products.size.size(); ++i) {
                const double em = query.allowance[i], en = key.allowance[i];
                allowed += norm * products.size[i] * (em + en + em * en);
            }
            const double got = score(products, query.own, key.own);
            const double want =
                norm * (score(products, query.truth, key.truth) - products.pass_through) +
                products.pass_through;
            const double error = std::abs(got - want);
            worst_case.add(error, allowed, [&] {
                return Witness{{query.position, key.position}, std::nullopt, got, want};
            });
        }
    worst_case.report_to(finding);
    report_logits(comparison, sample, finding);
}

}  // namespace rope
