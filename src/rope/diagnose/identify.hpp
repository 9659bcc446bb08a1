// The Spec of a dump without a config, from all of its rows or from most of them.
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

// Returns the default Spec with the dump's width.
Spec plain_spec(const Dump& dump);

// Returns whether a config may have this linear factor: a whole number, quarters or tenths.
bool is_linear_factor(double x);

// Returns the Spec of a replay, including the layout, width and scale that it has as mistakes.
Spec spec_of(const Replay& replay);
// Returns whether spec_of() has all of the replay's mistakes: without a config, another layout or
// width is no mistake.
bool is_part_of_spec(const Replay& replay);

std::size_t digits_of(double x);          // 1 for a power of two
std::size_t digits_of(const Spec& spec);  // of its base and factors
// The rank of a rope_type, simplest first. ntk gives a usual base many digits, so it comes before
// such a base.
int rank_of_type(const Spec& spec);

// Returns candidates: the default Spec of the dump's width, known Specs with one axis, and bases
// and scaling fitted to the phase lines. Keeps no references.
std::vector<Frequencies> identity_candidates(const Spec& plain, std::span<const Spec> known,
                                             const std::vector<PhaseLine>& lines);

// Returns the axis maps of known Specs with this number of pairs and axes and one ladder.
std::vector<AxisMap> known_maps(std::span<const Spec> known, std::uint32_t pairs, std::size_t axes);

std::size_t axes_of(const Dump& dump);  // number of axes of its positions

// Returns `plain` with this number of axes: axial for two, else equal sections.
Spec with_axes(Spec plain, std::size_t axes);

struct SpecOnAxes {
    Spec spec;
    bool is_allowed;  // whether all rows match; true without `allows`
};

// Identifies axial and ChatGLM's halves on two axes, sectioned and interleaved M-RoPE on three and
// four, and the maps of video models and ERNIE-4.5-VL on three. Prefers a Spec that is allowed.
std::optional<SpecOnAxes> identify_axes(const Spec& plain, const Dump& dump,
                                        std::span<const Spec> known, const AllowsSpec& allows);

// The Spec that most of a dump matches, if none matches all of it.
struct Majority {
    Spec spec;
    // Pairs that rotate at its frequencies in most rows, of those that can be compared.
    std::size_t pairs = 0, of_pairs = 0;
    std::size_t rows = 0, of_rows = 0;  // rows that do; 0 for a FrequencyDump
};

// Returns a Spec with which at least half of the pairs rotate (without pair 0, whose θ is 1 for any
// base), in at least half of the rows that are rotations: whole rows, heads or pairs may be wrong.
// Samples 256 rows of some heads. With several axes only M-RoPE's three.
std::optional<Majority> majority_of(const Dump& dump, std::span<const Spec> known = {});

// Returns the median, the upper one of an even number; NaN for no values.
inline double median_of(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

// Returns the rounding error of components, including a table rounded to a narrower format.
double rounding_of(const Samples& samples);

// Returns per pair whether any row has a value.
std::vector<bool> said_pairs(const Samples& samples);

// The phase lines that most rows agree on.
struct MajorityLines : LinesOfRows {
    std::vector<bool> is_said;              // per pair, whether the dump has a value
    std::vector<LinesOfRows> on_axes = {};  // with several axes: slow pairs have a line on each
    double amplitude = 1;
};

// Returns no lines if too few rows lie on any.
MajorityLines fit_majority_lines(const Samples& samples);

struct RowCount {
    std::size_t on = 0;         // rows on the lines of nearly all pairs
    std::size_t rotations = 0;  // rows that are not zero, clipped or not finite
    std::size_t all = 0;
};
RowCount rows_on(const MajorityLines& most, const Samples& samples);

inline constexpr std::size_t axes_of_mrope = 3;

// A pair on one axis, angle = offset ± θ·m, fitted to most rows.
struct PlaceOnAxis {
    double offset = 0;
    // the share of wrong rows, plus a quarter of the mean error divided by its tolerance
    double misfit = 0;
};

// The rotation of each pair on each of M-RoPE's three axes, in most rows. Keeps a reference to the
// samples, which have positions on three axes.
class PairsOnAxes {
  public:
    // `theta`: per pair; its sign is taken from the lines.
    PairsOnAxes(const Samples& samples, const std::vector<double>& theta,
                const std::vector<PhaseLine>& lines);

    const AxisMisfits& misfits() const { return misfits_; }
    // Returns whether the pair has enough rows that distinguish the axes.
    bool determines(std::size_t pair) const;

    // Returns the rows in which at least 4/5 of the pairs that distinguish axes fit their axis.
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
    std::vector<Rows> said_, determining_;  // rows per pair
    std::vector<PlaceOnAxis> places_;       // pairs × axes
    AxisMisfits misfits_;
};

}  // namespace rope
