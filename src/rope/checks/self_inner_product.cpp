// (c1) of He & Xu: ⟨R(m)q, R(m)k⟩ = a²⟨q, k⟩. Both turn by the same angle, so only the norms of
// the rows matter: |error| ≤ a²(2ε + ε²)·Σ|q_i||k_i| over pairs, ε = storage.
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/checks/scores.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

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
    for (const double m : sample.positions) {
        const double got = score(products, *sample.row(m), *sample.row(m));
        worst_case.add_samples(1);
        worst_case.add(std::abs(got - want), size,
                       [&] { return Witness{{m, m}, std::nullopt, got, want}; });
    }
    worst_case.report_to(finding);
}

}  // namespace rope
