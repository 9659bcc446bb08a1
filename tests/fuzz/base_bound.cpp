// Bounds for small heads and short contexts; the answers must be true.
#include <cmath>

#include "io/explain/explanation.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {
namespace {

BaseQuestion question_of(Draw& draw) {
    BaseQuestion question;
    question.pairs = {static_cast<std::uint32_t>(1 + draw.below(24)),
                      static_cast<std::uint32_t>(draw.below(6))};
    question.context = draw.below(400);
    question.digits = static_cast<int>(1 + draw.below(4));
    if (draw.one_in(2)) question.search_to = draw.between_powers(0, 4);
    question.threads = 1;
    return question;
}

void require_base(const BaseQuestion& asked, double base, bool holds, const std::string& what) {
    require(scan_base(asked.pairs, base, asked.context).holds() == holds,
            what + " " + std::to_string(base));
}

void require_true(const BaseQuestion& asked, const BaseBound& found) {
    if (!found.infimum) return;
    const double infimum = found.infimum->base;
    if (found.on_grid) {
        require(!found.proved || *found.on_grid >= infimum, "a base on the grid below the infimum");
        require_base(asked, *found.on_grid, true, "the base on the grid fails:");
    }
    if (found.proved && infimum > 1.01)
        for (const double share : {0.1, 0.5, 0.99, 1 - 1e-6})
            require_base(asked, 1 + (infimum - 1) * share, false, "holds below the infimum:");
    for (const auto& [from, to] : found.islands)
        require_base(asked, std::sqrt(from.base * to.base), true, "an island has a hole:");
}

// Compares the distances that a search skips with the sums at each of them.
void require_no_negative_passed_over(PairCounts pairs, Draw& draw) {
    const std::uint64_t context = 16384 + draw.below(60000);
    const BaseScan far = scan_base(pairs, draw.between_powers(0, 50), context);
    require(std::abs(far.least) < 1e-9 || far.holds() == (far.least > 0),
            "the least sum is " + std::to_string(far.least));
}

}  // namespace

void try_input(Bytes input) {
    Draw draw(input);
    io::BaseBoundReport report{{}, question_of(draw), {}, {}};
    report.found = bound_base(report.asked);
    require_true(report.asked, *report.found);
    report.judged = scan_base(report.asked.pairs, draw.between_powers(0, 7), report.asked.context);
    require(!io::base_bound_document(report, false).json.empty(), "no JSON");
    require(!io::base_bound_document(report, true).text.empty(), "no text");
    require_no_negative_passed_over(report.asked.pairs, draw);
}

}  // namespace rope::fuzz
