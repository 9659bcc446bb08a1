// Results of an implementation (tables, rotated vectors or frequencies), their expected accuracy,
// and their rows of (cos, sin).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/exact/element.hpp"
#include "rope/exact/format.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/dimensions.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

// Layout of rows by batch entry, head and sequence: on one axis, row r has the index r / stride mod
// length.
struct RowAxis {
    std::uint64_t length = 1, stride = 1;
    std::uint64_t of(std::uint64_t row) const { return row / stride % length; }
};
struct RowGrid {
    RowAxis batch, head, sequence;  // all of length 1: rows of a single sequence
};

// Tables of rows × pairs, with one row per position, in any order. Positions may be negative or
// fractional, |position| < 2^32.
struct TableDump {
    std::vector<double> positions;
    std::uint32_t pairs = 0;
    StridedRows cos;
    StridedRows sin;
    Format format = Format::float32;
    std::string origin;  // file names
    // Positions on the axes 1, 2, …; empty if all axes have the same positions.
    std::vector<std::vector<double>> more_positions = {};
    RowGrid grid = {};
    std::vector<Assumption> read_as = {};
    double printed = 0;  // half a unit of the last digit of printed numbers; 0 for others
};

// The second input of a kernel: k if the dump holds q, or q if it holds k.
struct OtherVectors {
    std::string name;
    StridedRows before;
};

// Which values were rounded to the format of the rotated vectors:
enum class Roundings {
    once,       // the results
    of_inputs,  // also the inputs, and the file holds the rounded inputs
    twice,      // also the results of an earlier rotation, as with keys moved in a cache
};

// Vectors before and after rotation, rows × head_dim.
struct RotatedDump {
    std::vector<double> positions;
    StridedRows before;
    StridedRows after;
    Format format = Format::float32;
    std::string origin;
    std::vector<std::vector<double>> more_positions = {};
    std::optional<Format> stored_in = {};  // storage format, if wider than `format`
    RowGrid grid = {};
    std::vector<Assumption> read_as = {};
    double scale_rounding = 0;  // relative rounding error of the divisor of `after`
    // The second input with as many rows, if the file has one.
    std::optional<OtherVectors> other = {};
    std::uint64_t padding = 0;  // number of rows left out because their vectors are 0
    Roundings roundings = Roundings::once;
    double printed = 0;  // error of printed numbers, half a unit of the last digit; 0 for others
};

// Returns head_dim; the dump must have rows.
inline std::uint64_t head_dim_of(const RotatedDump& dump) {
    return dump.before.size() / dump.positions.size();
}

// Returns whether a value is unchanged, except for rounding to the format of `after`.
inline bool is_kept(const RotatedDump& dump, double before, double after) {
    return after == before || after == round_to(dump.format, before) ||
           std::abs(after - before) <= dump.scale_rounding * std::abs(before);
}

// Frequencies as implementations store them: one per pair, radians per position.
struct FrequencyDump {
    std::vector<double> inv_freq;
    Format format = Format::float32;
    std::string origin;
    std::vector<Assumption> read_as = {};
};

// Returns whether a frequency is finite and below 2^32 radians per position.
inline bool is_frequency(double inv_freq) { return std::abs(inv_freq) < 0x1p32; }

// The rows of a table or of vectors. Keeps references.
struct DumpedRows {
    const std::vector<double>& positions;
    const std::vector<std::vector<double>>& more_positions;
    Format format;
    const std::string& origin;
    const RowGrid& grid;
    const std::vector<Assumption>& read_as;

    // Takes a TableDump or a RotatedDump.
    explicit DumpedRows(const auto& dump)
        : positions(dump.positions),
          more_positions(dump.more_positions),
          format(dump.format),
          origin(dump.origin),
          grid(dump.grid),
          read_as(dump.read_as) {}

