// A sample of a dump's rows as angles and moduli of each pair, with which hypotheses are compared.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "rope/checks/turn_rate.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {

// Positions from another source, which an axis may have been given instead of its position_ids.
struct OtherIds {
    const OtherSource* source;  // null: position_ids
    std::uint32_t axis = 0;     // the axis that the source reads
    std::vector<double> positions = {};

    bool are_made_of_ids() const { return source && source->reads_ids; }
};

// How a dump stores its values, and where its positions come from.
struct SampledValues {
    double storage = 0;  // √2·rounding error of a stored component, for amplitude 1
    double context = 0;  // the Spec's max_position_embeddings
    double largest_k = std::numeric_limits<double>::infinity();  // the named pipeline's
    double keys_moved_by = 0;                                    // that of CheckFacts
    Format format = Format::float32;
    double least_norm = 0;  // smallest norm of a pair of vectors that is evaluated
    // bfloat16 or float16 if every value is such a number although the dump's format is finer
    std::optional<Format> narrow = {};
    bool is_of_narrow_table = false;             // narrow values that the named pipeline explains
    const OtherSource* source = nullptr;         // of positions; null: position_ids
    std::optional<FrameTimes> frame_times = {};  // by which image rows are placed instead
    std::vector<double> inv_freq = {};           // the stored values of a FrequencyDump
};

struct Samples : SampledValues {
    std::uint32_t pairs = 0;
    std::vector<std::vector<double>> positions = {};  // [axis][row], at least one axis
    std::vector<double> angle = {};                   // rows × pairs, radians in (−π, π]
    // rows × pairs; NaN if cos or sin is not finite, left_out if the vectors do not determine the
    // pair
    std::vector<double> modulus = {};
    std::vector<std::size_t> dump_row = {};  // [row]: index in the dump; empty for a FrequencyDump
    std::vector<double> ids = {};  // position_ids of the rows, if the positions have another source
    std::vector<OtherIds> other_ids = {};  // if the Spec has several axes

    // The row with which misfit() begins: the last one that a hypothesis did not fit.
    mutable std::size_t refuting = static_cast<std::size_t>(-1);

    static constexpr double left_out = -1;
    static bool is_left_out(double modulus) { return modulus < 0; }

    bool is_row_left_out(std::size_t row) const {
        const auto first = modulus.begin() + static_cast<std::ptrdiff_t>(row * pairs);
        return std::all_of(first, first + pairs, is_left_out);
    }
    bool is_pair_left_out(std::uint32_t pair) const {
        for (std::size_t k = pair; k < modulus.size(); k += pairs)
            if (!is_left_out(modulus[k])) return false;
        return true;
    }

    std::size_t rows() const { return positions[0].size(); }
    // The rounding error of one component, including a rounded table's; and of an angle.
    double rounding() const { return storage + (narrow ? 2 * half_spacing(*narrow, 1) : 0); }
    double rounding_of_angles() const { return storage + (narrow ? half_spacing(*narrow, 1) : 0); }
    std::vector<std::uint32_t> all_pairs() const { return numbers_below<std::uint32_t>(pairs); }
    double position(std::size_t row, std::uint32_t axis) const {
        return positions[axis < positions.size() ? axis : 0][row];
    }
};

// y_out = x_own·c + sign·x_partner·s; a partner head_dim + k is dimension k of y instead of x, for
// an implementation that overwrites x in place.
struct DimensionTerm {
    std::size_t own, partner, out;
    double sign;
    bool operator==(const DimensionTerm&) const = default;
};

// The dimensions of a head that each column (pair) of a table rotates, two per column. It is a
// rotation if the two are each other's partners, with opposite signs.
struct Arrangement {
    std::vector<std::array<DimensionTerm, 2>> columns;
    std::uint32_t head_dim = 0;
    bool is_rotation = true;
    std::vector<std::size_t> before_group = {};  // [group]: the group of q that it holds

    std::vector<std::size_t> rest() const;  // the dimensions that no column reads or writes
};

