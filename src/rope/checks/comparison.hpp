// A subject compared with a Spec: what every check may use, the arithmetic that explains the
// subject's angles, and the frequencies and amplitude that fit its rows best.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/exact/phase.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// Which arithmetic a subject's angles are like: the least that explains every pair.

struct Comparison;

struct Profile {
    // Of each pair the least K that keeps every row within its allowance, a component within
    // rounding + K·2^-24·mθ and both within √2·rounding + K·2^-24·mθ; infinity after NaN.
    std::vector<double> k;
    // The most exact that explains every value. If none does, the one that explains most.
    Arithmetic arithmetic = Arithmetic::exact;
    bool explains = true;
    bool reduced = false;  // angles besides, modulo 2π and rounded once to float32
};

// What rounding an angle of less than 8 to float32 moves it by.
inline constexpr double reduced_angle_error = 0x1p-22;

// Of all rows but those at position 0. The comparison's slopes are not used.
// Of an arithmetic that explains most only if asked: that takes another pass.
Profile profile_of(const Comparison& comparison, unsigned threads, bool is_most_wanted = true);

// A subject held against a Spec: what every check may know.

struct Comparison {
    const Spec& spec;
    const FrequencyPlan& plan;  // the truth
    const RowSource& subject;
    std::vector<PlannedFrequency> effective = {};  // what the subject turns by: its own, or fitted
    double effective_amplitude = 1;
    std::uint64_t seed = 1;
    std::optional<double> max_error = {};  // of a component, that the user accepts
    std::vector<std::uint32_t> axis = {};  // of each pair
    std::vector<double> slope = {};        // K·2^-24·θ of each pair
    // K·2^-24·θ̃, which laws go by
    std::vector<double> effective_slope = {};
    std::vector<TurnRate> rates = {}, effective_rates = {};  // of the plan, of `effective`
    std::optional<Profile> profile = {};                     // of an unknown implementation
    double rounding = 0;            // of a cos or sin, that no position moves
    double storage = 0;             // √2·rounding, of a pair for amplitude 1
    bool rounds_positions = false;  // float32 does

    // Distance of a pair's (cos, sin) at m from the truth's, at most, for amplitude 1:
    // min(2, K·2^-24·|m|θ) + √2·rounding
    double allowance(double m, std::uint32_t pair) const;
    // The same from the place that the subject's own frequency gives it.
    double effective_allowance(double m, std::uint32_t pair) const;
    std::uint64_t context() const;  // |positions| < context
    // What positions that float32 does not hold add to K, rounded as they are.
    double position_k(Arithmetic arithmetic) const;
};

// The first position of a subject at which rounding alone may move a pair by more than a tenth of
// its radius: an allowance that says nothing.
struct Uncarried {
    std::uint64_t position;
    std::uint32_t pair;
};
std::optional<Uncarried> first_uncarried(const Comparison& comparison);

Comparison make_comparison(const Spec& spec, const FrequencyPlan& plan, const RowSource& subject,
                           std::uint64_t seed, unsigned threads = 1);

// The frequencies and the amplitude that a dump really turns by.

struct Fit {
    std::vector<BigReal> inv_freq;  // one per pair, of either sign
    double amplitude = 1;           // √ of the mean of cos² + sin²
};

// Per pair, of three lines through its angles the one that comes nearest to all rows: the plan's
// own, and two by least squares, of angles unwrapped by the plan's θ and of angles unwrapped each
// by the line through those before it (the turn from one row to the next gives θ modulo 2π/gap;
// the plan's θ picks the branch). So a subject within the comparison's allowances of the truth is
// within them of the fit too, and satisfies every law. Rows that are not finite are passed over.
// The comparison's effective_* are not used.
Fit fit_frequencies(const Comparison& comparison);

}  // namespace rope
