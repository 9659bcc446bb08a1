// The candidate frequencies that a dump is searched by, likeliest first.
#pragma once

#include <map>
#include <vector>

#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/reading.hpp"

namespace rope {

// The usual ones of each reading, computed once, and those fitted to its phase lines.
class UsualList {
  public:
    std::vector<Frequencies> operator()(const DumpReading& reading,
                                        const std::vector<PhaseLine>& lines);

  private:
    std::map<const DumpReading*, std::vector<Frequencies>> of_;
};

// Costlier ones; two changes at once; the asked ones of which the last are 0; the usual ones of
// vectors that are rotated by them twice.
// Each begins with the asked ones.
std::vector<Frequencies> unusual(const DumpReading& reading, const std::vector<PhaseLine>& lines);
std::vector<Frequencies> doubly_changed(const DumpReading& reading,
                                        const std::vector<PhaseLine>& lines);
std::vector<Frequencies> ending_still(const DumpReading& reading,
                                      const std::vector<PhaseLine>& lines);
std::vector<Frequencies> twice_of(UsualList& usual, const DumpReading& reading,
                                  const std::vector<PhaseLine>& lines);

}  // namespace rope
