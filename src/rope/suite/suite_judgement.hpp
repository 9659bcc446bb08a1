// An implementation's answer beside the suite's.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "rope/suite/suite.hpp"

namespace rope {

// The value that is worst by its allowance. Lanes that do not turn must be as they were.
struct SuiteWorst {
    double ratio = 0;  // |got − want|/allowed; infinite for NaN, and where nothing is allowed
    std::size_t row = 0, lane = 0;
    double got = 0, want = 0, allowed = 0;

    bool holds() const { return ratio <= 1; }
};

// One output of a case in one format. The case and its values must outlive it.
class SuiteTest {
  public:
    SuiteTest(const SuiteCase& suite_case, const SuiteValues& values, SuiteOutput output,
              Format format);

    // For angles computed by this arithmetic. Requires rows × head_dim values.
    SuiteWorst worst(std::span<const double> got, Arithmetic arithmetic) const;
    const std::vector<double>& want() const { return want_; }

  private:
    const SuiteCase& case_;
    const SuiteValues& values_;
    SuiteOutput output_;
    Format format_;
    std::vector<double> want_;
};

}  // namespace rope
