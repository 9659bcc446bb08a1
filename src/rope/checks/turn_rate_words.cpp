#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/turn_rate.hpp"

namespace rope {
namespace {

// In hundredths, or as finely as it takes to differ from 1.
std::string rounded(double rate) {
    double unit = 100;
    while (std::round(unit * rate) == unit && rate != 1 && unit < 1e9) unit *= 10;
    return decimal(std::round(unit * rate) / unit);
}

std::string rate_in_words(const OddTurn& odd) {
    const std::string least = rounded(odd.least_rate), most = rounded(odd.most_rate);
    const bool is_one = odd.most_rate - odd.least_rate <= 0.05 * std::abs(odd.most_rate);
    const double middle = (odd.least_rate + odd.most_rate) / 2;
    return (is_one ? rounded(middle) : least + " to " + most) + " times";
}

std::string numbered_pairs(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return (pairs.size() == 1 ? "pair " : "pairs ") + ranges(pairs, 4) + " of " +
           decimal(spec.pairs());
}

std::string pairs_in_words(const OddTurn& odd, const Spec& spec) {
    const bool is_one = odd.pairs.size() == 1;
    const std::string text = numbered_pairs(odd.pairs, spec) + " ";
    const std::string s = is_one ? "s" : "", its = is_one ? "its" : "their";
    switch (odd.turning) {
        case Turning::still:
            return text + (is_one ? "does" : "do") + " not rotate";
        case Turning::backwards:
            return text + "rotate" + s + " backwards";
        case Turning::at_another_rate:
            return text + "turn" + s + " at " + rate_in_words(odd) + " " + its + " rate";
        case Turning::at_no_rate:
            break;
    }
    return text + "turn" + s + " by " + (is_one ? "an angle" : "angles") +
           " in no proportion to the position";
}

std::string numbered(const char* one, const char* several, const std::set<std::uint64_t>& numbers) {
    return (numbers.size() == 1 ? one : several) +
           ranges(std::vector<std::uint64_t>(numbers.begin(), numbers.end()), 4);
}

// "batch entry 1, heads 0, 2", where these are all of them.
std::string groups_in_words(const std::vector<std::size_t>& groups, const RowGrid& grid) {
    std::set<std::uint64_t> entries, heads;
    for (const std::size_t group : groups) {
        entries.insert(group / grid.head.length);
        heads.insert(group % grid.head.length);
    }
    if (entries.size() * heads.size() != groups.size())
        return decimal(groups.size()) + " of " + decimal(grid.batch.length * grid.head.length) +
               " sequences of heads";
    std::string text;
    if (entries.size() < grid.batch.length)
        text = numbered("batch entry ", "batch entries ", entries);
    if (heads.size() < grid.head.length)
        text += (text.empty() ? "" : ", ") + numbered("head ", "heads ", heads);
    return text;
}

}  // namespace

std::string undetermined_in_words(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return "no value tells whether " + numbered_pairs(pairs, spec) +
           (pairs.size() == 1 ? " turns" : " turn");
}

std::string in_words(const OddTurns& odd, const Spec& spec, const RowGrid& grid) {
    std::string text = odd.groups.empty() ? "" : groups_in_words(odd.groups, grid) + ": ";
    text += join(odd.turns, [&](const OddTurn& one) { return pairs_in_words(one, spec); });
    if (!odd.positions.empty()) text += ", at positions " + ranges(odd.positions, 4);
    if (!odd.undetermined.empty()) text += "; " + undetermined_in_words(odd.undetermined, spec);
    return text;
}

namespace {

// Slow pairs turn at the Spec's rate: r = 1 to within what rounding may make of it, and what
// rounding inv_freq, position and their product to the format does (checks/turn_rate.hpp). Of
// each pair in all heads together, and in each of them.

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
    const auto undetermined = undetermined_pairs(turns, rates);
    if (finding.samples == 0) finding.note = "no pair is slow";
    if (!undetermined.empty()) finding.note = undetermined_in_words(undetermined, spec);
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
