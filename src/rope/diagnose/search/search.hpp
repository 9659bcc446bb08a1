// The fewest mistakes that turn the truth into a dump: every combination is replayed.
#pragma once

#include <functional>
#include <vector>

#include "rope/diagnose/search/replay.hpp"

namespace rope {

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

// The same of one reading by these frequencies alone.
std::vector<Replay> search_as_planned(const DumpReading& reading, const Frequencies& plan,
                                      int most);

// The same by lines through angles of 16 bits, and with a rounding only: for what search does not
// find.
std::vector<Replay> search_rounded(const std::vector<DumpReading>& readings,
                                   const FrequencyList& list, int most, const Verify& verify = {});

}  // namespace rope
