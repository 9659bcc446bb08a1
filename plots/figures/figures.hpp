// The figures; those of equal tokens' score over distance are in decay.cpp, those of reports in
// compared_dump.cpp and verdict.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tasks.hpp"
#include "plots/figures/subject.hpp"
#include "plots/parts/figure.hpp"
#include "plots/parts/series.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/checks/report.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::plots {

// The angle sθᵢ modulo 2π for s = 1 … last, a dot each, from exact phases, with two faint lines: a
// sawtooth that breaks where the angle wraps, and the angle between the two directions, folded to
// [0, π]. Rings mark the first s at which property (c3) fails in this pair,
//   R1  the angle wraps     R2  cos(sθ) rises     R3  |cos(sθ)| rises
// Default `last`: eight turns of the pair, at most 4·max_position_embeddings.
Panel angle_panel(const NamedSpec& named, std::uint32_t pair, std::optional<std::uint64_t> last,
                  std::uint64_t searched_to, int color);
std::uint64_t default_angle_distance(const NamedSpec& named, std::uint32_t pair);

// Returns how far violations are searched: eight times the longest context, or `drawn` if larger.
std::uint64_t angle_search(std::span<const NamedSpec> specs, std::uint64_t drawn = 0);

// A panel per Spec, one below the other, on a common axis 0 … 2π; Specs with equal angles in this
// pair share a panel.
Figure angles_figure(std::span<const NamedSpec> specs, std::uint32_t pair,
                     std::optional<std::uint64_t> last = {});

// Puts a note on the tags R1, R2, R3 and the faint line first, if these are drawn.
void note_angles(Figure& figure, std::uint32_t pair);

struct ScoreAt {
    std::uint64_t s = 0;
    double score = 1;  // B̂(s)
};

// The decay of a Spec's score over s = 1 … last, and what titles, notes and axes need of B̂(s).
struct Decay {
    std::string label;
    std::uint64_t context = 0;  // n, max_position_embeddings
    double attention_factor = 1;
    Curve score = {}, roformer = {};  // B̂(s), A(s)
    std::uint64_t end = 0;            // the last drawn distance of the context, at most n − 1
    // The first rise of B̂, and B̂(n) if n is drawn.
    std::optional<ScoreAt> first_rise = {}, at_n = {};
    ScoreAt least = {}, least_to_end = {};  // from 0 to the last distance, and to `end`
    double at_1 = 1, at_last = 1;           // B̂(1), and B̂ at the last distance
};
// Adds the computed distances to `distances`.
std::vector<Decay> decays_of(std::span<const NamedSpec> specs, std::uint64_t last,
                             TaskCount* distances = nullptr);

inline constexpr std::uint64_t default_decay_distance = 1'048'576;

// Two panels, each with a curve per Spec over s = 1 … last on a log₂ axis:
//   B̂(s) = B(s)/B(0)                   the score of equal tokens (equal_score)
//   A(s) = 2/d Σ_j |Σ_{i<j} e^{isθ_i}|   RoFormer §3.4.3
// Adds computed distances to `distances`.
Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last = default_decay_distance,
                    TaskCount* distances = nullptr);

// Returns the least score of each context: "Up to s = 2,047 the least score of equal tokens is 0.09
// with base θ, 0.93 with scaled θ"; of more than two the smallest and the largest.
std::string decay_headline(std::span<const Decay> decays);

inline constexpr const char* column_note =
    "Where distances share a column: their mean, in a band from the least to the greatest.";

// Returns the axis 1 … last.
Axis distance_axis(std::uint64_t last);

// A column per Spec, two in a row: the angle sθᵢ mod 2π of this pair, to its default distance,
// above B̂(s) up to `last`, with common y axes. Marked: B̂ at n, the least B̂ of the context and the
// first rise. Of more than four Specs, decay_figure(). Adds computed distances to `distances`.
Figure comparison_figure(std::span<const NamedSpec> specs, std::uint32_t pair = 0,
                         std::uint64_t last = default_decay_distance,
                         TaskCount* distances = nullptr);

struct AskedBase {
    double base;
    BaseScan scan;  // over drawn_contexts
};
inline constexpr std::uint64_t drawn_contexts = 8;  // contexts, searched for B(s) < 0

// Two panels over the base on a logarithmic axis, with the intervals of bases that hold tinted:
//   min B(s) over s = 0…N                below 0 where the base fails
//   the first s at which B(s) < 0        above N where the base holds
// The axis extends from a third of the infimum to twice the largest failing base, within the
// searched range, and to the asked base, which is marked. Throws InputError if no base holds, or
// all do.
Figure base_bound_figure(const BaseQuestion& question, const std::optional<AskedBase>& asked = {});

struct PipelineScores {
    PipelineScores(std::string name, ScoreCurve scores)
        : pipeline(std::move(name)), curve(std::make_shared<ScoreCurve>(std::move(scores))) {}

    std::string pipeline;
    std::shared_ptr<const ScoreCurve> curve;  // shared with the figure's series
};

// Two panels over the distance with a curve per pipeline: its scores with the exact ones, and their
// errors, with a ring at the first visible one. Values that are not finite are at the edge. All
// pipelines have one context. `vectors` describes q and k in a clause.
Figure scores_figure(const NamedSpec& named, const std::vector<PipelineScores>& pipelines,
                     const std::string& vectors);

// A row of two panels per Spec over its pairs i, with common axes and the bands of its rope_type
// tinted:
//   λ_i = 2π/inv_freq     positions per turn, unscaled and as planned, with the trained length
//   length/λ_i            turns, unscaled in the trained length and as planned in the context
// Default context: each Spec's max_position_embeddings. A pair that does not rotate is at the edge.
Figure spectrum_figure(std::span<const NamedSpec> specs, std::optional<std::uint64_t> context = {});

// Of reports: a dump compared with its config, and error maps.

// `label`: "position", or "row".
Axis position_axis(const PositionParts& positions, const std::string& label = "position");

// Returns the place on the axis where a position's column begins; the middle of the column if it is
// for one position.
double place_of(double position, const PositionParts& parts);
double middle_of(double position, const PositionParts& parts);

std::string position_text(double position);

// Returns the error to two digits, or "not finite".
std::string error_text(double error);

// The claims that --require names; a report fails if one of them is violated.
using RequiredClaims = std::vector<std::string>;

// Returns the causes if the report fails, else the largest error.
std::string verdict_line(const Report& report, const RequiredClaims& required);

// Returns a figure without panels. Its title is the verdict of a single report, whose label begins
// the subtitle; of several what failed, the subjects in parentheses, then how many passed:
// "Pairs are interleaved instead of half_split (q); 2 of 3 subjects pass".
Figure figure_of_reports(std::span<const DrawnReport> all, const RequiredClaims& required,
                         std::string description);

// Returns a field of a finding, if it is a number.
std::optional<double> number_of(const Finding& finding, std::string_view name);

// Four panels per subject, two in a row, with common y axes: each pair's fitted frequency and the
// asked one; their ratio; the errors from the config and from the fit; the error of every row, with
// a line of cells per head. Only the first three for a FrequencyDump.
Figure compared_figure(std::span<const DrawnReport> compared, const RequiredClaims& required = {});

// A panel per report: |ẑ − a·z|, the larger of cos and sin, as the largest in each cell, with lines
// at the first position beyond 1e-3 and the first beyond its tolerance, and a ring at the worst
// cell, all as in the report's table-accuracy.
Figure precision_figure(std::span<const DrawnReport> reports, const RequiredClaims& required = {});

}  // namespace rope::plots
