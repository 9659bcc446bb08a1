// The rows of (cos, sin) that are judged, their positions, and where they come from.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rope/number/element.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// What was judged.

// How a dump was read: {"cache_layout", "half", "columns are rotary_dim/2"}.
struct Assumption {
    std::string what, value, from;
};

struct Subject {
    std::string origin;         // "pipeline hf-fp32", "cos.npy, sin.npy"
    std::string pipeline;       // the pipeline's name; empty for a dump
    std::uint64_t context = 0;  // positions 0 … context − 1
    std::uint64_t seed = 1;
    std::string layers = {};                        // of the model, where its layers differ
    std::vector<std::uint32_t> layer_numbers = {};  // of these, where they are known
    std::string digest = {};                        // of every cos and sin, if a baseline needs it
    std::vector<std::string> notes = {};            // what was assumed or left out, a sentence each
    std::uint64_t left_out = 0;                     // pairs of rows, of which it says nothing
    std::vector<Assumption> read_as = {};
    double nearest_position = 0;  // |m| of the row nearest to 0
};

// Rows of (cos, sin) to be judged: an emulated pipeline, or an existing dump.

struct PairRange {
    std::uint32_t first;
    std::uint32_t count;
};

// How exact a subject may be expected to be; DESIGN's K and the table's own rounding.
struct Exactness {
    // A pair's angle may be off by K·2^-24·mθ; one K per pair.
    std::vector<double> angle_k;
    // Whether the implementation is unknown: these are then the least exact arithmetic's, and a
    // comparison finds out which it is like (checks/comparison.hpp).
    bool is_unknown_implementation = false;
    double rounding = 0;  // error of one stored component beyond that, for amplitude 1
    double recovery = 0;  // our own error, where rows were recovered from rotated vectors
    Format table = Format::float32;  // what cos and sin may have been rounded to
};

// The lanes that do not rotate, which a rotation must not touch.
struct PassThrough {
    std::uint64_t lanes = 0;  // compared
    double worst = 0;         // |after − before|; NaN stays NaN
    double position = 0;
    double got = 0, want = 0;

    void compare(double at, double after, double before) {
        ++lanes;
        const double error = std::abs(after - before);
        if (error <= worst || std::isnan(worst)) return;
        worst = error;
        position = at;
        got = after;
        want = before;
    }
};

// Some pairs' rows, read tile by tile. One reader belongs to one thread.
class RowReader {
  public:
    virtual ~RowReader() = default;

    // Writes cos and sin (amplitude included) of rows × pairs, row-major; at most 32 rows.
    virtual void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) = 0;

    // Of the values that fill last wrote, 1 where the subject says nothing and NaN was written;
    // empty where it says something everywhere.
    virtual std::span<const std::uint8_t> left_out() const { return {}; }

    // The exact rows of the subject's own frequencies beside those that fill last wrote, where the
    // reader needed them itself; else null.
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

    // Pairs of one axis, or of any where there are not several.
    virtual std::unique_ptr<RowReader> read(PairRange pairs) const = 0;

    virtual std::uint64_t rows() const = 0;
    // Of each row on an axis, outward from 0 (positions.hpp), repeats allowed; empty means
    // that row m is position m on every axis. Each axis has its own order of rows: a reader follows
    // that of its pairs' axis.
    virtual std::span<const double> positions(std::uint32_t /*axis*/) const { return {}; }
    // Whether rows differ in their positions on several axes.
    virtual bool has_several_axes() const { return false; }
    // Whether it is for position 0 on every axis; `row` as it follows on this one.
    virtual bool is_at_zero(std::uint64_t row, std::uint32_t axis) const {
        return position_of(row, axis) == 0;
    }
    // How many positions, on all axes together, its rows are for.
    virtual std::uint64_t distinct_positions() const { return rows(); }

    // The frequencies the subject really turns by, where it says; else they are fitted.
    virtual const std::vector<BigReal>* effective_inv_freq() const { return nullptr; }
    virtual std::optional<PassThrough> pass_through() const { return std::nullopt; }
    // The table or the vectors that rows were read from.
    virtual const Dump* dumped() const { return nullptr; }
    // All that a program answered, where rows were worked out from that.
    virtual const Answers* answers() const { return nullptr; }

    virtual const Exactness& exactness() const = 0;
    virtual Subject subject() const = 0;

    double position_of(std::uint64_t row, std::uint32_t axis) const {
        return positions(axis).empty() ? static_cast<double>(row) : positions(axis)[row];
    }
};

// Positions of rows: whole or fractional, of either sign.

// The order of rows, outward from 0: 0, −1, 1, −2, 2, …, so that those within any distance of it
// come first.
inline bool is_nearer_zero(double a, double b) {
    const double from = std::abs(a), to = std::abs(b);
    return from < to || (from == to && a < b);
}

// The shortest sequence whose positions reach as far; 0 of none.
inline std::uint64_t context_of(std::span<const double> positions) {
    if (positions.empty()) return 0;
    return static_cast<std::uint64_t>(
               std::abs(*std::ranges::max_element(positions, is_nearer_zero))) +
           1;
}

// Where real implementations have failed.

// Around the last integers that bfloat16,
// float16 and TF32 hold, and float16's overflow.
inline constexpr std::uint64_t diagnostic_positions[] = {
    0,    1,    2,    3,    5,    31,   33,   64,    127,   255,   257,   511,    1000,
    1023, 1025, 2047, 2049, 4095, 4097, 8191, 16385, 32769, 65519, 65521, 131071, 1048575};

// A subject in one word.

// Of every cos and sin of the subject.
std::string digest_of(const RowSource& subject, std::uint32_t pairs);

}  // namespace rope
