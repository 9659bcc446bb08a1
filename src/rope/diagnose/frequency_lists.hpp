// The candidate frequencies that a dump is searched by, likeliest first.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/reading.hpp"

namespace rope {

// What is worked out once for each Spec: most readings differ in nothing that it depends on.
class ListsOfSpecs {
  public:
    template <class Make>
    const std::vector<Frequencies>& of(const Spec& spec, const Make& make) {
        for (const auto& [own, list] : lists_)
            if (own == spec) return list;
        return lists_.emplace_back(spec, make()).second;
    }

  private:
    std::deque<std::pair<Spec, std::vector<Frequencies>>> lists_;
};

// The usual ones of each reading, and those fitted to its phase lines.
class UsualList {
  public:
    std::vector<Frequencies> operator()(const DumpReading& reading,
                                        const std::vector<PhaseLine>& lines);

  private:
    ListsOfSpecs of_tables_, of_vectors_;
};

// Costlier ones; two changes at once; the asked ones of which the last are 0; the usual ones of
// vectors that are rotated by them twice.
// Each begins with the asked ones.
std::vector<Frequencies> unusual(ListsOfSpecs& all, const DumpReading& reading);
std::vector<Frequencies> doubly_changed(const DumpReading& reading,
                                        const std::vector<PhaseLine>& lines);
std::vector<Frequencies> ending_still(const DumpReading& reading,
                                      const std::vector<PhaseLine>& lines);
std::vector<Frequencies> twice_of(UsualList& usual, const DumpReading& reading,
                                  const std::vector<PhaseLine>& lines);

}  // namespace rope
