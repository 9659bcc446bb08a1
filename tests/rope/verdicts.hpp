// The verdicts of a subject's laws and conformance, in one line.
#pragma once

#include <string>
#include <vector>

#include "rope/session/judge.hpp"

namespace rope {

// Without claims, which do not depend on the subject, and without checks that need an audit,
// negative positions or 16-bit dumps.
inline std::vector<std::string> laws_and_conformance() {
    std::vector<std::string> ids;
    for (const Check& check : checks())
        if (check.kind != Kind::claim && !check.is<CheckAnswers>() && !check.needs_negative &&
            !check.needs_max_error && !check.needs_16_bits)
            ids.emplace_back(check.id);
    return ids;
}

inline Report judge_subject(const Spec& spec, const RowSource& subject, std::uint64_t seed = 1) {
    return judge(spec, subject, {seed, laws_and_conformance()});
}

// One character for each check, in report order: X violated, . passes, - not applicable.
inline std::string marks(const Report& report) {
    std::string text;
    for (const Finding& finding : report.findings) {
        if (!text.empty()) text += ' ';
        text += finding.verdict == Verdict::violated ? 'X'
                : finding.verdict == Verdict::holds  ? '.'
                                                     : '-';
    }
    return text;
}

inline std::string marks(const Spec& spec, const RowSource& subject, std::uint64_t seed = 1) {
    return marks(judge_subject(spec, subject, seed));
}

}  // namespace rope
