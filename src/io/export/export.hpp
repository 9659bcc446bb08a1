// Golden vectors as arrays in the layouts that people use, and as files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/shape/cache_layout.hpp"
#include "io/tensor/named_array.hpp"
#include "io/tensor/writers/written_array.hpp"
#include "rope/number/format.hpp"
#include "rope/spec/spec.hpp"
#include "rope/subject/pipeline.hpp"
#include "rope/table/golden_vectors.hpp"

namespace rope::io {

// Vectors to be rotated: […, positions, head_dim].
struct GivenVectors {
    std::vector<std::uint64_t> shape;
    std::vector<double> values;
};

struct ExportRequest {
    Spec spec;
    PositionsByAxis positions;
    Format format = Format::float32;
    CacheLayout layout = CacheLayout::duplicated;
    std::optional<std::uint64_t> seed = 1;  // of q and k; without one only tables are made
    std::optional<GivenVectors> q = {};     // instead, and without k
    const Pipeline* pipeline = nullptr;     // the table as it computes it, in its own format
};

// "0:4096", "-12:12,0.5,1.25" or A:B:STEP, the doubles nearest to A + k·STEP before B. Throws
// InputError.
std::vector<double> parse_positions(std::string_view field, const std::string& text);
// "24x32": a row of positions for each cell of 24 rows by 32 columns, row by row, x on the first of
// two axes and y on the second; of M-RoPE's three or four, time is 0 and then y and x. Throws
// InputError where the Spec has one axis.
PositionsByAxis parse_grid(std::string_view field, const std::string& text, const AxisMap& axes);
// The telling positions below `context`, and its last two.
std::vector<std::uint64_t> default_positions(std::uint64_t context);

// Of an array of floats with two axes or more, the last of head_dim lanes. Throws InputError naming
// it where it is none, or a value is not finite.
GivenVectors given_vectors(const NamedArray& array, const Spec& spec);

// position_ids [L], or [axes, L], as int64 or, where one is no whole number, float64; inv_freq
// [d/2] as float64 and inv_freq_float32, the table under its usual names (cos and sin, cos_sin,
// sin_cos, freqs_cis or angles), q, k, q_rot and k_rot [L, head_dim]. Throws InputError where that
// is too much.
std::vector<WrittenArray> export_arrays(const ExportRequest& request);

// The bytes of a "safetensors", "npz" or "json" with the Spec inside, or of the "npy" of one
// array. Throws InputError when there is no such array, or too much for JSON.
std::string export_file(std::string_view format, const ExportRequest& request,
                        const std::vector<WrittenArray>& arrays, std::string_view tensor);

// The parts of these: the positions as an array, which of export_arrays' have a row for each
// position, one by its name, and what a .safetensors says of them.
WrittenArray position_ids(const PositionsByAxis& positions);
bool is_table(std::string_view array);
const WrittenArray& array_named(const std::vector<WrittenArray>& arrays, std::string_view name);
void refuse_tensor(std::string_view tensor);
std::map<std::string, std::string> export_metadata(const ExportRequest& request);

}  // namespace rope::io
