// Replay: one combination of mistakes, compared with a dump. The search for the combination of the
// fewest mistakes that explains every row.
#pragma once

#include <deque>
#include <functional>
#include <memory>
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

// Where numbers were rounded that should not have been.

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

// The fewest mistakes that turn the truth into a dump: every combination is replayed.

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

// What a description of moved rows may consist of: at most three runs of rows, starts of packed
// sequences or a permutation; or any runs, once no other explanation is found.
enum class MovedRows { in_few_words, in_any_words };

// Rows at whole positions that no single rule gives: packed sequences, padding, another order of
// the rows, single rows; the same in each batch entry or not. Reads every row of the part with the
// frequencies of the first reading. Returns nullopt if a row is at no position near those of the
// dump, or if one rule of positions gives them all.
std::optional<PartFinding> find_moved_rows(
    const std::shared_ptr<const std::vector<DumpReading>>& all, const DumpPart& part,
    MovedRows which);

}  // namespace rope
