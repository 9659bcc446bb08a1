#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "io/explain/explanation.hpp"
#include "io/json/json_text.hpp"
#include "io/text/document.hpp"

namespace rope::io {
namespace {

using namespace ledger;
using Json = nlohmann::ordered_json;

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
// for it.
struct Term {
    Word word;
    std::string_view signs;
};
constexpr Term glossary[] = {
    {{"d", "the number of dimensions that rotate, 128 unless the entry gives another"},
     "d = |d/2|/d|2/d"},
    {{"b", "the base rope_theta, 10000 unless the entry gives another"}, "b = |b^|ln b|log_b|1/b"},
    {{"L", "the context, 2048 unless the entry gives another"}, "L"},
    {{"pair i", "the two dimensions that rotate together; pair 0 is the fastest"}, "pair|pairs"},
    {{"θ_i", "radians by which pair i rotates per position, b^(−2i/d) unless they are scaled"},
     "θ_i|θ_0|θ_1|θ₀|θ₆₃|base θ|scaled θ"},
    {{"base θ", "the unscaled frequencies"}, "base θ"},
    {{"scaled θ", "He & Xu's frequencies, π/(2L) times base θ"}, "scaled θ|scaled angles"},
    {{"m, n, s", "positions of two tokens, and their distance s = |m − n|"},
     "m − n|m and n|positions m|at s|to s|s =|s to|s of|first s|s from|sθ|(s)|distance s|s*"},
    {{"q, k, 1", "query and key; q = 1 or k = 1 is the vector of ones, (1, …, 1)"}, "q"},
    {{"R(a)", "the rotation by the angle a, [[cos a, sin a], [−sin a, cos a]], of a row vector"},
     "R(|R_m|R^r"},
    {{"r, r̂", "the score ⟨q, k⟩ before and after rotation; for q = k = 1, r = d and r̂ = 2B(s)"},
     "r̂|r = d"},
    {{"B(s), B̂(s)",
      "Σ cos sθ_i over the pairs, and the same divided by their number: r̂/r of two equal tokens "
      "whose pairs all have the same length, such as q = k = 1; a pair that does not rotate counts "
      "as cos 0 = 1"},
     "B(|B̂|B_m| B "},
    {{"A(s)", "RoFormer's bound, (2/d)·Σ|S_j|"}, "A("},
    {{"S_j", "Σ_{l<j} e^{isθ_l}; Σ|S_j| is the sum over j = 1 … d/2"}, "S_j|S_{j+1}"},
    {{"e^{ia}", "cos a + i·sin a, where i² = −1"}, "e^{is|e^{im|e^{i(|e^{−iθ"},
    {{"s*, u*", "the first whole and the first real distance at which a statement fails"}, "s*|u*"},
    {{"turn", "a rotation by 2π; pair i completes one in its wavelength, 2π/θ_i positions"},
     "turn|turns|wavelength|wavelengths"},
    {{"θ̄_t", "He & Xu's θ_i with t = 2i"}, "θ̄"},
    {{"n₃, n₆, n₉", "He & Xu's number of tokens, d and L"}, "n₃|n₆|n₉"},
    {{"c1, c2, c3",
      "He & Xu's conditions: (c1) r̂ = r for tokens at one position; (c2) r̂ depends on i − j only; "
      "(c3) with q and k fixed, the larger |i − j|, the smaller |r̂ − r|, which they explain as: "
      "distant tokens influence each other less"},
     "(c1)|(c2)|(c3)"},
    {{"R0 … R10", "readings of (c3), one in each of the entries 001-c3-R0 to 001-c3-R10"},
     "R1|R2|R3|R5"},
    {{"table, row", "the cosines and sines that are stored, and those of one position"},
     "table|tables|rows of cos|cached row|cache"},
    {{"logit", "a score before softmax"}, "logit|logits"},
    {{"bits", "float32 has 24 significant bits, float16 and TF32 have 11, bfloat16 has 8"},
     "float16|TF32|bfloat16"},
};

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
    std::vector<bool> used(std::size(glossary));
    for (bool grows = true; std::exchange(grows, false);)
        for (std::size_t i = 0; i < used.size(); ++i) {
            const auto signs = split(glossary[i].signs, "|");
            const auto is_there = [&](std::string_view sign) { return has_sign(text, sign); };
            if (used[i] || std::ranges::none_of(signs, is_there)) continue;
            used[i] = grows = true;
            text += fmt::format("\n{}", glossary[i].word.meaning);
        }
    std::vector<Word> words;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) words.push_back(glossary[i].word);
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
