// What could have made a dump, and how far the dump is from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/diagnose/evidence/samples.hpp"
#include "rope/number/format.hpp"

namespace rope {

// How a pair (cos, sin) of angle φ was written: as e^{iψ}.
enum class Orientation {
    right,     // ψ = φ
    reversed,  // ψ = −φ      sin negated, or the transpose applied
    swapped,   // ψ = π/2 − φ cos and sin exchanged
    rotated,   // ψ = π/2 + φ both: (−sin, cos)
    opposite,  // ψ = π + φ   both negated
    mirrored,  // ψ = π − φ   cos negated
};
double oriented(Orientation turn, double angle);

// Position p in place of m.
struct PositionMap {
    enum class Kind {
        same,
        affine,
        constant,
        clamp,
        raised,  // p = max(m, offset)
        wrap,
        run,
        quotient,  // p = ⌊m/scale⌋
        rounded,
        switched,
        signed_wrap,
        unsigned_wrap,
        magnitude,  // p = |m|
        truncated,  // p = m without its fraction
        nearest,    // p = the whole number nearest to m
        stopped,    // p = m for m < from, else 0
        chunks      // p = m + offset·⌊m/scale⌋
    };
    Kind kind = Kind::same;
    double scale = 1;  // affine: p = scale·m + offset;   run: p = scale·⌊m/scale⌋
    // signed_wrap: m modulo `offset`, from −offset/2 to offset/2 − 1; unsigned_wrap: from 0 on
    double offset =
        0;            // constant: p = offset;   clamp: p = min(m, offset);   wrap: p = m mod offset
    double from = 0;  // switched: p = m + offset for m ≥ from, else m
    Format format = Format::float32;  // rounded
    double before = 0, after = 0;     // added to m, and to p
    double operator()(double m) const;
};

// What one of several axes is given: ids of Samples::elsewhere instead of its own, mapped.
struct AxisPlace {
    std::optional<std::size_t> elsewhere = {};
    PositionMap map = {};
};

// Where the angle was rounded, as in Pipeline, and what was accumulated.
struct Rounding {
    enum class Method { product, recurrence, accumulated };
    Format inv_freq = Format::float32;
    Format position = Format::float32;
    Format product = Format::float32;
    Format table = Format::float64;  // float64: nothing beyond the samples' storage
    Method method = Method::product;
    RoundingMode mode = RoundingMode::nearest_even;  // of what is narrower than float32

    bool operator==(const Rounding&) const = default;
    // Then no entry is further from 0 than it should be. `mode` is that of what else is rounded.
    bool cuts_table() const {
        return *this == Rounding{.table = table, .mode = RoundingMode::toward_zero} &&
               table != Format::float64;
    }
};

struct Hypothesis {
    std::vector<double> theta;        // radians per position, of each pair
    std::vector<double> angle_k;      // the angle may be off by K·2^-24·mθ
    std::vector<std::uint32_t> axis;  // of each pair
    double amplitude = 1;
    Orientation turn = Orientation::right;
    PositionMap position = {};
    Rounding rounding = {};
    std::vector<AxisPlace> places = {};  // of each axis; empty: its own ids by `position`

    // The ids that a row of a pair is given, and what becomes of them.
    double given(const Samples& samples, std::size_t row, std::uint32_t pair) const;
    const PositionMap& map_of(std::uint32_t pair) const {
        return places.empty() ? position : places[axis[pair]].map;
    }
};

// Angles that an implementation with these roundings may arrive at: the library's pow moves
// inv_freq by a few units of 2^-24, which may tip any rounding after it. As many for every pair.
struct ExpectedAngles {
    std::array<double, 3> values;
    std::size_t count;
};
ExpectedAngles expected_angles(const Hypothesis& hypothesis, double m, std::uint32_t pair);

// How far a sample, by its modulus and angle, is from where an angle puts it.
double sample_distance(double modulus, double angle, double expected);

// The largest error over its allowance, or any beyond `limit`. Values that are not finite are
// explained only by a prediction that is not. `until`: number of rows.
double misfit(const Samples& samples, const Hypothesis& hypothesis, double limit,
              std::optional<std::size_t> until = {});

// The same of one pair.
double pair_misfit(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                   double limit);

// K of the pair at a position that the hypothesis puts in a row's place: one that was scaled is
// rounded, and so is 2^24 and beyond.
double angle_k_at(const Hypothesis& hypothesis, double position, std::uint32_t pair);

// What storage adds to an error, and what position·θ does, for amplitude 1.
double stored_allowance(const Samples& samples, const Hypothesis& hypothesis);
double angle_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                       std::uint32_t pair);
// Both.
double sample_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                        std::uint32_t pair);

}  // namespace rope
