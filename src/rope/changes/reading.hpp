// The ways to read a dump: which lanes are pairs, where they are, which axis turns them.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/changes/mistakes.hpp"
#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/samples.hpp"
#include "rope/number/element.hpp"
#include "rope/report/report.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

struct DumpReading {
    std::vector<NamedMistake>
        mistakes;  // mistakes that this reading assumes; none if it is the Spec's
    Spec asked;    // with the rotary_dim and the layout of this reading
    Samples samples;
    std::vector<std::uint32_t> axis;              // of each pair
    std::optional<Arrangement> arrangement = {};  // of vectors
    bool leaves_other_lanes_unchanged =
        true;  // lanes beside the pairs are as they were: else it explains nothing
    // by what is equal bit for bit: columns, or lanes that the Spec would rotate and their q
    bool has_duplicate_columns = false;
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
std::vector<DumpReading> readings(const Spec& asked, const Dump& dump,
                                  const CheckOutcome& judgement);
// The same of a part, which is no FrequencyDump's.
std::vector<DumpReading> readings(const Spec& asked, const DumpPart& part,
                                  const CheckOutcome& judgement);
// The Spec's own alone; none where that is impossible, or takes a mistake.
std::optional<DumpReading> own_reading(const Spec& asked, const DumpPart& part,
                                       const CheckOutcome& judgement);
// What is said where positions are from there.
NamedMistake source_mistake(PositionSource source);
// Where else the positions of rows may be from.
std::vector<PositionSource> other_sources(const RowGroups& rows);
// Of a reading at positions from there, each that differs.
std::vector<DumpReading> moved_readings(const DumpReading& reading, const DumpPart& part,
                                        std::span<const PositionSource> sources);

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

// Readings that differ from the Spec: in width, in the place of the pairs, in the map of axes.

using Readings = std::vector<DumpReading>;

// None where no Spec of this width is sound.
std::optional<Spec> with_rotary_dim(const Spec& asked, std::uint32_t rotary_dim,
                                    std::uint32_t head_dim);

// The reading with its axes mapped, ordered or sectioned otherwise.
void add_axis_maps(Readings& all, const DumpReading& plain);

Readings vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part);
// The Spec's alone, and its maps of axes.
Readings own_vector_readings(const Spec& asked, const RotatedDump& dump, const DumpPart& part);

// The length of a row, or of some lanes of it.

// Of the lanes `first` … `end` − 1.
inline double norm_of(const StridedRows& vectors, std::uint64_t row, std::uint64_t first,
                      std::uint64_t end) {
    double sum = 0;
    for (std::uint64_t lane = first; lane < end; ++lane) {
        const double x = vectors.at(row, lane);
        sum += x * x;
    }
    return std::sqrt(sum);
}

// The lanes that turn, rotated as a head of their own where the Spec pairs them across the head.

// The lanes of each pair, in the order of the Spec's frequencies.
struct OwnHead {
    std::uint32_t rotary_dim;
    std::vector<Lanes> read, written;
};

// Of proportional, whose first pairs alone turn; none where its layout pairs the same lanes anyway.
std::optional<OwnHead> own_head(const Spec& spec);

// A table applied by rotate_half and its like in ways that are no rotation's.

// Which lane of a pair is written before the other is computed, and so takes part as what it
// became.
enum class WrittenFirst { neither, first, second };

// The partner of a lane by one layout, its column of the table by another, or signs that are no
// rotation's.
struct Application {
    PairLayout pairs, table;
    double first_sign, second_sign;  // of x_p·s in the first and the second lane of a pair
    WrittenFirst written_first = WrittenFirst::neither;
};

// Every one that is no rotation by one layout.
std::span<const Application> applications();

// Its name where the pairs should have the asked layout.
std::vector<NamedMistake> mistakes_of(const Application& one, PairLayout asked);
NamedMistake layout_mistake(PairLayout own, PairLayout asked);

// Requires a Spec whose pairs are the first rotary_dim lanes.
Arrangement applied(const Application& application, const Spec& spec);

// Which lanes of a head form pairs: what a Spec asks for, and the known ways to get it wrong.

// From the first lane that moved to before `end`.
struct MovedLanes {
    std::uint32_t first = 0, end = 0;
};

struct NamedArrangement {
    std::vector<NamedMistake> mistakes;
    Spec spec;  // whose pairs these are
    Arrangement arrangement;
};

Arrangement arrangement_of(const Spec& spec);

// Other layouts and dimensions, lanes that are read at one place and written at another, and what
// other ways of applying cos and sin come to.
std::vector<NamedArrangement> other_arrangements(const Spec& asked, MovedLanes moved);

// Orders of lanes in which a rotation's result is written, and which are no pair layout's.

struct WrittenOrder {
    std::string_view name;
    std::size_t (*place_of)(std::size_t lane, std::size_t rotary_dim);
};

// Of pairs that are read by this layout. One order of theirs is the other layout, and not here.
std::span<const WrittenOrder> written_orders(PairLayout read);

// Of two lanes the places, where `spec` has its rotary_dim lanes.
Lanes written_at(const WrittenOrder& order, const Spec& spec, const Lanes& read);

NamedMistake written_mistake(PairLayout read, const WrittenOrder& order);

// Rows of images and videos at other times, which the dump tells.

// By the asked frequencies; with and without the ids behind moved. None where the times are as the
// ids say, or a source of their own (frame_numbers, first_frame) has them.
std::vector<DumpReading> frame_readings(const DumpReading& reading, const RowGroups& rows);

}  // namespace rope
