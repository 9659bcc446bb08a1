// The Spec of a dump that comes without a config: of all of its rows, or of most of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// The Spec that a replay tells of a dump, and how simple it is.

// A default Spec of the dump's width.
Spec plain_spec(const Dump& dump);

// Whether a config would have it: whole, quarters or tenths. Of 16 bits any factor is one of four
// digits.
bool is_linear_factor(double x);

// What a reading or a rule says of the Spec rather than of a mistake.
Spec spec_of(const Replay& replay);
// Whether that is all of it: another layout or width of the pairs is not a mistake of a dump that
// no Spec was given for.
bool is_part_of_spec(const Replay& replay);

std::size_t digits_of(double x);          // a power of two is as simple as a digit
std::size_t digits_of(const Spec& spec);  // of its base and its factors
// The simplest first; ntk makes a base of many digits of a usual one.
int rank_of_type(const Spec& spec);

// Frequencies by which an unknown dump may have been made.

// The default Spec of the dump's width, known Specs of one axis, and what its phase lines say of
// bases and scaling. Keeps no references.
std::vector<Frequencies> identity_candidates(const Spec& plain, std::span<const Spec> known,
                                             const std::vector<PhaseLine>& lines);

// The maps of known Specs by which one ladder of so many pairs follows so many axes.
std::vector<AxisMap> known_maps(std::span<const Spec> known, std::uint32_t pairs, std::size_t axes);

// Identifies a dump whose rows have positions on several axes.

std::size_t axes_of(const Dump& dump);  // of its positions

// `plain` with so many axes: axial, or even sections.
Spec with_axes(Spec plain, std::size_t axes);

struct SpecOnAxes {
    Spec spec;
    bool is_allowed;  // by all of the dump; always where nobody asks
};

// Axial and ChatGLM's halves on two axes; M-RoPE, sectioned and interleaved, on three and four;
// the maps of video and of ERNIE-4.5-VL on three.
// Of several that fit, one that is allowed.
std::optional<SpecOnAxes> identify_axes(const Spec& plain, const Dump& dump,
                                        std::span<const Spec> known, const AllowsSpec& allows);

// The Spec that most of a dump agrees with, where none fits all of it.

struct Majority {
    Spec spec;
    // Those that rotate at its frequencies, in most rows, of those that tell
    std::size_t pairs = 0, of_pairs = 0;
    std::size_t rows = 0, of_rows = 0;  // rows that do; of frequencies alone 0
};

// One by which at least half of the pairs rotate, but pair 0, which turns by 1 whatever the base,
// in at least half of the rows that are rotations: whole rows, heads or pairs may be wrong. Looks
// at 256 rows of some heads. Of several axes it looks for M-RoPE's three alone.
std::optional<Majority> majority_of(const Dump& dump, std::span<const Spec> known = {});

// The upper one of an even number; NaN of none.
inline double median_of(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// The phase lines of a dump of which a part is wrong: by the rows that most pairs agree on.

// Of components, including that of a table that was also rounded.
double rounding_of(const Samples& samples);

// Of each pair, whether any row says anything of it.
std::vector<bool> said_pairs(const Samples& samples);

struct MajorityLines : LinesOfRows {
    std::vector<bool> is_said;              // of each pair, whether the dump says anything of it
    std::vector<LinesOfRows> on_axes = {};  // of several axes: slow pairs are on lines of them all
    double amplitude = 1;
};

// By the most of the rows; no lines where no few of them are on any.
MajorityLines fit_majority_lines(const Samples& samples);

struct RowCount {
    std::size_t on = 0;         // rows on the lines of nearly all pairs
    std::size_t rotations = 0;  // rows that are rotations: others are zero, clipped or not finite
    std::size_t all = 0;
};
RowCount rows_on(const MajorityLines& most, const Samples& samples);

// How pairs of a dump turn on each of the three axes of M-RoPE, by the most of its rows.

inline constexpr std::size_t axes_of_mrope = 3;

// A pair on one axis, angle = offset ± θ·m, by the most of its rows.
struct PlaceOnAxis {
    double offset = 0;
    // the share of rows that are off, of those that tell axes apart, and how far others are
    double misfit = 0;
};

// Keeps a reference to the samples, which have positions on three axes.
class PairsOnAxes {
  public:
    // θ of each pair, its sign by the lines.
    PairsOnAxes(const Samples& samples, const std::vector<double>& theta,
                const std::vector<PhaseLine>& lines);

    const AxisMisfits& misfits() const { return misfits_; }
    // Whether its rows tell axes apart.
    bool determines(std::size_t pair) const;

    // Rows in which nearly all of these pairs, of those that tell axes apart, are where they should
    // be.
    std::vector<std::size_t> rows_on(const std::vector<std::uint32_t>& axis) const;

  private:
    using Rows = std::vector<std::size_t>;

    double allowed(std::size_t row, std::uint32_t i) const;
    double off(std::size_t row, std::uint32_t i, std::uint32_t a, double offset) const;
    bool is_at(std::size_t row, std::uint32_t i, std::uint32_t a, double offset,
               double within) const;
    Rows said_rows(std::uint32_t i) const;
    Rows telling_rows(std::uint32_t i) const;
    PlaceOnAxis placed(std::uint32_t i, std::uint32_t a) const;
    double middle_of(const Rows& rows, std::uint32_t i, std::uint32_t a, double offset) const;
    double distance(const Rows& rows, std::uint32_t i, std::uint32_t a, double offset) const;

    const Samples& samples_;
    double rounding_, amplitude_;
    std::vector<double> theta_;
    std::vector<Rows> said_, determining_;  // rows of each pair
    std::vector<PlaceOnAxis> places_;       // of each pair on each axis
    AxisMisfits misfits_;
};

}  // namespace rope
