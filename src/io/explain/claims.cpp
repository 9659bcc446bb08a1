#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/explain/explanation.hpp"
#include "io/text/json_text.hpp"
#include "io/text/rows.hpp"

namespace rope::io {
namespace {

using namespace ledger;
// “the original words”, or the place of the statement
std::string source_of(const Entry& entry) {
    for (const std::string_view ours :
         {"implied by", "paraphrase", "a consequence", "a correction", "our ", "Table "})
        if (entry.quote.starts_with(ours)) return std::string(entry.quote);
    return fmt::format("“{}”", entry.quote);
}

std::string_view evidence_of(const Step& step) {
    if (step.kind == Line::Kind::sentence) return "none";
    return step.kind == Line::Kind::in_favour ? "in favour" : "against";
}

// Numbers are strings, as they have more digits than a float64.
Json number_json(const Number& number) {
    return {{"label", number.label},
            {"value", number.text()},
            {"unit", number.unit},
            {"recorded", number.recorded.text()},
            {"agrees", number.agrees()}};
}

Json step_json(const Step& step) {
    return {{"sentence", step.sentence},
            {"evidence", evidence_of(step)},
            {"holds", step.holds},
            {"numbers", json_array(step.numbers, number_json)}};
}

Json stated_json(const Entry* entry) {
    return {{"id", entry->id},
            {"work", entry->work->key},
            {"title", entry->work->title},
            {"section", entry->section},
            {"quote", entry->quote},
            {"statement", entry->statement},
            {"status", ledger::to_string(entry->status)},
            {"see", entry->see},
            {"steps", nullptr},
            {"verdict_confirmed", nullptr}};
}

Json derived_json(const Derivation& derivation) {
    Json json = stated_json(&derivation.entry());
    json["steps"] = json_array(derivation.steps(), step_json);
    json["verdict_confirmed"] = derivation.is_supported();
    return json;
}

constexpr std::string_view claims_schema = "rope-check-claims/1";

constexpr std::string_view introduction =
    "# Claims\n\n"
    "What articles and papers state about rotary position embeddings, and whether a computation\n"
    "confirms it. `rope-check claims ID` derives an entry step by step; `rope-check claims 001`\n"
    "those of one work.\n";

// A word that derivations use without explanation, and the signs by which their text is searched
// for it: a row of data/terms.jsonl.
struct Term {
    std::string word, meaning;
    std::vector<std::string> signs;
};

const std::vector<Term>& glossary() {
    static const auto all =
        mapped<Term>(rows_of(term_rows, "data/terms.jsonl"), [](const Row& row) {
            return Term{row.text("term"), row.text("meaning"), row.texts("signs")};
        });
    return all;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '\'';
}

// Whether a sign occurs as a word: L in 4L, but not in LLM and L2.
bool has_sign(std::string_view text, std::string_view sign) {
    for (std::size_t at = 0; (at = text.find(sign, at)) != text.npos; ++at) {
        const char before = at == 0 ? ' ' : text[at - 1];
        const char after = at + sign.size() == text.size() ? ' ' : text[at + sign.size()];
        const bool goes_on = is_letter(after) || (after >= '0' && after <= '9');
        if (!(is_letter(before) && is_letter(sign.front())) && !(goes_on && is_letter(sign.back())))
            return true;
    }
    return false;
}

// The words that the derivations use, and the words in their explanations.
std::vector<Word> words_of(std::span<const Derivation> claims) {
    std::string text;
    for (const Derivation& one : claims) {
        text += one.entry().statement;
        for (const Line& line : one.entry().lines) text += fmt::format("\n{}", line.text);
    }
    std::vector<bool> used(glossary().size());
    for (bool grows = true; std::exchange(grows, false);)
        for (std::size_t i = 0; i < used.size(); ++i) {
            const auto is_there = [&](std::string_view sign) { return has_sign(text, sign); };
            if (used[i] || std::ranges::none_of(glossary()[i].signs, is_there)) continue;
            used[i] = grows = true;
            text += fmt::format("\n{}", glossary()[i].meaning);
        }
    std::vector<Word> words;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) words.push_back({glossary()[i].word, glossary()[i].meaning});
    return words;
}

std::string_view mark_of(const Step& step) {
    if (!step.holds) return "   NO: ";
    return step.kind == Line::Kind::in_favour ? "   so: " : "  but: ";
}

// "Article 001: He & Xu, Easy Derivation …"
std::string heading(const Work& work) {
    const std::string_view kind = work.key.size() == 3 ? "Article " : "";
    return fmt::format("{}{}: {}", kind, work.key, work.title);
}

// The result of a derivation, in a sentence.
std::string verdict_sentence(const Derivation& derivation) {
    const Status status = derivation.entry().status;
    if (!derivation.is_supported())
        return fmt::format("Recomputed just now: the numbers do NOT agree with the verdict, {}.",
                           to_string(status));
    if (status == Status::theorem)
        return "Recomputed just now: the examples agree with the theorem. Its proof is in the "
               "text.";
    if (status == Status::definition)
        return "Recomputed just now: the examples agree with the definition.";
    return fmt::format(
        "Recomputed just now from the formulas and values in the text: the numbers "
        "agree with the verdict: {}.",
        to_string(status));
}

Cells cells_of(std::string_view kind, std::span<const Word> words) {
    Cells cells{{std::string(kind), "meaning"}, "ll"};
    for (const auto& [word, meaning] : words) cells.add(word, meaning);
    return cells;
}

void add_derivation(Document& document, const Derivation& derivation) {
    int n = 0;
    for (const Step& step : derivation.steps()) {
        document.paragraph(step.kind == Line::Kind::sentence ? fmt::format("{:>5}. ", ++n)
                                                             : std::string(mark_of(step)),
                           step.sentence);
        for (const Number& number : step.numbers)
            document.item("         ", number.label + ": " + number.text() +
                                           (number.unit.empty() ? "" : " " + number.unit) +
                                           (number.agrees() ? ""
                                                            : fmt::format(", where {} is recorded",
                                                                          number.recorded.text())));
    }
}

}  // namespace

