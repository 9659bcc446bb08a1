// The Spec that a replay tells of a dump, and how simple it is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/replay.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

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

}  // namespace rope
