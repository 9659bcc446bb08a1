#include "rope/report/faults.hpp"

#include "rope/report/lookup.hpp"

namespace rope {
namespace {

// What is beyond an allowance by little: another rotation before this one adds its rounding to all
// values, and to those of position 0 all that they have.
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

bool is_beyond_by_little(const Report& report) {
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
