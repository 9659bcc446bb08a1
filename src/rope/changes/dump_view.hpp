// A view of a dump assumes which dimensions form pairs, where positions come from and which axis
// each pair follows. It holds the samples under these assumptions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/changes/mistakes.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

struct DumpView {
    std::vector<NamedMistake> mistakes;  // mistakes that the view assumes; none: the Spec's
    Spec asked;                          // with the rotary_dim and the layout of this view
    Samples samples;
    std::vector<std::uint32_t> axis;                // per pair
    std::optional<Arrangement> arrangement = {};    // none for tables
    bool leaves_other_dimensions_unchanged = true;  // false: the view explains nothing
    // inferred from bit-equal values: duplicate columns, or dimensions of q that do not change
    bool has_duplicate_columns = false;
    OddPairs odd_pairs = {};   // if the view assumes no mistake
    Effort* effort = nullptr;  // of the dump; none: without limit
};
using Views = std::vector<DumpView>;

// Frequencies in the view, in any arithmetic; and those of its Spec.
Hypothesis by_frequencies(const DumpView& view, const Frequencies& frequencies);
// The same with a table rounded to the dump's narrow format.
Hypothesis by_stored(const DumpView& view, const Frequencies& frequencies);
// Return these of the view's Spec.
Hypothesis as_asked(const DumpView& view);
Hypothesis as_asked_and_stored(const DumpView& view);

// The part of a dump with some groups of rows, of which `sampled` are compared.
struct DumpPart {
    const Dump& dump;
    const RowGroups& rows;
    std::vector<std::size_t> groups;
    std::vector<std::size_t> sampled;
    // before_group[g]: the group whose q group g holds; empty: its q. mistakes: that order.
    std::vector<std::size_t> before_group = {};
    std::vector<NamedMistake> mistakes = {};
    unsigned threads = 0;  // 0: as many as the machine has
};

// Returns the part with these groups, and a sample of their rows.
DumpPart part_of(const Dump& dump, const RowGroups& rows, std::vector<std::size_t> groups,
                 const CheckFacts& checked);

template <class Holds>
bool every_row(const DumpPart& part, const Holds& holds) {
    for (const std::size_t group : part.groups)
        for (std::uint64_t index = 0; index < part.rows.length(); ++index)
            if (!holds(part.rows.row(group, index))) return false;
    return true;
}

// Compares the part's rows in this view with a hypothesis. Keeps references.
RowErrors row_errors(const DumpView& view, const DumpPart& part, Hypothesis hypothesis);

// Returns the views, the Spec's first. One that changes dimensions outside its pairs or norms of
// pairs is left out.
Views views_of(const Spec& asked, const Dump& dump, const CheckFacts& checked);
// Returns the views of a part, with the exactness of the checks. Requires tables or vectors.
// `with_others`: also those of other arrangements of vectors than the Spec's.
Views views_of(const Spec& asked, const DumpPart& part, const CheckFacts& checked,
               bool with_others = true);
// Returns the Spec's view; none if it is impossible or assumes a mistake.
std::optional<DumpView> own_view(const Spec& asked, const DumpPart& part,
                                 const CheckFacts& checked);
NamedMistake source_mistake(const OtherSource& source);
// The position of a row on an axis.
using PlaceOfRow = std::function<double(std::size_t row, std::uint32_t axis)>;
// Returns a table or vectors with these positions of their rows.
Dump moved_to(Dump dump, const PlaceOfRow& place);
// Returns the positions that rows may have by mistake, and the mistake: another order of the axes,
// the ids of one axis on another, and other sources, each if it gives some row another position.
// `rows` must outlive them.
std::vector<std::pair<NamedMistake, PlaceOfRow>> other_places(const RowGroups& rows,
                                                              const AxisMap& axes);
// Returns the view with the positions of each source that changes any; not null: of `only`.
Views views_by_source(const DumpView& view, const DumpPart& part, const OtherSource* only);

// Returns for each group the group whose vectors it holds after the rotation, found by norms; none
// if every head holds its vectors, or norms do not decide.
std::optional<std::vector<std::size_t>> other_order(const Spec& asked, const RotatedDump& dump,
                                                    const RowGroups& rows);
// Returns the mistake that two rows of every sequence are at each other's position.
NamedMistake swap_mistake(std::uint64_t one, std::uint64_t other);
Samples samples_of(const DumpView& view, const DumpPart& part);

NamedMistake order_mistake(const std::vector<std::size_t>& order, const RowGroups& rows);

// The smallest and largest modulus of the samples that are finite.
struct Moduli {
    double low = INFINITY, high = 0;

    explicit Moduli(const Samples& samples) {
        for (const double modulus : samples.modulus) {
            if (std::isnan(modulus) || Samples::is_left_out(modulus)) continue;
            low = std::min(low, modulus);
            high = std::max(high, modulus);
        }
    }
    // `rounding` is that of components up to 1; components between powers of two have one spacing.
    bool are_one(double rounding) const {
        return high - low <= std::exp2(std::ceil(std::log2(high))) * 2.5 * rounding;
    }
};
// Returns whether all pairs' norms are multiplied by one number.
bool keeps_norms(const Samples& samples);

// Returns the Spec with this width; none if that is not valid.
std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim);

inline double sum_of_squares(std::span<const double> values) {
    double sum = 0;
    for (const double x : values) sum += x * x;
    return sum;
}
inline double norm(std::span<const double> values) { return std::sqrt(sum_of_squares(values)); }

// Returns the norm of the dimensions first … end − 1 of a row.
inline double norm_of(const StridedRows& vectors, std::uint64_t row, std::uint64_t first,
                      std::uint64_t end) {
    std::vector<double> values(end - first);
    vectors.read(row, first, values.size(), values.data());
    return norm(values);
}

NamedMistake layout_mistake(PairLayout own, PairLayout asked);

struct DimensionRange {
    std::uint32_t first = 0, end = 0;
};

struct NamedArrangement {
    std::vector<NamedMistake> mistakes;
    Spec spec;  // the Spec with these pairs
    Arrangement arrangement;
};

Arrangement arrangement_of(const Spec& spec);

// Returns other layouts and widths, dimensions read at one place and written at another, and other
// applications of cos and sin. `moved`: the dimensions from the first to the last that changed.
std::vector<NamedArrangement> other_arrangements(const Spec& asked, DimensionRange moved);

// Returns the view with frame times fitted to the dump, with and without later ids moved. None
// if the times are those of the ids, or of the sources frame_numbers and first_frame.
Views views_by_frame_times(const DumpView& view, const RowGroups& rows);

}  // namespace rope
