// The figures, a source for each; those of scores over the distance are in decay.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plots/figures/subject.hpp"
#include "plots/parts/figure.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::plots {

// sθᵢ modulo 2π for s = 1 … last, a dot at each, from exact phases; between them a faint sawtooth
// that breaks where the angle wraps, and a faint zigzag of the angle between the two directions,
// which is folded to [0, π]. Ringed: the first s at which their property (c3) fails in this
// pair,
//   R1  the angle wraps     R2  cos(sθ) rises     R3  |cos(sθ)| rises
// Without a last: eight turns of the pair (their 50 for θ₀ = 1), at most 4·max_position_embeddings.
Panel angle_panel(const NamedSpec& named, std::uint32_t pair, std::optional<std::uint64_t> last,
                  std::uint64_t searched_to, int color);
std::uint64_t default_angle_distance(const NamedSpec& named, std::uint32_t pair);

// How far the title and every panel of a figure look for violations: eight of the longest context,
// and as far as is drawn.
std::uint64_t angle_search(std::span<const NamedSpec> specs, std::uint64_t drawn = 0);

// Gives the angle panels of a figure the widest of their y axes, but those that would lie on it.
void share_angle_axis(std::vector<Panel>& panels);

// A panel for each Spec, one under the other, all on the same axis 0 … 2π; one for several whose
// pair turns alike.
Figure angles_figure(std::span<const NamedSpec> specs, std::uint32_t pair,
                     std::optional<std::uint64_t> last = {});

// Begins the notes with what the tags R1, R2, R3 and the faint zigzag mean, where they are drawn.
void note_angles(Figure& figure, std::uint32_t pair);

// Whether the angle panels of both would say the same, as of pair 0, which turns by 1 for every
// base.
bool draw_alike(const NamedSpec& a, const NamedSpec& b, std::uint32_t pair);

struct AskedBase {
    double base;
    BaseScan scan;  // over drawn_contexts
};
inline constexpr std::uint64_t drawn_contexts = 8;  // in which the first negative is looked for

// Two panels over the base on a logarithmic axis, the islands of bases that hold tinted:
//   min B(s) over s = 0…N                below 0 where the base fails
//   the first s at which B(s) < 0        above N where the base holds
// From a third of the infimum to twice the largest base that fails, as far as was searched, and to
// the base that was asked about, which is marked. Throws InputError where no base holds, or all do.
Figure base_bound_figure(const BaseQuestion& question, const std::optional<AskedBase>& asked = {});

struct PipelineScores {
    std::string pipeline;
    ScoreCurve curve;
};

// Two panels over the distance, a curve in each for every pipeline: its scores and the exact
// ones, and how far off they are, with a ring where they first disagree. What is not finite is at
// the edge. All have one context. `vectors` says in a clause what q and k are.
Figure scores_figure(const NamedSpec& named, std::vector<PipelineScores> pipelines,
                     const std::string& vectors);

// A row of two panels for every Spec, over its pairs i, on axes that all rows share, the bands of
// its rope_type tinted:
//   λ_i = 2π/inv_freq     positions to a turn, unscaled and as planned, the trained length across
//   length/λ_i            turns, unscaled in the trained length and as planned in the context
// Without a context, each Spec's max_position_embeddings. A pair that does not rotate is at the
// edge.
Figure spectrum_figure(std::span<const NamedSpec> specs, std::optional<std::uint64_t> context = {});

}  // namespace rope::plots
