// Existing tables, rotated vectors or frequencies.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

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

}  // namespace rope
