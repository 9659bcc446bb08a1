// R(m)R(n) = a·R(m + n) per pair: |ẑ_m·ẑ_n − a·ẑ_{m+n}| ≤ a²(ε_m + ε_n + ε_m·ε_n + ε_{m+n})
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

void check_composition(const Comparison& comparison, const Sample& sample, Finding& finding) {
    const double a = comparison.plan.attention_factor;
    WorstCase worst_case;
    for (std::size_t j = 0; j < sample.positions.size(); ++j)
        for (std::size_t l = 0; l <= j; ++l) {
            const double m = sample.positions[l], n = sample.positions[j];
            const Sample::Row* sum = sample.row(m + n);
            if (sum == nullptr || m + n - m != n) continue;  // the sum is rounded
            const Sample::Row &first = *sample.row(m), &second = *sample.row(n);
            worst_case.add_samples(comparison.spec.pairs());
            for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i) {
                const double re = first.cos[i] * second.cos[i] - first.sin[i] * second.sin[i];
                const double im = first.cos[i] * second.sin[i] + first.sin[i] * second.cos[i];
                const double dr = re - a * sum->cos[i], di = im - a * sum->sin[i];
                const double em = comparison.effective_allowance(m, i),
                             en = comparison.effective_allowance(n, i);
                const double allowed =
                    a * a * (em + en + em * en + comparison.effective_allowance(m + n, i));
                worst_case.add(std::sqrt(dr * dr + di * di), allowed,
                               [&] { return Witness{{m, n}, i, a * sum->cos[i], re}; });
            }
        }
    worst_case.report_to(finding);
    if (finding.samples == 0) finding.note = "no position is the sum of two others";
}

}  // namespace rope
