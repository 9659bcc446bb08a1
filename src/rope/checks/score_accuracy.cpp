// ⟨R(m)q, R(n)k⟩ against the truth, q ≠ k, the key on either side of the query.
// Each row is within aε of its place: |error| ≤ a²Σ|q_i||k_i|(ε_m + ε_n + ε_m·ε_n).
#include <algorithm>
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/checks/scores.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/rotate.hpp"

namespace rope {

PairProducts pair_products(const Spec& spec, const Probe& probe) {
    PairProducts products;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const auto [x, y] = lanes_of_pair(spec, i);
        const double q1 = probe.q[x], q2 = probe.q[y], k1 = probe.k[x], k2 = probe.k[y];
        products.dot.push_back(q1 * k1 + q2 * k2);
        products.cross.push_back(q1 * k2 - q2 * k1);
        products.size.push_back(std::sqrt((q1 * q1 + q2 * q2) * (k1 * k1 + k2 * k2)));
    }
    for (std::uint32_t lane = spec.rotary_dim; lane < spec.head_dim; ++lane)
        products.pass_through += probe.q[lane] * probe.k[lane];
    return products;
}

double score(const PairProducts& products, const Probe::Row& query, const Probe::Row& key) {
    double sum = products.pass_through;
    for (std::size_t i = 0; i < products.dot.size(); ++i) {
        const double c = query.cos[i] * key.cos[i] + query.sin[i] * key.sin[i];
        const double s = query.cos[i] * key.sin[i] - query.sin[i] * key.cos[i];
        sum += products.dot[i] * c - products.cross[i] * s;
    }
    return sum;
}

namespace {

struct ProbeRow {
    std::uint64_t position;
    Probe::Row truth;
    std::vector<double> allowance;  // ε per pair
};

ProbeRow make_row(const Trial& trial, const ExactRows& exact, std::uint64_t position) {
    const std::uint32_t pairs = trial.spec.pairs();
    ProbeRow row{position, {std::vector<double>(pairs), std::vector<double>(pairs)}, {}};
    exact.fill({&position, 1}, row.truth.cos.data(), row.truth.sin.data());
    for (std::uint32_t i = 0; i < pairs; ++i) row.allowance.push_back(trial.allowance(position, i));
    return row;
}

}  // namespace

void probe_score_accuracy(const Trial& trial, const Probe& probe, Finding& finding) {
    const TruthRows truth(trial.plan, 0, trial.spec.pairs());
    const PairProducts products = pair_products(trial.spec, probe);
    const double norm = trial.plan.attention_factor * trial.plan.attention_factor;
    std::vector<ProbeRow> rows;
    for (const std::uint64_t m : probe.positions) rows.push_back(make_row(trial, truth.exact(), m));

    Tally tally;
    for (const ProbeRow& query : rows)
        for (const ProbeRow& key : rows) {
            double allowed = std::abs(products.pass_through) * 0x1p-48;
            for (std::size_t i = 0; i < products.size.size(); ++i) {
                const double em = query.allowance[i], en = key.allowance[i];
                allowed += norm * products.size[i] * (em + en + em * en);
            }
            const double got =
                score(products, *probe.row(query.position), *probe.row(key.position));
            const double want =
                norm * (score(products, query.truth, key.truth) - products.pass_through) +
                products.pass_through;
            const double error = std::abs(got - want);
            tally.add_samples(1);
            tally.add(error, allowed, [&] {
                return Witness{{query.position, key.position}, std::nullopt, got, want};
            });
        }
    tally.report_to(finding);
}

}  // namespace rope
