// Existing tables, rotated vectors or frequencies.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/number/format.hpp"
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

}  // namespace rope
