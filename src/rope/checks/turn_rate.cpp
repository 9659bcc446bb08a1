// Slow pairs turn at the Spec's rate: r = 1 to within what rounding may make of it, and what
// rounding inv_freq, position and their product to the format does (comparison/turn_rates.hpp). Of
// each pair in all heads together, and in each of them.
#include <cmath>

#include "base/decimal.hpp"
#include "rope/checks/checks.hpp"
#include "rope/comparison/odd_turns.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {
namespace {

void judge_rate(WorstCase& worst, const RateSum& sum, const SlowPair& pair, double position) {
    if (sum.lanes() == 0) return;
    const double deviation = sum.deviation();
    worst.judge(std::abs(deviation), sum.allowed() + pair.tolerance, position, pair.pair,
                [&] { return Witness{{position}, pair.pair, 1 + deviation, 1}; });
}

WorstCase judge_rates(const SlowTurns& turns, const TurnRates& rates) {
    WorstCase worst;
    for (std::size_t k = 0; k < turns.pairs().size(); ++k) {
        const SlowPair& pair = turns.pairs()[k];
        worst.add_samples(rates.of_pair[k].lanes());
        judge_rate(worst, rates.of_pair[k], pair, rates.farthest[k]);
        for (const RateSum& of_group : rates.of[k])
            judge_rate(worst, of_group, pair, rates.farthest[k]);
    }
    return worst;
}

}  // namespace

void judge_turn_rate(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     Finding& finding) {
    const SlowTurns turns(spec, plan, dump, table);
    const TurnRates rates = turn_rates(turns);
    judge_rates(turns, rates).report_to(finding);
    finding.violations.reset();  // of pairs, not of values
    const auto untold = untold_pairs(turns, rates);
    if (finding.samples == 0) finding.note = "no pair is slow";
    if (!untold.empty()) finding.note = untold_in_words(untold, spec);
    if (finding.verdict == Verdict::violated)
        finding.note = in_words(odd_turns(turns, rates), spec, turns.grid());
}

void check_turn_rate(const Comparison& comparison, const Sample&, Finding& finding) {
    const RowSource& subject = comparison.subject;
    if (subject.dumped() != nullptr && is_in_16_bits(*subject.dumped(), subject.exactness().table))
        judge_turn_rate(comparison.spec, comparison.plan, *subject.dumped(),
                        subject.exactness().table, finding);
    else
        finding.note = "of dumps and audits in 16 bits alone";
}

}  // namespace rope
