// Rows of (cos, sin) to check, their positions and their origin.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rope/exact/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// The rows for which a further thread is worth its start.
inline constexpr std::size_t least_rows = 4096;

// One assumption made when a dump was read: {"cache_layout", "half", "columns are rotary_dim/2"}.
struct Assumption {
    std::string what, value, from;
    bool are_row_numbers = false;  // of positions that the file does not state
};
// Returns the assumption with this name; null without it.
inline const Assumption* find_assumption(const std::vector<Assumption>& all,
                                         std::string_view what) {
    const auto found = std::ranges::find(all, what, &Assumption::what);
    return found == all.end() ? nullptr : &*found;
}

struct Subject {
    std::string origin;         // "pipeline hf-fp32", "cos.npy, sin.npy"
    std::string pipeline;       // name of the pipeline; empty for a dump
    std::uint64_t context = 0;  // positions 0 … context − 1
    std::uint64_t seed = 1;
    std::string layers = {};                        // layers of the model, if its layers differ
    std::vector<std::uint32_t> layer_numbers = {};  // their numbers, if known
    std::string digest = {};                        // of every cos and sin, for a baseline
    std::vector<std::string> notes = {};            // assumptions and omissions, one sentence each
    std::uint64_t left_out = 0;                     // number of unchecked (row, pair) values
    std::vector<Assumption> read_as = {};
    double nearest_position = 0;  // |m| of the row nearest to 0
    double rounding = 0;          // error of one stored value by its format, for amplitude 1
};

struct PairRange {
    std::uint32_t first;
    std::uint32_t count;
};

// Expected accuracy of a subject.
struct Exactness {
    // Limit of each pair's angle error, in units of 2^-24·mθ.
    std::vector<double> angle_k;
    // Whether the implementation is unknown: angle_k is then that of the least exact arithmetic,
    // and the comparison finds its class (checks/comparison.hpp).
    bool is_unknown_implementation = false;
    double rounding = 0;  // additional error of one stored cos or sin, for amplitude 1
    double recovery = 0;  // error of recovering rows from rotated vectors, made by this program
    Format table = Format::float32;  // format to which cos and sin may have been rounded
};

// Reads the rows of some pairs, tile by tile. Each thread needs a separate reader.
class RowReader {
  public:
    virtual ~RowReader() = default;

    // Writes cos and sin, including the amplitude, of rows × pairs, row-major, for at most 32 rows.
    virtual void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) = 0;

    // Returns, for the values of the last fill(), 1 if NaN stands for an undetermined value;
    // empty if all are determined.
    virtual std::span<const std::uint8_t> left_out() const { return {}; }

    // Return the exact rows of the subject's frequencies for the last fill(), if the reader
    // computed them, else nullptr.
    virtual const double* effective_cos() const { return nullptr; }
    virtual const double* effective_sin() const { return nullptr; }
};

struct Answers;    // suite/audit.hpp
struct TableDump;  // dump.hpp
struct RotatedDump;
struct FrequencyDump;
using Dump = std::variant<TableDump, RotatedDump, FrequencyDump>;

class RowSource {
  public:
    virtual ~RowSource() = default;

    // `pairs` must be on one axis if has_several_axes().
    virtual std::unique_ptr<RowReader> read(PairRange pairs) const = 0;

    virtual std::uint64_t rows() const = 0;
    // Returns the position of each row on an axis, in the order of is_nearer_zero(), with
    // repetitions. Empty if row m has position m on every axis. Rows are ordered separately for
    // each axis, and a reader uses the order of the axis of its pairs.
    virtual std::span<const double> positions(std::uint32_t /*axis*/) const { return {}; }
    // Returns whether rows have different positions on several axes.
    virtual bool has_several_axes() const { return false; }
    // Returns whether the row has position 0 on every axis; `row` counts in the order of this axis.
    virtual bool is_at_zero(std::uint64_t row, std::uint32_t axis) const {
        return position_of(row, axis) == 0;
    }
    // Returns the number of different positions, over all axes together.
    virtual std::uint64_t distinct_positions() const { return rows(); }

    // Returns the frequencies that the subject uses, if known; if not, they are fitted.
    virtual const std::vector<BigReal>* effective_inv_freq() const { return nullptr; }
    // Returns the table or vectors that the rows were read from.
    virtual const Dump* dumped() const { return nullptr; }
    // Returns all answers of a program, if the rows were recovered from them.
    virtual const Answers* answers() const { return nullptr; }

    virtual const Exactness& exactness() const = 0;
    virtual Subject subject() const = 0;

    double position_of(std::uint64_t row, std::uint32_t axis) const {
        return positions(axis).empty() ? static_cast<double>(row) : positions(axis)[row];
    }
};

// Order of rows by distance from 0: 0, −1, 1, −2, 2, …, so that those within any distance come
// first.
inline bool is_nearer_zero(double a, double b) {
    const double from = std::abs(a), to = std::abs(b);
    return from < to || (from == to && a < b);
}

// Returns the length of the shortest sequence that contains the positions; 0 if there are none.
inline std::uint64_t context_of(std::span<const double> positions) {
    if (positions.empty()) return 0;
    return static_cast<std::uint64_t>(
               std::abs(*std::ranges::max_element(positions, is_nearer_zero))) +
           1;
}

// Positions at which implementations have failed: around the largest integers that bfloat16,
// float16 and TF32 represent without gaps, and at float16's overflow.
inline constexpr std::uint64_t diagnostic_positions[] = {
    0,    1,    2,    3,    5,    31,   33,   64,    127,   255,   257,   511,    1000,
    1023, 1025, 2047, 2049, 4095, 4097, 8191, 16385, 32769, 65519, 65521, 131071, 1048575};

// Returns a digest of every cos and sin of the subject.
std::string digest_of(const RowSource& subject, std::uint32_t pairs);

}  // namespace rope
