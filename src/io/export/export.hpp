// Golden vectors as arrays in usual layouts and as files, and the positions of their rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/dump/shape.hpp"
#include "io/system/write_file.hpp"
#include "io/tensor/array.hpp"
#include "io/tensor/written_array.hpp"
#include "rope/exact/format.hpp"
#include "rope/rows/golden_vectors.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

struct ExportRequest {
    Spec spec;
    PositionsByAxis positions;  // at least one row
    Format format = Format::float32;
    CacheLayout layout = CacheLayout::duplicated;
    std::optional<std::uint64_t> seed = 1;  // seed of q and k; none: tables only
    std::optional<Array> q = {};            // given q […, positions, head_dim]; then no k
};

// Parses "0:4096", "-12:12,0.5,1.25" or A:B:STEP, which gives the doubles nearest to A + k·STEP
// below B. Throws InputError; so does parse_grid. Neither gives more than max_dump_rows positions,
// as many as a dump may have.
std::vector<double> parse_positions(std::string_view field, const std::string& text);
// Parses "24x32": a position for each cell of 24 rows by 32 columns, row by row. Two axes are row
// and column (column and row if is_column_first()); M-RoPE's three or four are time 0, row and
// column. Throws InputError for a Spec with one axis.
PositionsByAxis parse_grid(std::string_view field, const std::string& text, const AxisMap& axes);
// Returns the diagnostic positions below `context`, and its last two.
std::vector<double> default_positions(std::uint64_t context);
// Returns the positions of text on the axes of a map with llama.cpp's fourth axis: (m, m, m, 0);
// for other maps the list, which all axes use.
PositionsByAxis positions_of_text(std::vector<double> positions, const AxisMap& axes);

// Returns the array if it has floats, two axes or more, and a last axis of head_dim. Throws
// InputError with its name if not, or if a value is not finite.
Array given_vectors(const NamedArray& array, const Spec& spec);

// Returns a row of an array of floats, [head_dim] or [..., head_dim]. Throws InputError with the
// option and the array's name if it is another array, or the row is not finite or zero.
std::vector<double> given_vector(std::string_view option, const NamedArray& array,
                                 std::uint32_t head_dim, std::uint64_t row);

// Returns position_ids [L] or [axes, L] as int64 (float64 if one is fractional); inv_freq [d/2] as
// float64 and inv_freq_float32; the table under its usual names (cos and sin, cos_sin, sin_cos,
// freqs_cis or angles); q, k, q_rot and k_rot [L, head_dim]. Arrays with a row per position are
// computed while written. Throws InputError if one cannot be made.
std::vector<WrittenArray> export_arrays(const ExportRequest& request);

// Writes a "safetensors", "npz" or "json" with the Spec, or the "npy" of one array. Throws
// InputError before writing if that array does not exist.
void write_export(std::string_view format, const ExportRequest& request,
                  const std::vector<WrittenArray>& arrays, std::string_view tensor,
                  const Sink& write);

}  // namespace rope::io
