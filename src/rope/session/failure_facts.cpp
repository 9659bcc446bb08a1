#include "rope/session/failure_facts.hpp"

#include <cmath>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/report/report.hpp"

namespace rope {
namespace {

// "1.37 times its allowance", upwards; the error itself where the ratio says nothing.
std::string size_of(const Finding& finding) {
    const double ratio = finding.observed / finding.allowed;
    if (ratio < 1e6) return decimal(std::ceil(100 * ratio) / 100) + " times its allowance";
    return std::isfinite(finding.observed) ? "off by " + decimal(few_digits(finding.observed, 0.01))
                                           : "not finite";
}

std::string fact_of(const Finding& finding) {
    std::string fact = finding.check + ": ";
    if (finding.violations)
        fact += decimal(finding.violations->count) + " of " + decimal(finding.samples) +
                " values exceed their allowance, first at position " +
                decimal(finding.violations->first_position) + ", pair " +
                decimal(finding.violations->first_pair) + "; ";
    fact += "the worst is " + size_of(finding);
    if (!finding.worst) return fact;
    const std::vector<double>& at = finding.worst->positions;
    fact += at.size() == 1 ? ", at position " : ", at positions ";
    fact += join(at, [](double position) { return decimal(position); });
    if (finding.worst->pair) fact += ", pair " + decimal(*finding.worst->pair);
    return fact;
}

}  // namespace

std::vector<std::string> failure_facts(const Report& report) {
    std::vector<std::string> facts;
    for (const Finding& finding : report.findings)
        if (is_fault(finding)) facts.push_back(fact_of(finding));
    return facts;
}

}  // namespace rope
