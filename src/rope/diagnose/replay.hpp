// Where numbers were rounded that should not have been.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/changes/reading.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/report/report.hpp"

namespace rope {

struct RoundingMistake {
    std::string_view mistake;
    std::string_view format;  // for the parameters
    std::string_view what;
    Rounding rounding;

    // Where several numbers were rounded, with which.
    NamedMistake named() const;
};

// The explicit table, the single roundings first.
std::span<const RoundingMistake> rounding_mistakes();

// One combination of mistakes, held against a dump's samples.

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

// A replay held against every row of a part, and not its samples alone.

// Whether rows follow from those before them, which no row alone can be held against.
bool is_stepped(const Replay& replay);

std::vector<GroupErrors> sweep_of(const Replay& replay, const DumpPart& part,
                                  const std::vector<std::size_t>& groups);

// Settles the exact row of a switch and the largest error, `replay.after`.
bool explains_all(Replay& replay, const DumpPart& part);

// The largest error of any row.
double worst_of_all(const Replay& replay, const DumpPart& part);

// The largest error of a part over its tolerance where nothing is corrected. `asked` is the first
// of its readings; infinite where that is of another width.
double error_as_asked(const DumpReading& asked, const DumpPart& part);

}  // namespace rope
