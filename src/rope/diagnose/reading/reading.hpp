// The ways to read a dump: which lanes are pairs, where they are, which axis turns them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/report/report.hpp"

namespace rope {

struct DumpReading {
    std::vector<NamedMistake>
        mistakes;  // mistakes that this reading assumes; none if it is the Spec's
    Spec asked;    // with the rotary_dim and the layout of this reading
    Samples samples;
    std::vector<std::uint32_t> axis;              // of each pair
    std::optional<Arrangement> arrangement = {};  // of vectors
    bool keeps_the_rest =
        true;  // lanes beside the pairs are as they were: else it explains nothing
    // by what is equal bit for bit: columns, or lanes that the Spec would rotate and their q
    bool is_told_by_copies = false;
    OddPairs odd_pairs = {};  // where its pairs are the Spec's
};

// The Spec of the reading, in any arithmetic.
Hypothesis as_asked(const DumpReading& reading);
// The same, with every value rounded as the dump's are.
Hypothesis as_asked_and_stored(const DumpReading& reading);

// Some rows of a dump: `row` of `groups`.
struct DumpPart {
    const Dump& dump;
    const RowGroups& rows;
    std::vector<std::size_t> groups;
    std::vector<std::size_t> sampled;
    // Of each group the one whose q it holds, and that mistake; empty: its own
    std::vector<std::size_t> before_group = {};
    std::vector<NamedMistake> mistakes = {};
    unsigned threads = 0;  // 0: as many as the machine has
};

// The Spec's first. Impossible readings are left out: those in which lanes outside the pairs moved
// or norms of pairs changed.
std::vector<DumpReading> readings(const Spec& asked, const Dump& dump, const Judgement& judgement);
// The same of a part, which is no FrequencyDump's.
std::vector<DumpReading> readings(const Spec& asked, const DumpPart& part,
                                  const Judgement& judgement);
// The Spec's own alone; none where that is impossible, or takes a mistake.
std::optional<DumpReading> own_reading(const Spec& asked, const DumpPart& part,
                                       const Judgement& judgement);
// What is said where positions are from there.
NamedMistake source_mistake(PositionSource source);
// Of a reading at positions from elsewhere, each that differs.
std::vector<DumpReading> moved_readings(const DumpReading& reading, const DumpPart& part);

// Of each group the one whose vectors it holds after the rotation, by their norms; none where every
// head holds its own, or norms leave it open.
std::optional<std::vector<std::size_t>> other_order(const Spec& asked, const RotatedDump& dump,
                                                    const RowGroups& rows);
// Two rows that lie on a line of the reading at each other's position, where all others of the
// part's first group lie on it at their own.
std::optional<SwappedRows> swapped_rows(const DumpReading& reading, const DumpPart& part);
NamedMistake swap_mistake(const SwappedRows& rows);
// The part's sampled rows by this reading.
Samples samples_of(const DumpReading& reading, const DumpPart& part);

NamedMistake order_mistake(const std::vector<std::size_t>& order, const RowGroups& rows);

// Whether the pairs' norms are one multiple of what they were, at every row that is finite.
bool keeps_norms(const Samples& samples);
// Whether all may, of which these are some.
bool may_keep_norms(const Samples& some);

}  // namespace rope
