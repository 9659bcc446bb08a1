#include "rope/report/report.hpp"

#include <algorithm>

namespace rope {

std::string_view to_string(Kind kind) {
    constexpr std::string_view names[] = {"law", "conformance", "claim"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Verdict verdict) {
    constexpr std::string_view names[] = {"holds", "violated", "not_applicable"};
    return names[static_cast<std::size_t>(verdict)];
}

Summary summarize(const Report& report) {
    Summary sum;
    for (const Finding& finding : report.findings) {
        const bool claim = finding.kind == Kind::claim;
        switch (finding.verdict) {
            case Verdict::holds:
                ++(claim ? sum.claims_hold : sum.holds);
                break;
            case Verdict::violated:
                ++(claim ? sum.claims_violated : sum.violated);
                break;
            case Verdict::not_applicable:
                sum.not_applicable += claim ? 0 : 1;
                break;
        }
    }
    return sum;
}

bool gates(const Finding& finding, const std::vector<std::string>& required_claims) {
    return finding.kind != Kind::claim || std::find(required_claims.begin(), required_claims.end(),
                                                    finding.check) != required_claims.end();
}

std::string first_observation(const Report& report) {
    std::string text;
    for (const std::string& one : report.observations) {
        text += (text.empty() ? "" : " ") + one;
        if (!text.ends_with(':')) break;
    }
    return text;
}

int exit_code(const Report& report, const std::vector<std::string>& required_claims) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(report.findings.begin(), report.findings.end(),
                           [&](const Finding& finding) {
                               return finding.verdict == verdict && gates(finding, required_claims);
                           });
    };
    if (any(Verdict::violated)) return 1;
    return any(Verdict::holds) ? 0 : 2;
}

namespace {

// Largest ratio of observed to allowed after one more rotation, which adds its rounding to every
// value and all of its rounding to the values of position 0.
constexpr double little = 4;

bool is_by_little(const Finding& finding, double of_a_value) {
    return finding.observed <= little * finding.allowed ||
           (finding.check == "identity-at-zero" && finding.observed <= of_a_value);
}

}  // namespace

bool is_fault(const Finding& finding) {
    return finding.kind != Kind::claim && finding.verdict == Verdict::violated &&
           finding.check != "max-error";
}

bool is_marginal(const Report& report) {
    const Finding* accuracy = find_finding(report, "table-accuracy");
    bool any = false;
    for (const Finding& finding : report.findings) {
        if (!is_fault(finding)) continue;
        any = true;
        if (!accuracy || !is_by_little(finding, accuracy->allowed)) return false;
    }
    return any;
}

}  // namespace rope
