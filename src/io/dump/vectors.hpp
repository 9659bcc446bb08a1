// Vectors before and after a rotation: the order of their axes and the positions of their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/dump/shape.hpp"
#include "io/tensor/array.hpp"
#include "rope/rows/dump.hpp"

namespace rope::io {

// Vectors of one shape, whose last axis holds the dimensions of a head.
struct Vectors {
    NamedArray before, after;
    std::string axes = {};   // the letters that the user names, if any
    bool are_fused = false;  // the file has the last two axes as one
    Format format = Format::float32;
    std::optional<Format> stored_in = {};
    double printed = 0;  // RotatedDump's

    const Shape& shape() const { return before.array.shape; }
};

// Gives `before` the axes of `after` and splits fused heads. Throws InputError for vectors that are
// not of the asked width, or were rounded to 8 bits.
Vectors prepared_vectors(const NamedArray& before, const NamedArray& after, const DumpHints& asked);

// Rows without positions, and how they were read.
RotatedDump rows_of(const Vectors& vectors, const std::string& axes);

// Makes the rows 0 where `kept` is 0. `by` names the array that says so.
void leave_out(RotatedDump& dump, const Vectors& vectors, const std::vector<double>& kept,
               const std::string& by);

// The axis with a letter.
std::optional<std::size_t> axis_of(const std::string& axes, char letter);

struct AxisCounts {
    std::uint64_t entries = 1, heads = 1, rows = 1;  // batch entries, heads, positions
};
AxisCounts counts_by(const std::string& axes, const Shape& shape);

// The orders of axes that vectors may have, usual ones first. Throws InputError if the user's order
// has another number of axes or other letters.
std::vector<std::string> axis_orders(const Vectors& vectors);

// How unlikely an order of axes is, in bits, by the config's heads and the lengths of the axes.
// `have_own_positions`: batch entries are at different positions.
double cost_of_order(const std::string& axes, const Shape& shape,
                     const std::vector<std::uint64_t>& heads, bool has_positions,
                     bool have_own_positions);

// Throws InputError if the rotated vectors hold multiples of a step, as in a quantised cache.
void require_no_steps(const NamedArray& before, const NamedArray& after, const RowGrid& grid);

// Measures whether vectors along an axis rotate alike. Vectors at one position do, so the angle
// between two of them along the axis of the heads stays.
class Turns {
  public:
    explicit Turns(const Vectors& vectors)
        : before_(vectors.before.array), after_(vectors.after.array) {}

    // The largest change of an angle along all axes but those on which positions differ, which
    // `fifths` of the sampled rows do not exceed; `is_determined` if there is one along each of
    // them. `moved_only` counts only rows that moved.
    struct Turn {
        double most = 0;
        bool is_determined = true;
        std::size_t count = 0;  // of the axes
    };
    Turn at_one_position(std::optional<std::size_t> sequence, std::optional<std::size_t> batch,
                         unsigned fifths, bool moved_only) const;
    std::optional<double> along(std::size_t axis, unsigned fifths, bool moved_only) const;
    bool have_moved() const;

  private:
    double between(std::uint64_t a, std::uint64_t b) const;
    bool is_moved(std::uint64_t row) const;

    const Array &before_, &after_;
};

// Which rows the ids of a file belong to.
enum class IdsAre {
    of_rows,        // one for each row, of the last rows, or of the first rows of a cache
    of_last_row,    // one for each batch entry or for all, up to which rows count
    of_padded_row,  // the same, and rows before position 0 are padding
    of_first_row,   // one, from which rows count
};

// Positions that the file gives, and how unlikely it is in bits that they are those of the rows.
struct GivenPositions {
    StatedPositions stated;
    double cost = 0;
    bool is_whole_cache = false;  // row numbers of keys
};

struct ReadVectors {
    RotatedDump dump;
    std::string axes;
    IdsAre ids_are = IdsAre::of_rows;
    StatedPositions positions;
    bool is_right = false;  // follows the config, or leaves no choice
};

// The file's other vectors: k next to q, or q next to k.
struct NextTo {
    const Vectors* vectors = nullptr;
    const ReadVectors* read = nullptr;  // if they were
    bool is_cross_attention = false;    // q is not the last rows of k

    bool is_right() const { return read != nullptr && read->is_right; }
};

// A way to read vectors: an order of their axes, and positions.
struct VectorWay {
    const GivenPositions* given = nullptr;
    std::shared_ptr<const std::vector<PositionIds>> ids = {};  // on each axis; none: row numbers
    IdsAre ids_are = IdsAre::of_rows;
    std::string axes = {};
    AxisCounts counts = {};
    std::optional<std::size_t> sequence = {}, batch = {};  // the axes on which positions differ
    std::uint64_t rows_before = 0;                         // of k, before the first row of q
    double cost = 0;                                       // how unlikely it is in bits
};

// The ways that fit the lengths of the axes, the likeliest first; of those that give every row the
// same position the likeliest.
std::vector<VectorWay> ways_to_read(const Vectors& vectors,
                                    const std::vector<GivenPositions>& given, const NextTo& other,
                                    const DumpHints& asked);

// The rows at their positions. Rows of padding are 0.
RotatedDump rows_in(const Vectors& vectors, const VectorWay& way);

// Reads vectors in the likeliest way in which their rows follow the config, unless another way is
// likelier by far. Where none follows it, the likeliest way is that in which heads rotate alike.
// Throws OpenOrder if two ways are as likely and only one of them is right, UndeterminedAxes if
// nothing decides, and InputError if positions do not fit.
ReadVectors read_vectors(const Vectors& vectors, const std::vector<GivenPositions>& given,
                         const NextTo& other, const DumpHints& asked);

}  // namespace rope::io
