// An implementation's results: tables, rotated vectors or frequencies, how exact they are expected
// to be, and their rows of (cos, sin).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// Existing tables, rotated vectors or frequencies.

// How a dump's rows lie in its batch entries, heads and sequences: along an axis, row r is number
// r / stride mod length.
struct RowAxis {
    std::uint64_t length = 1, stride = 1;
    std::uint64_t of(std::uint64_t row) const { return row / stride % length; }
};
struct RowGrid {
    RowAxis batch, head, sequence;  // all of length 1: rows of one sequence, one after the other
};

// Existing tables: rows × pairs, one row per position in any order. Positions may be negative or
// fractional, |position| < 2^32.
struct TableDump {
    std::vector<double> positions;
    std::uint32_t pairs = 0;
    StridedRows cos;
    StridedRows sin;
    Format format = Format::float32;
    std::string origin;  // file names
    // Of each row on axes 1, 2, … of the Spec's; empty: as on axis 0
    std::vector<std::vector<double>> more_positions = {};
    RowGrid grid = {};
    std::vector<Assumption> read_as = {};
};

// Vectors that a kernel was given beside a dump's: k of q, or q of k.
struct OtherVectors {
    std::string name;
    StridedRows before;
};

// What was rounded to the format of rotated vectors.
enum class Roundings {
    once,       // the results
    of_inputs,  // and what was rotated, of which the file has the rounded values
    twice,      // and the results of a rotation before it, as of keys that are moved in a cache
};

// Vectors before and after rotation: rows × head_dim lanes.
struct RotatedDump {
    std::vector<double> positions;
    StridedRows before;
    StridedRows after;
    Format format = Format::float32;
    std::string origin;
    std::vector<std::vector<double>> more_positions = {};
    std::optional<Format> stored_in = {};  // where that is wider than `format`
    RowGrid grid = {};
    std::vector<Assumption> read_as = {};
    double scale_rounding = 0;  // of what `after` was divided by, in proportion
    // Of as many rows, where the file has them
    std::optional<OtherVectors> other = {};
    std::uint64_t padding = 0;  // rows that are left out, whose vectors are 0
    Roundings roundings = Roundings::once;
};

// Of vectors that have a row.
inline std::uint64_t head_dim_of(const RotatedDump& dump) {
    return dump.before.size() / dump.positions.size();
}

// Whether a lane's value was not changed, but for its rounding to the format of `after`.
inline bool is_kept(const RotatedDump& dump, double before, double after) {
    return after == before || after == round_to(dump.format, before);
}

// Frequencies alone, as implementations keep them: one per pair, radians per position.
struct FrequencyDump {
    std::vector<double> inv_freq;
    Format format = Format::float32;
    std::string origin;
    std::vector<Assumption> read_as = {};
};

// Whether a pair turns by it: finite, and less than 2^32 radians per position.
inline bool is_frequency(double inv_freq) { return std::abs(inv_freq) < 0x1p32; }

struct Pipeline;

// Judged by the class and the table format of `pipeline`, else as an implementation of unknown
// make. Pairs of vectors that are zero, where a rotation has no effect, are left out
// and counted. Throw InputError when the shapes do not fit the Spec, or nothing is left.
std::unique_ptr<RowSource> table_rows(const Spec& spec, TableDump dump,
                                      const Pipeline* pipeline = nullptr);
std::unique_ptr<RowSource> rotated_rows(const Spec& spec, RotatedDump dump,
                                        const Pipeline* pipeline = nullptr);

// The rows 0 … context − 1 that turn by exactly these, times the Spec's attention_factor. Judged
// as a dump is. Throws InputError when they are not as many as the Spec's pairs.
std::unique_ptr<RowSource> frequency_rows(const Spec& spec, const FrequencyDump& dump,
                                          std::uint64_t context,
                                          const Pipeline* pipeline = nullptr);

// The lanes outside rotary_dim before and after, all of them where it is 0; by position.
PassThrough compare_passed_lanes(const Spec& spec, const RotatedDump& dump);

// "every rotated value is a bfloat16 number, stored as float32: judged as bfloat16"
std::string note_on_narrow_values(std::string_view what, Format format, Format stored_in);

// How exact a subject's numbers are expected to be.

