// (c1) of He & Xu: ⟨R(m)q, R(m)k⟩ = a²⟨q, k⟩. Both turn by the same angle, so only the norms of
// the rows matter: |error| ≤ a²(2ε + ε²)·Σ|q_i||k_i| over pairs, ε = storage.
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/checks/scores.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

void probe_self_inner_product(const Trial& trial, const Probe& probe, Finding& finding) {
    const double a = trial.plan.attention_factor, epsilon = trial.storage;
    const PairProducts products = pair_products(trial.spec, probe);
    double want = products.pass_through, size = std::abs(products.pass_through) * 0x1p-48;
    for (std::size_t i = 0; i < products.dot.size(); ++i) {
        want += a * a * products.dot[i];
        size += a * a * (2 * epsilon + epsilon * epsilon) * products.size[i];
    }
    Tally tally;
    for (const std::uint64_t m : probe.positions) {
        const double got = score(products, *probe.row(m), *probe.row(m));
        tally.add_samples(1);
        tally.add(std::abs(got - want), size,
                  [&] { return Witness{{m, m}, std::nullopt, got, want}; });
    }
    tally.report_to(finding);
}

}  // namespace rope
