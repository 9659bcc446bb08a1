// turn-rate: whether the slow pairs of a 16-bit dump rotate at the config's frequencies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rope/exact/format.hpp"
#include "rope/rows/dump.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// The number formats in which a rotation y = a·R(φ)x was computed.
class RotationFormats {
  public:
    // `values`: format of x, the products and y. `table`: format of cos and sin. `amplitude`: a.
    RotationFormats(Format values, Format table, double amplitude = 1)
        : values_(values),
          amplitude_(amplitude),
          u_(unit_roundoff(values)),
          u_table_(unit_roundoff(table)),
          least_(least_kept(values)),
          least_of_table_(least_kept(table)) {}

    Format values() const { return values_; }
    double amplitude() const { return amplitude_; }
    double roundoff_of_values() const { return u_; }
    double roundoff_of_table() const { return u_table_; }
    double roundoff() const { return u_ > u_table_ ? u_ : u_table_; }
    // The error of a value, or of a cos or sin, that may be flushed to 0 because it is subnormal.
    double lost(double value) const { return std::abs(value) < least_ ? std::abs(value) : 0; }
    double lost_of_table(double value) const {
        return std::abs(value) < least_of_table_ ? std::abs(value) : 0;
    }

    double scale_rounding = 0;  // relative error of the factor by which y was divided
    Roundings roundings = Roundings::once;

  private:
    // Implementations may flush subnormal numbers to 0, those of float16 or of a narrower range.
    static double least_kept(Format format) {
        return std::ldexp(1.0,
                          std::max(smallest_exponent(format), smallest_exponent(Format::float16)));
    }

    Format values_;
    double amplitude_, u_, u_table_, least_, least_of_table_;
};

struct RotatedValue {
    double value;
    double slope;  // φ·dy/dφ, the change of the value per relative change of the angle
    double error;  // largest error that rounding can explain
};

// y1 = C·x1 − S·x2, y2 = C·x2 + S·x1 with C = a·cos φ and S = a·sin φ
class SmallRotation {
  public:
    // Keeps a reference to the formats.
    SmallRotation(double angle, const RotationFormats& formats);

    struct Rotated {
        RotatedValue first, second;
    };
    // Returns values and slopes; their errors are 0.
    Rotated of(double x1, double x2) const;
    // Sets the errors. `moved1` and `moved2` are the errors of x1 and x2.
    void add_errors(Rotated& rotated, double x1, double x2, double moved1, double moved2) const;

  private:
    struct Errors {
        double c, s;
    };
    Errors errors() const;
    double error_of(const Errors& errors, double value, double same, double other,
                    double moved_same, double moved_other) const;

    const RotationFormats& formats_;
    double angle_, c_, s_;
};

// A pair that no row rotates by more than 1/4 radian. The tolerance of a single 16-bit value hides
// such angles. All values together determine the ratio r of the pair's frequency to the config's:
// a value that differs by e = y − y(φ) satisfies e = (r − 1)·D + rounding with D = φ·dy/dφ and
// |rounding| ≤ ε. Least squares over the values with |D| ≥ 4ε, weighted by 1/ε²:
//     r − 1 = Σ eD/ε² / Σ D²/ε², with an error of at most Σ |D|/ε / Σ D²/ε² ≤ 1/4
// even if all roundings depend on each other.
class RateFit {
  public:
    // `tolerance`: of r − 1.
    void add(double e, const RotatedValue& value, double tolerance) {
        const double d = value.slope / value.error;
        off_ = std::max(off_, std::abs(e / value.error) - std::abs(d) * tolerance);
        moved_ += e / value.error * d;
        size_ += d * d;
        error_ += std::abs(d);
        ++values_;
    }
    void add(const RateFit& other) {
        moved_ += other.moved_;
        size_ += other.size_;
        error_ += other.error_;
        off_ = std::max(off_, other.off_);
        values_ += other.values_;
    }
    std::uint64_t values() const { return values_; }
    // Whether every value is that of r = 1, up to rounding.
    bool has_only_right() const { return off_ <= 1; }
    // The following require values() > 0.
    double deviation() const { return moved_ / size_; }  // r − 1
    double allowed() const { return error_ / size_; }    // largest error of r − 1
    // Six standard deviations of r − 1 if the roundings are independent and uniform in ±ε.
    double likely() const { return 6 / std::sqrt(3 * size_); }

  private:
    double moved_ = 0, size_ = 0, error_ = 0, off_ = 0;
    std::uint64_t values_ = 0;
};

struct SlowPair {
    std::uint32_t pair;
    std::uint32_t axis;
    double theta;
    // |r − 1| that is allowed in addition to the rounding of y: inv_freq, the position and their
    // product may each be rounded to 16 bits, and float32 arithmetic has its own error.
    double tolerance;
};

// Reads the values of all slow pairs of a dump, row by row.
class SlowPairs {
  public:
    // Keeps a reference to the dump. `table`: the format to which cos and sin may be rounded.
    // `axis`: of each pair; empty: the Spec's.
    SlowPairs(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
              std::vector<std::uint32_t> axis = {});

    const std::vector<SlowPair>& pairs() const { return pairs_; }
    std::uint64_t groups() const;  // batch entries × heads, or 1 if there are more than 4096
    const RotationFormats& formats() const { return formats_; }

    struct Rotation {
        std::size_t k;        // index in pairs()
        std::uint64_t group;  // batch entry · heads + head
        double position, angle, x1, x2, y1, y2;
    };
    // Skips rows at position 0 and vectors that are 0 in the pair.
    void for_each(const std::function<void(const Rotation&)>& visit) const;
    // Largest error of x before the rotation.
    double moved(double x, const Rotation& rotation) const;

  private:
    DumpedRows rows_;
    PairReader values_;
    RotationFormats formats_;
    std::vector<SlowPair> pairs_;
};

struct RateFits {
    std::vector<std::vector<RateFit>> of;  // [pair k][group]
    std::vector<RateFit> of_pair;          // all groups of pair k together
    std::vector<double> farthest;          // largest position of a value in the fit, by k

    // The fit of pair k in these groups; in all if `groups` is empty.
    RateFit in(std::size_t k, std::span<const std::size_t> groups) const;
};
RateFits fit_rates(const SlowPairs& slow);

bool is_in_16_bits(const Dump& dump, Format table);

// |r − 1| divided by its tolerance; 0 if no value determines r.
double share_off(const RateFit& fit, const SlowPair& pair, Roundings roundings = Roundings::once);

// Pairs that fail turn-rate.
struct OddPairs {
    std::vector<std::uint32_t> pairs = {};
    std::vector<std::size_t> groups = {};  // the only ones in which they fail; empty: all
    bool are_still = false;                // none of them rotates
};

// Returns the pairs whose fits are off, in all groups together or in one.
OddPairs odd_pairs(const SlowPairs& slow, const RateFits& fits);

// Returns, for example, "pairs 40–63 of 64 do not rotate".
std::string in_words(const OddPairs& odd, const SlowPairs& slow, const RateFits& fits,
                     const Spec& spec);

}  // namespace rope