// Error of one cos or sin of an existing table: half a spacing of the format, and 2 ulp of a
// library of that format; an attention factor is itself rounded, and its product.
double table_rounding(Format format, double amplitude, Format library = Format::float32);

// Error of one lane of a rotated pair, relative to the pair's norm before:
// y = c·x1 − s·x2 with c, s, both products and the sum rounded, and the other lane alike:
// |error| ≤ (2√2 + 1)u·a|x| per pair
double rotation_rounding(Format format, double amplitude, Format library = Format::float32);

// Of a table in `format`. By the class of `pipeline` where one is given, in the
// pipeline's format, else as an unknown implementation.
Exactness table_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                          const Pipeline* pipeline);

// Of rows worked out from vectors that were rotated in `format`; the angles likewise.
Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline);

// Of the angles alone, nothing being rounded beside them.
Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline);

// Which pairs of vectors say how they were turned: below a format's normal numbers values are
// rounded absolutely, and a pair's angle by more than an allowance that is relative to its norm.
struct TellingNorm {
    double least = 0;       // norm of a pair that says something
    double coarseness = 1;  // its rounding, relative to what it is among normal numbers
};

// Twice the least normal number; where no lane of `before` is as large, a quarter of the largest,
// and 0 where all are 0.
TellingNorm telling_norm(const RotatedDump& dump, std::size_t head_dim);

// The fourth position of interleaved4, where a dump has positions for text or on three axes: 0, as
// llama.cpp gives it to text and images (src/llama-graph.cpp, llm_graph_input_pos::set_input).

// The dump with all four; empty where it has them, or the Spec's axes are others.
std::optional<Dump> with_fourth_axis(const Spec& spec, const Dump& dump);

// The numbers of a dump, one row of some pairs at a time.

// (cos, sin) of some pairs of one row, as they lie in the file or worked out from vectors.
class DumpCells {
  public:
    virtual ~DumpCells() = default;
    virtual void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const = 0;
    virtual void prefetch(std::uint64_t row) const = 0;  // what read will need of it
    // Of what lies in the file of a row, which distinguishes rows of one position in any order.
    virtual std::uint64_t mixed_bits(std::uint64_t row) const = 0;
};

class TableCells final : public DumpCells {
  public:
    TableCells(StridedRows cos, StridedRows sin, std::uint32_t pairs)
        : cos_(std::move(cos)), sin_(std::move(sin)), pairs_(pairs) {}
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
    void prefetch(std::uint64_t row) const override {
        cos_.prefetch(row, pairs_);
        sin_.prefetch(row, pairs_);
    }
    std::uint64_t mixed_bits(std::uint64_t row) const override {
        return cos_.mixed_bits(row, pairs_) ^ 3 * sin_.mixed_bits(row, pairs_);
    }

  private:
    StridedRows cos_, sin_;
    std::uint32_t pairs_;
};

// ẑ = ŷ·conj(x)/|x|² per pair
class RotatedCells final : public DumpCells {
  public:
    // `least`: telling_norm.hpp
    RotatedCells(const Spec& spec, StridedRows before, StridedRows after, double least);
    void read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const override;
    void prefetch(std::uint64_t row) const override {
        before_.prefetch(row, width_);
        after_.prefetch(row, width_);
    }
    std::uint64_t mixed_bits(std::uint64_t row) const override {
        return before_.mixed_bits(row, width_) ^ 3 * after_.mixed_bits(row, width_);
    }
    std::uint64_t count_left_out(std::uint64_t rows) const;
    // Pairs that are left out in every row that `turns`, which position 0 does not.
    std::vector<std::uint32_t> undetermined_pairs(const std::vector<bool>& turns) const;
    // Where vectors say nothing of the rotation: zero, or so small that their numbers are
    // subnormal, and so after it. NaN is read there.
    bool is_left_out(std::uint64_t row, std::uint32_t pair) const;

  private:
    // Pairs whose lanes follow each other at one step: first and second ones of each, before and
    // after.
    struct Run {
        PairRange pairs;
        StridedRows x1, x2, y1, y2;
    };
    void add_runs();
    void read_run(const Run& run, std::uint64_t row, PairRange pairs, double* cos,
                  double* sin) const;

    StridedRows before_, after_;
    std::vector<Lanes> read_, written_;
    std::vector<Run> runs_;
    std::uint32_t width_;
    double least_;  // norm
};

}  // namespace rope
