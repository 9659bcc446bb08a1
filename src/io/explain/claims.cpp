#include "io/explain/claims.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "io/json/json_text.hpp"
#include "io/text/cells.hpp"

namespace rope::io {
namespace {

using namespace ledger;
using Json = nlohmann::ordered_json;

// “the original words”, or where the statement is from
std::string source_of(const Entry& entry) {
    for (const std::string_view ours :
         {"implied by", "paraphrase", "a consequence", "a correction", "Table "})
        if (entry.quote.starts_with(ours)) return std::string(entry.quote);
    return fmt::format("“{}”", entry.quote);
}

std::string_view to_string(Evidence evidence) {
    if (evidence == Evidence::none) return "none";
    return evidence == Evidence::in_favour ? "in favour" : "against";
}

// Numbers are strings: they have more digits than a float64.
Json number_json(const Number& number) {
    return {{"label", number.label},
            {"value", number.text()},
            {"unit", number.unit},
            {"recorded", number.recorded.text()},
            {"agrees", number.agrees()}};
}

Json step_json(const Step& step) {
    Json numbers = Json::array();
    for (const Number& number : step.numbers) numbers.push_back(number_json(number));
    return {{"sentence", step.sentence},
            {"evidence", to_string(step.evidence)},
            {"holds", step.holds},
            {"numbers", std::move(numbers)}};
}

Json claim_json(const Claim& claim) {
    const auto& [work, entry] = claim;
    return {{"id", entry->id},
            {"work", work->key},
            {"title", work->title},
            {"section", entry->section},
            {"quote", entry->quote},
            {"statement", entry->statement},
            {"status", ledger::to_string(entry->status)},
            {"see", entry->see},
            {"steps", nullptr},
            {"verdict_confirmed", nullptr}};
}

Json claim_json(const DerivedClaim& claim) {
    Json json = claim_json(claim.claim);
    Json steps = Json::array();
    for (const Step& step : claim.derivation.steps()) steps.push_back(step_json(step));
    json["steps"] = std::move(steps);
    json["verdict_confirmed"] = claim.supported();
    return json;
}

template <class Claims>
std::string document(const Claims& claims, std::string_view version) {
    Json list = Json::array();
    for (const auto& claim : claims) list.push_back(claim_json(claim));
    const Json json{{"schema", claims_schema},
                    {"tool", {{"name", "rope-check"}, {"version", version}}},
                    {"claims", std::move(list)}};
    return json_text(json, 2) + "\n";
}

}  // namespace

std::string claims_json(std::span<const Claim> claims, std::string_view version) {
    return document(claims, version);
}

std::string claims_json(std::span<const DerivedClaim> claims, std::string_view version) {
    return document(claims, version);
}

namespace {

using namespace ledger;

constexpr std::string_view introduction =
    "What articles and papers state about rotary position embeddings, and what the computation\n"
    "says. `rope-check claims ID` derives an entry step by step; `rope-check claims 001` those of\n"
    "one work.\n\n";

// What derivations use without saying so again.
constexpr Word glossary[] = {
    {"d, b, n", "rotary dimensions (128 unless said), base rope_theta (10000), context (2048)"},
    {"pair i", "the two dimensions that rotate together; pair 0 is the fastest"},
    {"θ_i",
     "radians that pair i turns per position: base θ is b^(−2i/d), scaled θ is π/(2n) times that"},
    {"m, n, s", "positions of two tokens and their distance s = |m − n|"},
    {"q, k, r", "query, key and their score r = ⟨q, k⟩; r̂ is the score after the rotation"},
    {"B(s), B̂(s)", "Σ cos sθ_i, and the same divided by d/2: the score of two equal tokens"},
    {"A(s)", "RoFormer's bound (2/d)·Σ_j |Σ_{i<j} e^{isθ_i}|"},
    {"s*, u*", "the first whole and the first real distance at which a statement fails"},
    {"θ̄_t, n₆, n₉", "He & Xu's θ_i, width d and context n"},
    {"c1, c2, c3", "He & Xu's three conditions; R0 to R10 are ways to read (c3)"},
};

std::string table_of(std::span<const Claim> claims) {
    Cells cells{{"section", "entry", "statement", "status"}, "llll"};
    for (const auto& [work, entry] : claims)
        cells.rows.push_back({std::string(entry->section), std::string(entry->id),
                              std::string(entry->statement),
                              std::string(to_string(entry->status))});
    return markdown_table(cells);
}

std::string table_of(std::span<const Word> words, const std::string& kind) {
    Cells cells{{kind, "meaning"}, "ll"};
    for (const auto& [word, meaning] : words)
        cells.rows.push_back({std::string(word), std::string(meaning)});
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
        fmt::format("\n## {}\n\n**{}** ({}; {})\n\nSource: {}\n", markdown_escape(entry.id),
                    markdown_escape(entry.statement), entry.section, to_string(entry.status),
                    markdown_escape(source_of(entry)));
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
    std::string text =
        fmt::format("# Claims\n\n{}{}", introduction, table_of(verdicts(), "verdict"));
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
            text += table_of(verdicts(), "verdict") + "\n" + table_of(glossary, "word") + "\n";
            text += table_of(stated);
            for (const DerivedClaim& one : of_one) text += derivation_markdown(one);
        });
    return text;
}

