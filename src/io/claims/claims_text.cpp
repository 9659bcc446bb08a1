#include <fmt/format.h>

#include <vector>

#include "io/claims/claims.hpp"
#include "io/text/wrapped.hpp"

namespace rope::io {
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
    const std::string_view status = to_string(claim.claim.entry->status);
    return claim.supported() ? fmt::format("The computation agrees: {}.", status)
                             : fmt::format("NOT SUPPORTED by the computation: {}.", status);
}

std::string claims_text(std::span<const Claim> claims) {
    std::string text;
    const Work* work = nullptr;
    for (const auto& [of, entry] : claims) {
        if (of != work) text += (work == nullptr ? "" : "\n") + wrapped(heading(*of), 2);
        work = of;
        text += fmt::format("  {:<28}  {:<15}  {}\n", entry->id, to_string(entry->status),
                            entry->section);
        text += hanging("      ", entry->statement);
    }
    return text;
}

std::string claims_text(std::span<const DerivedClaim> claims) {
    std::string text;
    for (const DerivedClaim& one : claims) {
        const auto& [work, entry] = one.claim;
        if (!text.empty()) text += "\n";
        text += fmt::format("{}: {}\n", entry->id, to_string(entry->status));
        text += hanging("  ", heading(*work) + ", " + std::string(entry->section));
        text += "\n" + hanging("  ", entry->statement) + "\n";
        text += derivation_text(one.derivation);
        text += "\n" + hanging("  ", verdict_sentence(one));
        if (!entry->see.empty()) text += hanging("  ", fmt::format("See: {}", entry->see));
    }
    return text;
}

}  // namespace rope::io
