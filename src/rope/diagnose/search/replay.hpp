// One combination of mistakes, held against a dump's samples.
#pragma once

#include <optional>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/changes/reading.hpp"
#include "rope/diagnose/search/roundings.hpp"

namespace rope {

// One combination that leaves no value outside its allowance.
struct Replay {
    const DumpReading* reading = nullptr;
    Orientation turn = Orientation::right;
    Frequencies frequencies;
    double amplitude = 1;
    bool fitted_amplitude = false;          // not the frequencies'
    std::optional<PositionRule> positions;  // of every axis
    std::vector<AxisRule> on_axes;
    const RoundingMistake* rounding = nullptr;
    double after = 0;
    int cost = 0;
    bool verified = false;  // beyond the samples

    int cost_of_positions() const;
    std::optional<double> scale() const;  // by which positions are multiplied, where that is one
    // Whether vectors that are rotated twice could be so by one rotation of this orientation, table
    // and position, composed with itself; true of all others.
    bool is_composed() const;
    Hypothesis hypothesis() const;
    std::vector<NamedMistake> mistakes() const;  // the mistakes it takes, likeliest causes first
};

// √ of the mean of cos² + sin² over the middle half of finite samples.
double fitted_amplitude(const Samples& samples);

}  // namespace rope
