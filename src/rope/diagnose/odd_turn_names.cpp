#include "rope/diagnose/odd_turn_names.hpp"

#include <string_view>

#include "rope/diagnose/explain/mistakes.hpp"
#include "rope/report/report.hpp"

namespace rope {
namespace {

double times_over(const Report& report, std::string_view check) {
    const Finding* finding = find_finding(report, check);
    return finding == nullptr || finding->allowed == 0 ? 0 : finding->observed / finding->allowed;
}

// Empty where it takes several, or none is known.
std::string_view mistake_of(const Report& report, const OddTurns& odd) {
    if (odd.turns.size() != 1) return "";
    const OddTurn& one = odd.turns.front();
    const bool is_all = one.pairs.size() == report.spec.pairs() && odd.groups.empty();
    if (one.turning == Turning::still) return is_all ? "not-rotated" : "rotary-dim";
    return one.turning == Turning::backwards ? "direction" : "";
}

}  // namespace

Diagnosis name_odd_turns(const Report& report, const OddTurns& odd, const std::string& in_words) {
    const std::string_view mistake = mistake_of(report, odd);
    if (mistake.empty()) return {{}, {in_words}};
    Explanation one;
    one.mistake = mistake;
    one.what = in_words;
    one.before = times_over(report, "turn-rate");
    one.after = times_over(report, "table-accuracy");
    one.advice = std::string(find_mistake(mistake).advice);
    return {{std::move(one)}, {}};
}

}  // namespace rope