Document claims_document(std::span<const Entry* const> claims) {
    Document document;
    document.text = "Verdicts:\n";
    document.markdown = introduction;
    document.terms(cells_of("verdict", verdicts()), 2, 22);
    for (auto one = claims.begin(); one != claims.end();) {
        const Work* work = (*one)->work;
        document.text += "\n" + wrapped(heading(*work), 2);
        Cells cells{{"section", "entry", "statement", "status"}, "llll"};
        for (; one != claims.end() && (*one)->work == work; ++one) {
            const Entry& entry = **one;
            const std::string_view status = ledger::to_string(entry.status);
            document.text += fmt::format("  {:<28}  {:<22}  {}\n", entry.id, status, entry.section);
            document.text += hanging("      ", entry.statement);
            cells.add(entry.section, entry.id, entry.statement, status);
        }
        document.markdown += fmt::format("\n## {}\n\n{}", heading(*work), markdown_table(cells));
    }
    document.json = json_document(claims_schema, {{"claims", json_array(claims, stated_json)}});
    return document;
}

Document claims_document(std::span<const Derivation> claims) {
    const auto own = static_cast<std::size_t>(claims.front().entry().status);
    const bool is_one = claims.size() == 1;
    Document document;
    document.heading("#", is_one ? "Verdict:" : "Verdicts:");
    document.terms(cells_of("verdict", is_one ? verdicts().subspan(own, 1) : verdicts()), 2, 22);
    const auto add_words = [&] {
        const std::vector<Word> words = words_of(claims);
        if (words.empty()) return;
        document.gap().heading("#", "Words:");
        document.terms(cells_of("word", words), 2, 11);
    };
    if (!is_one) add_words();
    for (const Derivation& one : claims) {
        const Entry& entry = one.entry();
        document.gap().heading("##",
                               fmt::format("{}: {}", entry.id, ledger::to_string(entry.status)));
        document.paragraph("  ", heading(*entry.work) + ", " + std::string(entry.section));
        document.gap().paragraph("  ", "Claim:  " + std::string(entry.statement));
        document.paragraph("  ", "Source: " + source_of(entry));
        document.text += "\n";
        add_derivation(document, one);
        document.gap().paragraph("  ", verdict_sentence(one));
        if (!entry.see.empty()) document.paragraph("  ", "See: " + std::string(entry.see));
    }
    if (is_one) add_words();
    document.json = json_document(claims_schema, {{"claims", json_array(claims, derived_json)}});
    return document;
}

}  // namespace rope::io
