// The fewest mistakes that turn the truth into a dump: every combination is replayed.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/reading.hpp"
#include "rope/diagnose/replay.hpp"
#include "rope/evidence/hypothesis.hpp"

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

// One pair whose frequency is another, beside what leaves no pair a line of its own.

// Of the readings' asked frequencies, all but one pair of which are explained by other mistakes, at
// most `most` in all: the pair's own frequency then follows from where these put each row.
std::vector<Replay> search_odd_pair(const std::vector<DumpReading>& readings, int most,
                                    const Verify& verify);

// The candidate frequencies that a dump is searched by, likeliest first.

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

// What turns the truth into a part of a dump, proved on every row of it.

struct PartFinding {
    std::vector<Explanation> explanations;
    // Holds other groups against it; nothing where only these rows can be. Refers to the part,
    // which must outlive it.
    std::function<std::vector<GroupErrors>(const std::vector<std::size_t>& groups)> sweep = {};
    std::optional<Spec> spec = {};  // of the replay, where a Spec plans its frequencies
};

// None where nothing explains every row. `all` are the part's readings.
std::optional<PartFinding> find_in_part(const Spec& asked, const DumpPart& part,
                                        const std::shared_ptr<const std::vector<DumpReading>>& all);
// The same, by rows at the number of their head alone.
std::optional<PartFinding> find_along_heads(
    const Spec& asked, const DumpPart& part,
    const std::shared_ptr<const std::vector<DumpReading>>& all);
// The same of frequencies alone.
std::vector<Explanation> find_in_frequencies(const Spec& asked,
                                             const std::vector<DumpReading>& all);

// Rows numbered from 0 on that were rotated as several sequences packed into one.

// By the first reading, the Spec's: every row follows the one before it or is at position 0. None
// where any does not, or positions are not the rows' numbers.
std::optional<PartFinding> find_restarts(const std::shared_ptr<const std::vector<DumpReading>>& all,
                                         const DumpPart& part);

}  // namespace rope
