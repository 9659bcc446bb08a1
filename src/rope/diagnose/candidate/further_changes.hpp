// What may be wrong beside any frequencies: single entries, a tail of zeros, and a second rotation.
#pragma once

#include <optional>
#include <vector>

#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"

namespace rope {

// inv_freq of the pair is `own`, not theta.
NamedMistake entry_mistake(std::size_t pair, double own, double theta);
// With another number in one entry, a mistake more. `named` is that number as the dump has it,
// where it turns by some that is not known to whole turns.
Frequencies with_entry(const Frequencies& one, std::size_t pair, double inv_freq,
                       std::optional<double> named = {});

// The lines of a power, without those of one pair, or two of many, that are between no neighbours:
// nothing is known of these. As they are where more are out of order.
std::vector<PhaseLine> in_order(const std::vector<PhaseLine>& lines);

// Those that the lines follow but for one pair, or two of many: with these pairs' own.
std::vector<Frequencies> with_odd_entries(const std::vector<Frequencies>& list,
                                          const std::vector<PhaseLine>& lines);

// Those of the plan up to the first of the last pairs that stand still and do not fit as `asked`;
// none where fewer than two are wrong, or 16 bits do not tell.
std::optional<Frequencies> still_tail(const Frequencies& plan, const Samples& samples,
                                      const Hypothesis& asked, const OddPairs& odd);

// Those of vectors that are rotated by them twice, where `plan` was asked; and what lines would be
// by one of both rotations.
Frequencies rotated_twice(const Frequencies& once, const Frequencies& plan);
std::vector<PhaseLine> halved(const std::vector<PhaseLine>& lines);

}  // namespace rope