    std::size_t axes() const { return more_positions.size() + 1; }
    // Returns the positions on an axis; rows with one position have it on every axis.
    const std::vector<double>& on(std::uint32_t axis) const {
        return axis == 0 || more_positions.empty() ? positions : more_positions[axis - 1];
    }
    std::vector<double> position(std::uint64_t row) const;  // on each axis
    double farthest() const;                                // largest |position| on any axis
    bool are_all(bool (*is_so)(double position)) const;     // on every axis
};
// Returns the rows of a dump; none for a FrequencyDump.
std::optional<DumpedRows> rows_of(const Dump& dump);

// Returns the rotary_dim of a table or of frequencies, or the head_dim of vectors.
std::uint64_t dimensions_of(const Dump& dump);

// Returns whether a position is an integer of at least 0.
inline bool is_whole(double position) { return position >= 0 && position == std::floor(position); }

// A pair before (x) and after (y) its rotation.
struct PairValues {
    double x1, x2, y1, y2;
};

// Reads both arrays of a table or of vectors, row by row.
class ArrayRows {
  public:
    // Requires a table or vectors.
    explicit ArrayRows(const Dump& dump);
    void read(std::uint64_t row) { read(row, row); }

  protected:
    ArrayRows(StridedRows x, StridedRows y, std::uint64_t width)
        : before_(std::move(x)), after_(std::move(y)), width_(width), xy_(2 * width) {}

    // Reads a row of each array, as of vectors that are in another order after the rotation.
    void read(std::uint64_t before, std::uint64_t after);
    void prefetch(std::uint64_t before, std::uint64_t after) const;
    std::span<const double> x() const { return {xy_.data(), width_}; }
    std::span<const double> y() const { return {xy_.data() + width_, width_}; }

    StridedRows before_, after_;  // cos and sin of a table
    std::uint64_t width_;
    std::vector<double> xy_;  // x and then y of the row read last
};

// Reads the pairs of a table or of vectors, row by row. For a table, y is (cos, sin), the rotated
// x = (1, 0).
class PairReader : public ArrayRows {
  public:
    PairReader(const Spec& spec, const RotatedDump& vectors);
    explicit PairReader(const TableDump& table) : ArrayRows(table.cos, table.sin, table.pairs) {}

    // Returns a pair of the row read last.
    PairValues operator[](std::uint32_t pair) const;

  private:
    std::vector<std::pair<Dimensions, Dimensions>>
        dimensions_;  // of each pair, read and written; none: a table
};
// Requires a table or vectors.
PairReader pair_reader(const Spec& spec, const Dump& dump);

// Return the rows of a dump. With a pipeline, the limits are those of its arithmetic and its table
// format, else those of an unknown implementation. Pairs of zero vectors, which no rotation
// changes, are left out and counted. Throw InputError if the shapes do not fit the Spec or no pair
// is left.
// `answers`: those that the table was recovered from.
std::unique_ptr<RowSource> table_rows(const Spec& spec, TableDump dump,
                                      const Pipeline* pipeline = nullptr, unsigned threads = 1,
                                      std::shared_ptr<const Answers> answers = nullptr);
std::unique_ptr<RowSource> rotated_rows(const Spec& spec, RotatedDump dump,
                                        const Pipeline* pipeline = nullptr, unsigned threads = 1);

// Returns the rows 0 … context − 1 of exactly these frequencies, times the Spec's attention_factor,
// with the limits of a dump. Throws InputError if their number is not the Spec's number of pairs.
std::unique_ptr<RowSource> frequency_rows(const Spec& spec, const FrequencyDump& dump,
                                          std::uint64_t context,
                                          const Pipeline* pipeline = nullptr);

// Calls visit(position, after, before) for the dimensions outside rotary_dim (all dimensions if
// rotary_dim is 0) in order of position; both values are equal if is_kept().
void visit_passed_dimensions(const Spec& spec, const RotatedDump& dump, unsigned threads,
                             const std::function<void(double, double, double)>& visit);

// Returns "every rotated value is a bfloat16 number, stored as float32: checked as bfloat16".
std::string note_on_narrow_values(std::string_view what, Format format, Format stored_in);

// Returns the error of one cos or sin of a table: half a spacing of the format, 2 ulp of the math
// library's format, and the roundings of an attention factor and of its product.
double table_rounding(Format format, double amplitude, Format library = Format::float32);