namespace {

using namespace ledger;

std::string number_lines(const Step& step) {
    std::string lines;
    for (const Number& number : step.numbers) {
        std::string text = number.label + ": " + number.text();
        if (!number.unit.empty()) text += " " + number.unit;
        if (!number.agrees()) text += fmt::format(", where {} is recorded", number.recorded.text());
        lines += hanging("         ", text);
    }
    return lines;
}

std::string_view mark_of(const Step& step) {
    if (!step.holds) return "   NO: ";
    return step.evidence == Evidence::in_favour ? "   so: " : "  but: ";
}

std::string derivation_text(const Derivation& derivation) {
    std::string text;
    int n = 0;
    for (const Step& step : derivation.steps()) {
        text += step.evidence == Evidence::none
                    ? hanging(fmt::format("{:>5}. ", ++n), step.sentence)
                    : hanging(mark_of(step), step.sentence);
        text += number_lines(step);
    }
    return text;
}

}  // namespace

std::string heading(const Work& work) {
    const std::string_view kind = work.key.size() == 3 ? "Article " : "";
    return fmt::format("{}{}: {}", kind, work.key, work.title);
}

std::string verdict_sentence(const DerivedClaim& claim) {
    const Status status = claim.claim.entry->status;
    if (!claim.supported())
        return fmt::format("Recomputed just now: the numbers do NOT agree with the verdict, {}.",
                           to_string(status));
    if (status == Status::theorem)
        return "Recomputed just now: the examples agree with the theorem. Its proof is in the "
               "text.";
    if (status == Status::definition)
        return "Recomputed just now: the examples agree with the definition.";
    return fmt::format("Recomputed just now: the numbers confirm the verdict, {}.",
                       to_string(status));
}

namespace {

std::string lines_of(std::string_view title, std::span<const Word> words, int width) {
    std::string text = fmt::format("{}:\n", title);
    for (const auto& [word, meaning] : words)
        text += hanging(fmt::format("  {:<{}}  ", word, width), std::string(meaning));
    return text;
}

}  // namespace

std::string claims_text(std::span<const Claim> claims) {
    std::string text = lines_of("Verdicts", verdicts(), 22);
    const Work* work = nullptr;
    for (const auto& [of, entry] : claims) {
        if (of != work) text += "\n" + wrapped(heading(*of), 2);
        work = of;
        text += fmt::format("  {:<28}  {:<22}  {}\n", entry->id, to_string(entry->status),
                            entry->section);
        text += hanging("      ", entry->statement);
    }
    return text;
}

std::string claims_text(std::span<const DerivedClaim> claims) {
    const auto own = static_cast<std::size_t>(claims.front().claim.entry->status);
    std::string text = claims.size() == 1 ? lines_of("Verdict", verdicts().subspan(own, 1), 22)
                                          : lines_of("Verdicts", verdicts(), 22) + "\n" +
                                                lines_of("Words of the derivations", glossary, 10);
    for (const DerivedClaim& one : claims) {
        const auto& [work, entry] = one.claim;
        text += fmt::format("\n{}: {}\n", entry->id, to_string(entry->status));
        text += hanging("  ", heading(*work) + ", " + std::string(entry->section));
        text += "\n" + hanging("  ", "Claim:  " + std::string(entry->statement));
        text += hanging("  ", "Source: " + source_of(*entry)) + "\n";
        text += derivation_text(one.derivation);
        text += "\n" + hanging("  ", verdict_sentence(one));
        if (!entry->see.empty()) text += hanging("  ", fmt::format("See: {}", entry->see));
    }
    return text;
}

}  // namespace rope::io
