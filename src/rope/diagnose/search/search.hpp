// The fewest mistakes that turn the truth into a dump: every combination is replayed.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/reading.hpp"
#include "rope/diagnose/search/position_map.hpp"
#include "rope/diagnose/search/roundings.hpp"

namespace rope {

// One combination that leaves no value outside its allowance.
struct Replay {
    const DumpReading* reading = nullptr;
    Orientation turn = Orientation::right;
    Frequencies frequencies;
    double amplitude = 1;
    bool fitted_amplitude = false;  // not the frequencies'
    std::optional<PositionRule> positions;
    const RoundingMistake* rounding = nullptr;
    double after = 0;
    int cost = 0;
    bool verified = false;  // beyond the samples

    Hypothesis hypothesis() const;
    std::vector<NamedMistake> mistakes() const;  // the mistakes it takes, likeliest causes first
};

// Candidate frequencies for a reading and its phase lines; some are unlikely: `cost`.
using FrequencyList = std::function<std::vector<Frequencies>(const DumpReading& reading,
                                                             const std::vector<PhaseLine>& lines)>;

// Whether a replay that explains the samples explains everything else too; it may make a parameter
// that samples leave open exact.
using Verify = std::function<bool(Replay& replay)>;

// All replays of the least cost, at most `most`, in the order of readings and frequencies. Once one
// of a cost is verified, others of that cost are not, and come after it.
std::vector<Replay> search(const std::vector<DumpReading>& readings, const FrequencyList& list,
                           int most, const Verify& verify = {});

// √ of the mean of cos² + sin² over finite samples.
double fitted_amplitude(const Samples& samples);

}  // namespace rope
