// R(m)R(n) = a·R(m + n) per pair: |ẑ_m·ẑ_n − a·ẑ_{m+n}| ≤ a²(ε_m + ε_n + ε_m·ε_n + ε_{m+n})
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

void probe_composition(const Trial& trial, const Probe& probe, Finding& finding) {
    const double a = trial.plan.attention_factor;
    Tally tally;
    for (std::size_t j = 0; j < probe.positions.size(); ++j)
        for (std::size_t l = 0; l <= j; ++l) {
            const std::uint64_t m = probe.positions[l], n = probe.positions[j];
            const Probe::Row* sum = probe.row(m + n);
            if (sum == nullptr) continue;
            const Probe::Row &first = *probe.row(m), &second = *probe.row(n);
            tally.add_samples(trial.spec.pairs());
            for (std::uint32_t i = 0; i < trial.spec.pairs(); ++i) {
                const double re = first.cos[i] * second.cos[i] - first.sin[i] * second.sin[i];
                const double im = first.cos[i] * second.sin[i] + first.sin[i] * second.cos[i];
                const double dr = re - a * sum->cos[i], di = im - a * sum->sin[i];
                const double em = trial.own_allowance(m, i), en = trial.own_allowance(n, i);
                const double allowed = a * a * (em + en + em * en + trial.own_allowance(m + n, i));
                tally.add(std::sqrt(dr * dr + di * di), allowed,
                          [&] { return Witness{{m, n}, i, a * sum->cos[i], re}; });
            }
        }
    tally.report_to(finding);
    if (finding.samples == 0) finding.note = "no position is the sum of two others";
}

}  // namespace rope
