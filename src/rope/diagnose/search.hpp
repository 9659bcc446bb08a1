// Combinations of mistakes, and the search for the one with the fewest that explains every row of
// a dump.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/checks/report.hpp"
#include "rope/evidence/hypothesis.hpp"

namespace rope {

// Returns the roundings that may be mistakes, those of a single number first.
std::span<const Rounding> wrong_roundings();
// Returns the mistake; if several numbers were rounded, with a list of them.
NamedMistake named_rounding(const Rounding& rounding);

// A combination of mistakes with which every sampled value is within its tolerance.
struct Combination {
    const DumpView* view = nullptr;
    Orientation turn = Orientation::right;
    Frequencies frequencies;
    double amplitude = 1;
    bool fitted_amplitude = false;  // is not the frequencies' amplitude
    PositionRules positions;
    const Rounding* rounding = nullptr;
    double after = 0;  // largest error divided by its tolerance
    int cost = 0;
    bool verified = false;  // explains every row, not only the samples

    // The rule for every axis; null if there is none.
    const PositionRule* everywhere() const {
        return positions.empty() || !positions[0].axes.empty() ? nullptr : &positions[0];
    }
    PositionMap map() const { return everywhere() ? everywhere()->map : PositionMap{}; }
    int cost_of_positions() const;
    std::optional<double> scale() const;  // of positions, if there is one
    // Returns false for vectors rotated twice if this orientation, table and positions cannot come
    // from one rotation applied twice.
    bool is_composed() const;
    Hypothesis hypothesis() const;
    std::vector<NamedMistake> mistakes() const;  // likeliest causes first
};

// Returns whether angles are stepped in float32 (method accumulated or recurrence). Such a
// combination is compared with the samples only.
bool is_stepped(const Combination& combined);

// Compares every row of the groups with the combination. A group is given up at its first wrong
// row.
std::vector<GroupErrors> sweep_of(const Combination& combined, const DumpPart& part,
                                  const std::vector<std::size_t>& groups);

// Returns whether the combination explains every row of the part. Finds the exact position of a
// switch, and sets `after` to the largest error.
bool explains_all(Combination& combined, const DumpPart& part);

// Returns whether the slow pairs of vectors in 16 bits rotate at the plan's frequencies if the
// part's rows are at these positions. True for other dumps.
bool turn_at(const DumpView& view, const DumpPart& part, const FrequencyPlan& plan,
             const PlaceOfRow& place);

// Returns the largest error of the part's rows, divided by its tolerance; 0 for a stepped
// combination.
double worst_of_all(const Combination& combined, const DumpPart& part);

// Returns the largest error of the part's rows under the Spec, divided by its tolerance; infinite
// if `asked` assumes a mistake, such as another width.
double error_as_asked(const DumpView& asked, const DumpPart& part);

// Returns the phase lines of a view, which take most of the time.
using FitLines = std::function<PhaseLines()>;
// Returns candidate frequencies for a view. Unlikely candidates have a `cost`.
using FrequencyList = std::function<FrequencySet(const DumpView& view, const FitLines& lines)>;

// Returns whether a combination that explains the samples explains all rows. May replace a
// parameter that the samples leave open by the exact one.
using Verify = std::function<bool(Combination& combined)>;

// Returns all combinations with the smallest cost, if it is at most `most`, in the order of views
// and frequencies. Once a combination of this cost is verified, the others are listed after it
// without being verified. `with_both`: roundings are tried together with rules for positions, which
// takes long with many frequencies.
std::vector<Combination> search(std::span<const DumpView> views, const FrequencyList& list,
                                int most, const Verify& verify = {}, bool with_both = true);

// Wrong frequencies of some heads, and how their angles are rounded; null: not.
struct RoundedFrequencies {
    Frequencies frequencies;
    const Rounding* rounding;
};

struct PartFinding {
    std::vector<Explanation> explanations;
    // Returns those of other groups that the explanation fits, in their order; empty if it applies
    // only to these rows. Refers to the part and its views, which must outlive it.
    std::function<std::vector<std::size_t>(std::vector<std::size_t> groups)> fitting = {};
    std::optional<Spec> spec = {};  // of the combination's frequencies, if a Spec plans them
    std::optional<RoundedFrequencies> frequencies = {};  // those of it, if they are wrong
};

// Returns none if no explanation fits every row. `all` are the part's views, `known` the wrong
// frequencies of other parts, which are usually those of every part.
std::optional<PartFinding> find_in_part(const Spec& asked, const DumpPart& part, const Views& all,
                                        const std::vector<RoundedFrequencies>& known);
// The same with the number of the head as the position of every row.
std::optional<PartFinding> find_along_heads(const Spec& asked, const DumpPart& part,
                                            const Views& all);
// The same, by a table in a narrower format than the dump's, and no other mistake.
std::optional<PartFinding> find_rounded_table(const Spec& asked, const DumpPart& part,
                                              const Views& all);
// The same, by another order of the axes or another source of positions.
std::optional<PartFinding> find_slow_axes(const DumpView& asked, const DumpPart& part);
// The same, by one mistake, of values that are all within tolerance, whose slow pairs are not.
std::optional<PartFinding> find_in_slow_pairs(const Spec& asked, const DumpPart& part,
                                              const Views& all);
// The same for a FrequencyDump.
std::vector<Explanation> find_in_frequencies(const Spec& asked, const Views& all);

struct MovedRows {
    PartFinding finding;
    // Whether at most three runs of rows, starts of packed sequences or a permutation describe the
    // positions.
    bool is_short = false;
    // Whether so many runs of rows are needed that the list is an observation, not a cause.
    bool is_long = false;
};

// Explains rows at whole positions: packed sequences, padding, another order of the rows, single
// rows, in all batch entries or differently in each. Compares every row of the part, with the
// frequencies of the Spec's view. Returns none if a row fits no position near those of the dump.
std::optional<MovedRows> find_moved_rows(const DumpView& asked, const DumpPart& part);

}  // namespace rope
