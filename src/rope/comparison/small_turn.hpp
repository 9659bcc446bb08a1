// A pair of lanes turned by an angle, and by how much the number formats on the way may move it.
#pragma once

#include "rope/number/format.hpp"

namespace rope {

class TurnFormats {
  public:
    // Of x, the products and y; and of cos and sin.
    TurnFormats(Format values, Format table, double amplitude = 1);

    Format values() const { return values_; }
    double amplitude() const { return amplitude_; }
    double roundoff_of_values() const { return u_; }
    double roundoff_of_table() const { return u_table_; }
    double roundoff() const { return u_ > u_table_ ? u_ : u_table_; }  // the coarser one
    // What may become 0 of a value, and of a cos or sin.
    double lost(double value) const;
    double lost_of_table(double value) const;

    double scale_rounding = 0;  // of what y was divided by, in proportion

  private:
    Format values_;
    double amplitude_, u_, u_table_, least_, least_of_table_;
};

struct TurnedLane {
    double value;
    double slope;  // dy/dφ·φ: by how much it changes per change of the rate, in proportion
    double error;  // by which rounding may move it, at most
};

// y1 = C·x1 − S·x2, y2 = C·x2 + S·x1 with C = a·cos φ, S = a·sin φ
class SmallTurn {
  public:
    SmallTurn(double angle, const TurnFormats& formats);

    struct Turned {
        TurnedLane first, second;
    };
    // The values and slopes alone, and then their errors; x1 and x2 moved by as much as that when
    // they were rounded to the format of the values.
    Turned of(double x1, double x2) const;
    void add_errors(Turned& turned, double x1, double x2, double moved1, double moved2) const;

  private:
    // Of C and S, and of a product with them, in proportion to x.
    struct Errors {
        double c, s;
    };
    Errors errors() const;
    double error_of(const Errors& errors, double value, double same, double other,
                    double moved_same, double moved_other) const;

    const TurnFormats& formats_;
    double angle_, c_, s_;
};

}  // namespace rope
