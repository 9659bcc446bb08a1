#include <fmt/format.h>

#include "io/claims/claims.hpp"
#include "io/text/cells.hpp"

namespace rope::io {
namespace {

using namespace ledger;

constexpr std::string_view introduction =
    "What articles and papers state about rotary position embeddings, and what the computation\n"
    "says. A *theorem* is proved. What is *true on a range* holds as far as its numbers say and\n"
    "fails beyond. What is *false as stated* has a counterexample. What is *empirical* was\n"
    "measured and not proved. `rope-check claims ID` derives an entry step by step;\n"
    "`rope-check claims --article 001` those of one work.\n";

std::string table_of(std::span<const Claim> claims) {
    Cells cells{{"section", "entry", "statement", "status"}, "llll"};
    for (const auto& [work, entry] : claims)
        cells.rows.push_back({std::string(entry->section), std::string(entry->id),
                              std::string(entry->statement),
                              std::string(to_string(entry->status))});
    return markdown_table(cells);
}

// Calls show(claims of one work) for each work in turn.
template <class Any, class WorkOf, class Show>
void for_each_work(std::span<const Any> claims, const WorkOf& work_of, const Show& show) {
    while (!claims.empty()) {
        std::size_t count = 1;
        while (count < claims.size() && work_of(claims[count]) == work_of(claims.front())) ++count;
        show(claims.first(count));
        claims = claims.subspan(count);
    }
}

std::string numbers_table(const Step& step) {
    if (step.numbers.empty()) return "";
    Cells cells{{"number", "computed", "unit"}, "lrl"};
    for (const Number& number : step.numbers)
        cells.rows.push_back(
            {number.label,
             number.agrees() ? number.text()
                             : fmt::format("{}, not {}", number.text(), number.recorded.text()),
             number.unit});
    return "\n" + markdown_table(cells);
}

std::string derivation_markdown(const DerivedClaim& one) {
    const Entry& entry = *one.claim.entry;
    std::string text =
        fmt::format("\n## {}\n\n**{}** ({}; {})\n", markdown_escape(entry.id),
                    markdown_escape(entry.statement), entry.section, to_string(entry.status));
    for (const Step& step : one.derivation.steps()) {
        const std::string_view lead = !step.holds                            ? "**Not so:** "
                                      : step.evidence == Evidence::none      ? ""
                                      : step.evidence == Evidence::in_favour ? "*So:* "
                                                                             : "*But:* ";
        text += fmt::format("\n{}{}\n", lead, markdown_escape(step.sentence));
        text += numbers_table(step);
    }
    text += fmt::format("\n{}\n", verdict_sentence(one));
    if (!entry.see.empty()) text += fmt::format("\nSee: `{}`\n", entry.see);
    return text;
}

}  // namespace

std::string claims_markdown(std::span<const Claim> claims) {
    std::string text = fmt::format("# Claims\n\n{}", introduction);
    for_each_work(
        claims, [](const Claim& one) { return one.work; },
        [&](std::span<const Claim> of_one) {
            text += fmt::format("\n## {}\n\n", heading(*of_one.front().work)) + table_of(of_one);
        });
    return text;
}

std::string claims_markdown(std::span<const DerivedClaim> claims) {
    std::string text;
    for_each_work(
        claims, [](const DerivedClaim& one) { return one.claim.work; },
        [&](std::span<const DerivedClaim> of_one) {
            std::vector<Claim> stated;
            for (const DerivedClaim& one : of_one) stated.push_back(one.claim);
            text += fmt::format("{}# {}\n\n", text.empty() ? "" : "\n",
                                heading(*of_one.front().claim.work));
            text += table_of(stated);
            for (const DerivedClaim& one : of_one) text += derivation_markdown(one);
        });
    return text;
}

}  // namespace rope::io
