// Explanations of a dump from replays, the table of known mistakes, and mistakes of single rows and
// of tables.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/changes/reading.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/report/report.hpp"

namespace rope {

// Reports of replays that leave no value outside its allowance.

// The largest error over its allowance that a replay leaves in every row, not in samples alone.
using WorstOfAll = std::function<double(const Replay& replay)>;

// One row of a diagnosis for each mistake of the first replay, and what else fits as well. A
// mistake that no sampled row shows is held against every row.
std::vector<Explanation> explain_replays(const std::vector<Replay>& replays,
                                         const std::vector<DumpReading>& all,
                                         const FrequencyList& list, const Spec& asked,
                                         const WorstOfAll& worst_of_all = {});

// With the mistake's own advice, or that of the table of mistakes.
Explanation explanation_of(const NamedMistake& one_mistake, double before, double after,
                           std::vector<std::string> equivalent = {});

// What else a mistake may be called.

// A pure scale of positions is named after the Spec's scaling, if that is one and was used; a base
// of many digits after the exponent that makes it of the Spec's, if that is of whole numbers.
void rename_by_spec(NamedMistake& one_mistake, const Replay& replay, const Spec& asked);

// Of an offset that is the same in all rows.
inline constexpr std::string_view scores_unchanged =
    "the same scores, if q and k both have this mistake";

// Other names of the same numbers, and mistakes that leave all scores unchanged.
std::vector<std::string> equivalents(const NamedMistake& mistake, const Spec& asked);

// Other names of one mistake under which the replays fit every row as well, beside the same others:
// of the same angles, or of some that the data cannot tell from them.
void add_other_names(std::vector<Explanation>& explanations, const std::vector<Replay>& replays,
                     const Spec& asked, const WorstOfAll& worst_of_all);

// Explanations of parts of a dump, put together.

// What explains every row of some groups.
struct ExplainedPart {
    std::vector<std::size_t> groups;
    std::vector<Explanation> explanations;
    std::optional<Spec> spec = {};
};

// "head 3 of 4", "batch entries 0, 2 of 3"; empty for all.
std::string name_of_part(const std::vector<std::size_t>& groups, const RowGroups& rows);

// "5"; "(0, 0, 5)" of several axes.
std::string position_name(std::size_t row, const RowGroups& rows);
// "7–9, 12"; "(0, 0, 5), (0, 1, 0)" of several axes.
std::string positions_of(const std::vector<std::size_t>& wrong, const RowGroups& rows);

// Each mistake with the part that it is of; what all parts share, where they are all there is, said
// once.
std::vector<Explanation> joined(const std::vector<ExplainedPart>& found, const RowGroups& rows);

// Tables that turn by one list of frequencies up to some position and by another from there on.

// The Spec's frequencies on one side of the switch. None if no two known lists explain every row.
std::optional<Explanation> explain_switched(const DumpReading& reading, const DumpPart& part);

// Batch entries at each other's positions.

// Where all that is wrong is that these groups, each entry with all of its heads, are at the
// positions of other entries among them, each at a different one's.
std::optional<Explanation> explain_exchanged(const DumpReading& asked, const DumpPart& part,
                                             const std::vector<std::size_t>& wrong);

// Tables whose cos or sin are read at another place than they are stored at.

// What one table by the Spec, at positions that are whole numbers of one axis, is read as in every
// row of the part. None where no way to read it explains them all.
std::optional<Explanation> explain_misread_table(const Spec& asked, const DumpPart& part,
                                                 const CheckOutcome& judgement);

// Frequencies alone, as the numbers that they are: angles tell those of thousands of turns a
// position from no others, and have no positions to be wrong.

// Where no pair turns at any position: a buffer that was zeroed, or never written.
std::optional<Explanation> explain_empty_frequencies(const DumpReading& reading);

// The usual mistake whose frequencies all these are, to within the float32 rounding of any
// arithmetic.
std::optional<Explanation> explain_named_frequencies(const DumpReading& reading);

}  // namespace rope
