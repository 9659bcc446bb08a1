// One pair of a head rotated by a row of a table as it lies, and how far roundings may move it.
#pragma once

#include <cmath>

#include "rope/number/format.hpp"

namespace rope {

// y1 = c·x1 − s·x2, y2 = s·x1 + c·x2, and rounding·(|c·x1| + |s·x2|) + the format's least step.
struct AppliedPair {
    double first, second;
    double first_allowed, second_allowed;
};

class PairApplication {
  public:
    // `rounding`: of both products and their sum, relative.
    PairApplication(Format format, double rounding)
        : rounding_(rounding),
          least_(std::ldexp(1, smallest_exponent(format) - precision_bits(format) + 2)) {}

    AppliedPair operator()(double c, double s, double x1, double x2) const {
        const double c1 = c * x1, s2 = s * x2, s1 = s * x1, c2 = c * x2;
        return {c1 - s2, s1 + c2, rounding_ * (std::abs(c1) + std::abs(s2)) + least_,
                rounding_ * (std::abs(s1) + std::abs(c2)) + least_};
    }

  private:
    double rounding_, least_;
};

}  // namespace rope
