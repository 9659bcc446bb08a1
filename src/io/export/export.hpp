// Golden vectors as arrays in the layouts that people use, and as files; where their rows are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/write_file.hpp"
#include "io/shape/dump_hints.hpp"
#include "io/tensor/readers/array.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope::io {

// Where the rows of an export are: as many as 2^32 positions on each axis, none of them kept.

class RowPositions {
  public:
    // The doubles nearest to first + k·step.
    struct Range {
        double first = 0, step = 1;
        std::uint64_t count = 1;

        double at(std::uint64_t k) const;
    };
    // A list of ranges, each of its positions several times, all over again from its end on.
    struct Axis {
        explicit Axis(std::vector<Range> ranges, std::uint64_t times_each = 1);
        double at(std::uint64_t row) const;

        std::vector<Range> list;
        std::vector<std::uint64_t> ends;  // of the ranges, in the list
        std::uint64_t each;
    };

    RowPositions(std::uint64_t rows, std::vector<Axis> axes);
    explicit RowPositions(const PositionsByAxis& lists);
    static RowPositions from_zero(std::uint64_t rows);
    // Those of text on axes of which the fourth is llama.cpp's: (m, m, m, 0). One axis is for all
    // of any other map.
    RowPositions on(const AxisMap& axes) const;

    std::uint64_t rows() const { return rows_; }
    std::size_t axes() const { return axes_.size(); }
    // Of the rows first … first + count − 1, a list for each axis. Beyond the last row they begin
    // again, as another head's do.
    PositionsByAxis at(std::uint64_t first, std::uint64_t count) const;

    // The shortest sequence that holds every position.
    std::uint64_t context() const;
    // The first position of any axis that is below `least` or not whole.
    std::optional<double> first_not_whole(double least) const;

  private:
    std::uint64_t rows_;
    std::vector<Axis> axes_;
};

// Golden vectors as arrays in the layouts that people use, and as files.

struct ExportRequest {
    Spec spec;
    RowPositions positions;
    Format format = Format::float32;
    CacheLayout layout = CacheLayout::duplicated;
    std::optional<std::uint64_t> seed = 1;  // of q and k; without one only tables are made
    std::optional<Array> q = {};            // instead, and without k: […, positions, head_dim]
    const Pipeline* pipeline = nullptr;     // the table as it computes it, in its own format
};

// "0:4096", "-12:12,0.5,1.25" or A:B:STEP, the doubles nearest to A + k·STEP before B. Throws
// InputError.
RowPositions parse_positions(std::string_view field, const std::string& text);
// "24x32": a row of positions for each cell of 24 rows by 32 columns, row by row, x on the first of
// two axes and y on the second; of M-RoPE's three or four, time is 0 and then y and x. Throws
// InputError where the Spec has one axis.
RowPositions parse_grid(std::string_view field, const std::string& text, const AxisMap& axes);
// The diagnostic positions below `context`, and its last two.
std::vector<std::uint64_t> default_positions(std::uint64_t context);

// An array of floats with two axes or more, the last of head_dim lanes. Throws InputError naming it
// where it is none, or a value is not finite.
Array given_vectors(const NamedArray& array, const Spec& spec);

// A row of an array of floats whose last axis has head_dim lanes, [head_dim] or [..., head_dim].
// Throws InputError naming the option and the array where it is none, or the row is not finite or
// zero.
std::vector<double> given_vector(std::string_view option, const NamedArray& array,
                                 std::uint32_t head_dim, std::uint64_t row);

// position_ids [L], or [axes, L], as int64 or, where one is no whole number, float64; inv_freq
// [d/2] as float64 and inv_freq_float32, the table under its usual names (cos and sin, cos_sin,
// sin_cos, freqs_cis or angles), q, k, q_rot and k_rot [L, head_dim]. Those with a row for each
// position are made as they are written. Throws InputError where they cannot be.
std::vector<WrittenArray> export_arrays(const ExportRequest& request);

// Writes a "safetensors", "npz" or "json" with the Spec inside, or the "npy" of one array. Throws
// InputError when there is no such array, before anything is written.
void write_export(std::string_view format, const ExportRequest& request,
                  const std::vector<WrittenArray>& arrays, std::string_view tensor,
                  const Sink& write);

}  // namespace rope::io
