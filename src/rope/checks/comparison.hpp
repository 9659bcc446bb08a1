// A subject and the Spec it is compared with: the data of every check, the class of arithmetic of
// the subject's angles, and the frequencies and amplitude fitted to its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/exact/phase.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// The class of arithmetic of a subject's angles: the most accurate that explains every pair.

struct Comparison;

struct Profile {
    // For each pair the least K for which all rows are within tolerance: each cos and sin within
    // rounding + K·2^-24·mθ and each pair within √2·rounding + K·2^-24·mθ; infinity for NaN. Less
    // if no class explains every value.
    std::vector<double> k;
    // The most accurate class that explains every value; if none does, the one that explains most.
    Arithmetic arithmetic = Arithmetic::exact;
    bool explains = true;
    bool reduced = false;  // whether angles are also reduced modulo 2π and rounded once to float32
};

// Uses all rows except those at position 0, but not comparison.slope. If no class explains all
// values, the one that explains most is determined only if `is_most_wanted`, in another pass.
Profile profile_of(const Comparison& comparison, bool is_most_wanted = true);

// A subject compared with a Spec: the data of every check.
struct Comparison {
    const Spec& spec;
    const FrequencyPlan& plan;  // exact
    const RowSource& subject;
    std::vector<PlannedFrequency> effective = {};  // frequencies of the subject, known or fitted
    double effective_amplitude = 1;
    std::uint64_t seed = 1;
    unsigned threads = 1;
    std::optional<double> max_error = {};  // tolerance of one cos or sin value, set by the user
    std::vector<std::uint32_t> axis = {};  // axis of each pair
    std::vector<double> slope = {};        // K·2^-24·θ of each pair
    // K·2^-24·θ̃ of each pair, for laws
    std::vector<double> effective_slope = {};
    std::vector<TurnRate> rates = {}, effective_rates = {};  // of `plan`, of `effective`
    std::optional<Profile> profile = {};                     // only for an unknown implementation
    double rounding = 0;            // error of one cos or sin, independent of the position
    double storage = 0;             // √2·rounding: error of one pair for amplitude 1
    bool rounds_positions = false;  // whether float32 rounds some of the positions

    // Returns the tolerance of the distance between a pair's (cos, sin) at m and the exact values,
    // for amplitude 1: min(2, K·2^-24·|m|θ) + √2·rounding.
    double tolerance(double m, std::uint32_t pair) const;
    // Returns the tolerance of the distance from the values of the subject's frequencies.
    double effective_tolerance(double m, std::uint32_t pair) const;
    std::uint64_t context() const;  // |positions| < context
    // Returns the addition to K for positions that float32 must round.
    double position_k(Arithmetic arithmetic) const;
};

// First position at which rounding may move a pair by more than a tenth of its radius, so that a
// tolerance is meaningless from there on.
struct Uncarried {
    std::uint64_t position;
    std::uint32_t pair;
};
std::optional<Uncarried> first_uncarried(const Comparison& comparison);

Comparison make_comparison(const Spec& spec, const FrequencyPlan& plan, const RowSource& subject,
                           std::uint64_t seed, unsigned threads = 1);

}  // namespace rope
