// A decimal as a text prints it: its digits say how exactly it is known.
#pragma once

#include <string>
#include <string_view>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

class Figure {
  public:
    // "2049", "0.7168", "-1.53e-3": digits, with a point and an exponent or without
    explicit Figure(std::string_view text);

    std::string_view text() const { return text_; }
    BigReal value() const;
    BigReal last_place() const;  // one unit of its last digit

    // Within half a unit of the last digit; a whole number must be met exactly.
    bool is_met_by(const BigReal& x) const;

    // x rounded to the same last digit, in the same notation.
    std::string rounded(const BigReal& x) const;

  private:
    std::string text_;
    long decimals_ = 0;  // after the point
    long exponent_ = 0;
    bool is_whole_ = true;
};

}  // namespace rope::ledger