// Returns the cos and sin of these rows of a table as angles and moduli.
Samples sample_table(const TableDump& dump, std::vector<std::size_t> rows);
// Returns the (c, s) of each column that the vectors determine; for a rotation y·conj(x)/|x|². A
// column is left out if x is too small or nearly singular, and a row where all columns are.
Samples sample_vectors(const RotatedDump& dump, const Arrangement& arrangement,
                       const std::vector<std::size_t>& rows, const RowGroups& groups);
// Returns the row of q before the rotation that belongs to a row after it.
inline std::size_t before_row(const Arrangement& arrangement, const RowGroups& groups,
                              std::size_t row) {
    if (arrangement.before_group.empty()) return row;
    return groups.row(arrangement.before_group[groups.group_of(row)], groups.index_of(row));
}
// Returns some pairs of these rows, in this order, each at places[row].
Samples some_rows(const Samples& all, const std::vector<std::size_t>& rows,
                  const std::vector<double>& places, const std::vector<std::uint32_t>& pairs);
// Returns some pairs of the rows at `places`, sorted by |place|, without rows whose place is NaN.
Samples at_places(const Samples& all, const std::vector<double>& places,
                  const std::vector<std::uint32_t>& pairs);
// Returns the samples at the positions of another source; with one axis sorted by |position|.
Samples placed(const Samples& samples, const RowGroups& groups, const OtherSource& source);
// The same on several axes at these times of frames.
Samples placed(const Samples& samples, const RowGroups& groups, const FrameTimes& times);
// Returns the position of a row of the dump on an axis, by the samples' source.
double place_of(const Samples& samples, const RowGroups& groups, std::uint64_t row,
                std::uint32_t axis);
// Adds the ids that an axis may have got by mistake: those of any axis, or row numbers.
void add_other_ids(Samples& samples, const RowGroups& groups, std::uint32_t axes);
// Returns the angles m·inv_freq at ten positions m from 1 to 2049.
Samples sample_frequencies(const FrequencyDump& dump, double amplitude);

// Equal to std::remainder(angle, 2π), which needs one division per bit of the quotient.
inline double within_half_a_turn(double angle) {
    const double turns = angle / full_turn;
    // the sum has spacing 1, so the addition rounds `turns` to a whole number
    const bool is_small = std::abs(turns) < 0x1p51;
    const double whole = is_small ? turns + 0x1.8p52 - 0x1.8p52 : std::nearbyint(turns);
    return angle - full_turn * whole;
}

// Returns |e^{iα} − 1|, the distance of two points on the unit circle that are α apart.
double chord(double angle);

// The root mean square of the middle half of finite moduli, 1 if there is none; of a 16-bit table,
// whose slow pairs round alike, the amplitudes from which rounding gives the most of its values.
struct Amplitude {
    double value = 1, error = 0x1p-27;
};
Amplitude fitted_amplitude(const Samples& samples);

// What is left of the work on one dump: fits of positions, in values compared.
struct Effort {
    std::uint64_t left = 10'000'000;  // about half a second
    bool is_spent = false;

    // Returns whether there is as much left.
    bool spend(std::uint64_t values) {
        is_spent = is_spent || values > left;
        if (!is_spent) left -= values;
        return !is_spent;
    }
};

// What the checks of a dump found, from which its diagnosis starts.
struct CheckFacts {
    std::vector<double> wrong_at = {};  // positions at which checks failed
    // The exactness of the named pipeline, else of an unknown implementation.
    std::optional<Exactness> exactness = {};
    unsigned threads = 0;  // 0: as many as the machine has
    OddPairs odd_pairs = {};
    // float32 keys were rotated to m + this and back: both angles are rounded
    double keys_moved_by = 0;
    Effort* effort = nullptr;  // of the dump; none: without limit
};

// Returns whether every row of the dump agrees with `spec`.
using AllowsSpec = std::function<bool(const Spec& spec)>;

}  // namespace rope
