// Explanations of a dump from combinations, the table of known mistakes, and mistakes of single
// rows and of tables.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/changes/dump_view.hpp"
#include "rope/changes/mistakes.hpp"
#include "rope/checks/report.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/rows.hpp"

namespace rope {

// Returns one explanation per mistake of the first combination, with other names that fit as well.
// A mistake that no sampled row shows is compared with every row of the part, if there is one, and
// left out if all are within tolerance without it, unless slow pairs show it.
std::vector<Explanation> explain_combinations(const std::vector<Combination>& combinations,
                                              const Views& all, const Spec& asked,
                                              const DumpPart* part = nullptr,
                                              bool do_slow_pairs_show_it = false);

// The advice is the mistake's, or that of the table of mistakes.
Explanation explanation_of(const NamedMistake& one_mistake, double before, double after,
                           std::vector<std::string> equivalent = {});

// Limits an explanation to a part, such as "heads 0–3 of 8"; a part that it has follows.
void add_part(Explanation& one, const std::string& part);

// Renames a pure scale of positions to the Spec's scaling, if it has one, and a base with many
// digits to the whole exponent divisor that has the same effect.
void rename_by_spec(NamedMistake& one_mistake, const Combination& combined, const Spec& asked);

// "scaling-type rope_type=linear factor=4"
std::string name_of(const NamedMistake& one_mistake);

// The other name of an offset that all rows share.
inline constexpr std::string_view scores_unchanged =
    "the scores stay the same if q and every key, cached ones too, have this mistake";

// Returns other names for the same numbers, and a note if the mistake leaves all scores unchanged.
std::vector<std::string> equivalents(const NamedMistake& mistake, const Spec& asked);

// Adds the names of other combinations that differ from the first in one mistake: to `equivalent`
// if the angles are equal, to `also_fits` if the dump cannot distinguish them.
void add_other_names(std::vector<Explanation>& explanations,
                     const std::vector<Combination>& combinations, const Spec& asked,
                     const DumpPart* part);

// The explanations of every row of some groups.
struct ExplainedPart {
    std::vector<std::size_t> groups;
    std::vector<Explanation> explanations;
    std::optional<Spec> spec = {};
};

template <class T>
std::vector<T> those_not_in(const std::vector<T>& some, std::vector<T> all) {
    std::erase_if(all, [&](const T& one) { return std::ranges::count(some, one) > 0; });
    return all;
}

// "pair 3 is", "pairs 3–5 are", with `one` or `several` behind the numbers.
std::string of_pairs(const std::vector<std::uint32_t>& pairs, std::string_view one,
                     std::string_view several);
// "head 3 of 4", "batch entries 0, 2 of 3"; empty for all groups.
std::string name_of_part(const std::vector<std::size_t>& groups, const RowGroups& rows);

// "5"; with several axes "(0, 0, 5)".
std::string point_name(const std::vector<double>& place);
std::string position_name(std::size_t row, const RowGroups& rows);
// "7–9, 12"; with several axes "(0, 0, 5), (0, 1, 0)".
std::string positions_of(const std::vector<std::size_t>& wrong, const RowGroups& rows);

// Returns each mistake with the name of its part. A mistake of all parts occurs once, without a
// name, if the parts are the whole dump.
std::vector<Explanation> joined(const std::vector<ExplainedPart>& found, const RowGroups& rows);

// Explains rows that follow one list of frequencies before a position and another from there on,
// one of them the Spec's. None if no two known lists explain every row.
std::optional<Explanation> explain_switched(const DumpView& view, const DumpPart& part);

// Explains keys of a cache that were each rotated with the base of the sequence's length at their
// step, which dynamic scaling changes afterwards.
std::optional<Explanation> explain_growing_cache(const DumpView& view, const DumpPart& part);

// Explains a part in which every group holds the rotated vectors of another head or batch entry.
std::optional<Explanation> explain_other_groups(const DumpView& asked, const DumpPart& part);

// Explains a part in which cos or sin are read from the Spec's table at wrong places. For whole
// positions on one axis; none if no way to read the table explains every row.
std::optional<Explanation> explain_misread_table(const Spec& asked, const DumpPart& part,
                                                 const CheckFacts& checked);

}  // namespace rope