// Returns the error of one dimension of a rotated pair, relative to the pair's norm before. In y =
// c·x1 − s·x2 the factors c and s, both products and the sum are rounded; for the pair |error| ≤
// (2√2 + 1)u·a|x|.
double rotation_rounding(Format format, double amplitude, Format library = Format::float32);

// Returns the accuracy expected of vectors that were rotated in `format`. A pipeline sets the
// format of the table and its class of arithmetic; without one, the implementation is unknown.
Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline);

// Returns the accuracy expected of a table or of vectors, in their format.
Exactness exactness_of(const Spec& spec, const FrequencyPlan& plan, const Dump& dump,
                       const Pipeline* pipeline);

// Norms from which a pair of a vector determines its rotation. Below the normal numbers of a
// format, rounding errors are absolute, as are those of printed digits, and no tolerance relative
// to the norm covers them.
struct TellingNorm {
    double least = 0;       // smallest norm of a pair that is used
    double coarseness = 1;  // rounding error relative to that of normal numbers
};

// Returns twice the smallest normal number as `least`; if no value of `before` is that large, or
// values were printed, a quarter of the largest value (unless all are 0).
TellingNorm telling_norm(const RotatedDump& dump, std::size_t head_dim);

// For interleaved4, a dump with positions of one or three axes gets 0 on the fourth axis, as
// llama.cpp does for text and images (src/llama-graph.cpp, llm_graph_input_pos::set_input).

// Returns the dump with four axes; empty if it has them already or the Spec has other axes.
std::optional<Dump> with_fourth_axis(const Spec& spec, const Dump& dump);

// (cos, sin) of some pairs of one row, from two arrays: a table, or vectors before and after.
class DumpCells {
  public:
    virtual ~DumpCells() = default;
    virtual void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const = 0;
    // Returns whether the row does not determine the pair. read() then writes NaN.
    virtual bool is_left_out(std::uint64_t, std::uint32_t) const { return false; }
    void prefetch(std::uint64_t row) const {  // prefetches the data that read() needs
        left_.prefetch(row, width_);
        right_.prefetch(row, width_);
    }
    // Returns a hash of a row's stored bits, which orders rows of equal position independently of
    // their order in the file.
    std::uint64_t mixed_bits(std::uint64_t row) const {
        return left_.mixed_bits(row, width_) ^ 3 * right_.mixed_bits(row, width_);
    }

  protected:
    DumpCells(StridedRows left, StridedRows right, std::uint32_t width)
        : left_(std::move(left)), right_(std::move(right)), width_(width) {}

    StridedRows left_, right_;
    std::uint32_t width_;
};

class TableCells final : public DumpCells {
  public:
    TableCells(StridedRows cos, StridedRows sin, std::uint32_t pairs)
        : DumpCells(std::move(cos), std::move(sin), pairs) {}
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
};

// ẑ = ŷ·conj(x)/|x|² per pair
class RotatedCells final : public DumpCells {
  public:
    // `least` is TellingNorm::least.
    RotatedCells(const Spec& spec, StridedRows before, StridedRows after, double least);
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
    std::uint64_t count_left_out(std::uint64_t rows, unsigned threads) const;
    // Returns the pairs that are left out in every row with turns[row]; the other rows have
    // position 0.
    std::vector<std::uint32_t> undetermined_pairs(const std::vector<bool>& turns) const;
    // Whether the pair is zero or subnormal before and after.
    bool is_left_out(std::uint64_t row, std::uint32_t pair) const override;

  private:
    // Consecutive pairs whose dimensions have one stride: first (x1, y1) and second (x2, y2)
    // dimensions before (x) and after (y).
    struct Run {
        PairRange pairs;
        StridedRows x1, x2, y1, y2;
    };
    void add_runs();
    void read_run(const Run& run, std::uint64_t row, PairRange pairs, double* cos,
                  double* sin) const;

    std::vector<Dimensions> read_, written_;
    std::vector<Run> runs_;
    double least_;  // smallest norm of a pair that is used
};

}  // namespace rope
