// The Spec of a dump without a config, from all of its rows or from most of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/search.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/evidence/samples.hpp"

namespace rope {

// Returns the default Spec with the dump's width.
Spec plain_spec(const Dump& dump);

// Whether the dump may be right by some Spec: each pair rotates at a constant frequency, from angle
// 0 at position 0, as far as rows at neighbouring positions show it.
bool may_be_right(const Dump& dump);

// Returns the Spec of a combination: the part of its view and rules that is no mistake.
Spec spec_of(const Combination& combined);
std::size_t digits_of(double x);          // a power of two is as simple as a digit
std::size_t digits_of(const Spec& spec);  // of its base and its factors
// The simplest first; ntk makes a base of many digits of a usual one.
int rank_of_type(const Spec& spec);

// Returns candidates: the default Spec of the dump's width, known Specs with one axis, and bases
// and scaling fitted to the phase lines. Keeps no references.
FrequencySet identity_candidates(const Spec& plain, std::span<const Spec> known,
                                 const PhaseLines& lines);

// Returns the axis maps of known Specs with this number of pairs and axes and one ladder.
std::vector<AxisMap> known_maps(std::span<const Spec> known, std::uint32_t pairs, std::size_t axes);

// Returns the maps of M-RoPE's three axes, sectioned and interleaved, of which two have as many
// pairs, as in every published model; those nearest to thirds first. Slow pairs fit any axis, so
// that other sections may fit by chance.
std::vector<AxisMap> usual_sections(std::uint32_t pairs);

// Returns maps of two axes; maps of time, height and width that have separate frequencies or
// alternate: Wan's thirds, the eighth and seven sixteenths of Flux, Qwen-Image and HunyuanVideo,
// CogVideoX's quarter, HiDream's half, ERNIE-4.5-VL's 20 of 64 pairs.
std::vector<AxisMap> maps_of_ladders(std::size_t axes, std::uint32_t pairs);

std::size_t axes_of(const Dump& dump);  // number of axes of its positions

// Returns `plain` with this number of axes: axial for two, else equal sections.
Spec with_axes(Spec plain, std::size_t axes);

// Identifies axial and ChatGLM's halves on two axes, sectioned and interleaved M-RoPE on three and
// four, and the maps of video models and ERNIE-4.5-VL on three. Prefers a Spec that is allowed;
// with one, or without `allows`, fits_all is true.
std::optional<Identity> identify_axes(const Spec& plain, const Dump& dump,
                                      std::span<const Spec> known, const AllowsSpec& allows);

// The Spec that most of a dump matches, if none matches all of it.
struct Majority {
    Spec spec;
    // Pairs that rotate at its frequencies in most rows, of those that can be compared.
    std::size_t pairs = 0, of_pairs = 0;
    std::size_t rows = 0, of_rows = 0;  // rows that do; 0 for a FrequencyDump
    double share = 0;  // of a part: product of the shares of pairs and of rows that are rotations
};

// Returns a Spec with which at least half of the pairs rotate (without pair 0, whose θ is 1 for any
// base), in at least half of the rows that are rotations: whole rows, heads or pairs may be wrong.
// Samples 256 rows of some heads. With several axes only M-RoPE's three.
std::optional<Majority> majority_of(const Dump& dump, std::span<const Spec> known = {});

// The phase lines of a dump of which a part is wrong: by the rows that most pairs agree on.

struct RowCount {
    std::size_t on = 0;         // rows on the lines of nearly all pairs
    std::size_t rotations = 0;  // rows that are not zero, clipped or not finite
    std::size_t all = 0;
};

struct MajorityLines : LinesOfRows {
    std::vector<bool> is_determined;   // of each pair, whether the dump determines it
    std::vector<std::uint32_t> axis;   // the axis of each pair's line
    std::vector<LinesOfRows> on_axes;  // lines of all pairs on each axis: slow pairs have several
    AxisMisfits misfits;               // the shares of rows off these
    RowCount count;
    double most_off = 0;  // largest error of an angle relative to its size
};

// Returns the lines of most rows, on any number of axes; no lines if hardly any rows share one.
MajorityLines fit_majority_lines(const Samples& samples, const AnglePrecision& precision = {});

// Returns the indices of two rows that fit the lines of the others only at each other's position.
std::optional<std::pair<std::uint64_t, std::uint64_t>> swapped_rows(const DumpView& view,
                                                                    const DumpPart& part);

}  // namespace rope
