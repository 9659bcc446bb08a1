// A few rows of a dump as angles and moduli: what every hypothesis is held against.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "rope/evidence/rows.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// Positions of rows that an axis may have been given in place of its own.
struct OtherIds {
    PositionSource source;
    std::uint32_t axis = 0;  // the ids of which it is made
    std::vector<double> positions = {};
};

struct Samples {
    std::uint32_t pairs = 0;
    std::vector<std::vector<double>> positions = {};  // per axis (at least one) and row
    std::vector<double> angle = {};                   // rows × pairs, radians in (−π, π]
    // rows × pairs; NaN where the row is not finite, `left_out` where vectors say nothing
    std::vector<double> modulus = {};
    double storage = 0;  // √2·rounding of a stored component, for amplitude 1
    double largest_k = std::numeric_limits<double>::infinity();  // of the pipeline that was named
    Format format = Format::float32;
    double least_norm = 0;  // of a pair of vectors that says something
    // bfloat16 or float16 where every value is one of its numbers though the dump's format is finer
    std::optional<Format> narrow = {};
    bool is_of_narrow_table = false;  // such values that the pipeline allows: no product of two is
    std::vector<std::size_t> dump_row = {};  // of each row; empty for frequencies
    PositionSource source = PositionSource::position_ids;
    FrameTimes frame_times = {};           // of that source
    std::vector<double> inv_freq = {};     // of frequencies alone, as the dump has them
    std::vector<double> ids = {};          // where the positions are from elsewhere: the rows' own
    std::vector<OtherIds> other_ids = {};  // of a Spec of several axes

    static constexpr double left_out = -1;
    static bool is_left_out(double modulus) { return modulus < 0; }

    std::size_t rows() const { return positions[0].size(); }
    // The same kind of samples, of so many pairs, without rows.
    Samples without_rows(std::uint32_t of_pairs) const {
        Samples some;
        some.pairs = of_pairs;
        some.positions = {{}};
        some.storage = storage;
        some.largest_k = largest_k;
        some.format = format;
        some.least_norm = least_norm;
        some.narrow = narrow;
        some.is_of_narrow_table = is_of_narrow_table;
        some.source = source;
        some.frame_times = frame_times;
        some.inv_freq = inv_freq;
        return some;
    }
    double position(std::size_t row, std::uint32_t axis) const {
        return positions[axis < positions.size() ? axis : 0][row];
    }
};

// y_out = x_own·c + sign·x_partner·s; the partner head_dim + k is y_k, where that was written
// before.
struct LaneTerm {
    std::size_t own, partner, out;
    double sign;
};

// Which lanes of a head a table's columns rotate: each column two lanes. A rotation where the
// two are each other's partners, of opposite signs.
struct Arrangement {
    std::vector<std::array<LaneTerm, 2>> columns;
    std::uint32_t head_dim = 0;
    bool is_rotation = true;
    std::vector<std::size_t> before_group = {};  // of each group the one whose q it holds, rotated

    std::vector<std::size_t> rest() const;  // the lanes beside the pairs
};

// Of some rows of a dump.
Samples sample_table(const TableDump& dump, std::vector<std::size_t> rows);
// (c, s) of each column of the arrangement, ẑ = ŷ·conj(x)/|x|² where it is a rotation; left out
// where x hardly determines them.
Samples sample_vectors(const RotatedDump& dump, const Arrangement& arrangement,
                       const std::vector<std::size_t>& rows, const RowGroups& groups);
// The row of q that a rotated row was made of.
inline std::size_t before_row(const Arrangement& arrangement, const RowGroups& groups,
                              std::size_t row) {
    if (arrangement.before_group.empty()) return row;
    return groups.row(arrangement.before_group[groups.group_of(row)], groups.index_of(row));
}
// Some pairs of the rows at these positions, outward from 0, without those that are nowhere (NaN).
Samples at_places(const Samples& all, const std::vector<double>& places,
                  const std::vector<std::uint32_t>& pairs);
// The samples at other positions, in their order.
Samples placed(const Samples& samples, const RowGroups& groups, PositionSource source);
// The samples of several axes, each at its ids from elsewhere.
Samples placed_on_axes(const Samples& samples, const RowGroups& groups, PositionSource source);
Samples placed_on_axes(const Samples& samples, const RowGroups& groups, const FrameTimes& times);
// Of a row of the dump.
double place_of(const Samples& samples, const RowGroups& groups, std::uint64_t row,
                std::uint32_t axis);
// Each of several axes may have the ids of another, numbers of rows, or ids from another place.
void add_other_ids(Samples& samples, const RowGroups& groups, std::uint32_t axes);
// The rows that these frequencies make at diagnostic positions, for any amplitude.
Samples sample_frequencies(const FrequencyDump& dump, double amplitude);

// As std::remainder of a full turn, which takes a division for each bit of the quotient.
inline double within_half_a_turn(double angle) {
    const double turns = angle / full_turn;
    // the sum's last bit is 1, so that it is rounded to a whole number
    const bool is_small = std::abs(turns) < 0x1p51;
    const double whole = is_small ? turns + 0x1.8p52 - 0x1.8p52 : std::nearbyint(turns);
    return angle - full_turn * whole;
}

// |e^{iα} − 1|, the distance of two points of the circle that are α apart.
double chord(double angle);

// How a dump was judged.

// Pairs that turn otherwise than asked, within each value's allowance or not.
struct OddPairs {
    std::vector<std::uint32_t> pairs = {};
    bool are_still = false;
};

struct CheckOutcome {
    std::vector<double> wrong_at = {};  // positions where checks found it wrong
    // If a pipeline was named, its exactness; else that of an unknown implementation.
    std::optional<Exactness> exactness = {};
    unsigned threads = 0;  // 0: as many as the machine has
    OddPairs odd_pairs = {};
};

// Whether the whole dump agrees with a Spec that some of its rows allow.
using AllowsSpec = std::function<bool(const Spec& spec)>;

}  // namespace rope
