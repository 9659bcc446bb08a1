// How arrays of a dump are read by their shape: the user's statements, the positions of rows, the
// layout of a table, and the axes of vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/tensor/array.hpp"
#include "rope/exact/element.hpp"
#include "rope/rows/dump.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// How a file stores the cosines and sines of L positions and h = rotary_dim/2 pairs.
enum class CacheLayout {
    duplicated,  // cos and sin [L, 2h]: f0 f1 … f0 f1 …   Hugging Face's Llamas, litgpt, labml
    repeated,    // cos and sin [L, 2h]: f0 f0 f1 f1 …     Cohere, rotary-embedding-torch
    half,        // cos and sin [L, h]                     flash-attn, ONNX
    cos_sin,     // [L, 2h]: c0 c1 … s0 s1 …               vLLM, flashinfer
    sin_cos,     // [L, 2h]: s0 s1 … c0 c1 …               GPT-J, timm, RoFormer
    stacked,     // [L, h, 2]: (c0 s0) (c1 s1) …           ChatGLM2 and 3, torchtune
    complex,     // [L, h] complex: c + i·s                Meta's Llama, DeepSeek
    angles,      // [L, 1, 1, 2h] of m·θ, as duplicated    TransformerEngine, Megatron
    ggml,        // [L, 2h]: c0 s0 c1 s1 …                 llama.cpp's work buffer
    matrices,    // [L, h, 2, 2]: ((c0 −s0) (s0 c0)) …     Flux, ComfyUI
};

// A row of an array in a layout has these parts of every pair: the cosine (c), the sine (s), or
// −sin (n); all parts of a pair after those of another one if they alternate, else each part of all
// pairs after the part before it.
struct LayoutForm {
    CacheLayout layout;
    std::string_view name;   // "cos-sin"
    std::string_view array;  // its usual name; empty: two arrays, whose sines lie as the cosines
    std::string_view parts;
    bool alternates = false;
    std::size_t axes = 1;  // the last axes of the array, which hold a row
    // of two arrays that hold every value twice: the order of values, and what shows it
    std::string_view copies = {}, equal_columns = {};

    std::uint64_t step() const { return alternates ? parts.size() : 1; }
    // How far a part of pair 0 is from the first part of it.
    std::uint64_t apart(std::size_t part, std::uint64_t pairs) const {
        return part * (alternates ? 1 : pairs);
    }
};
const LayoutForm& form_of(CacheLayout layout);
std::span<const LayoutForm> cache_layouts();

// "duplicated", "cos-sin", …
std::string_view to_string(CacheLayout layout);
// Throws InputError naming the layouts.
CacheLayout parse_cache_layout(std::string_view text);

// The user's statements about a dump; everything else is inferred from its shape and values.
struct DumpHints {
    DumpHints() = default;
    DumpHints(const Spec& wanted) : spec(wanted) {}

    std::optional<Spec> spec;  // has rotary_dim, head_dim and the axes
    // Without a Spec, the dimensions of a head. A last axis of a multiple holds fused heads.
    std::optional<std::uint32_t> head_dim;
    bool splits_heads = true;           // whether a last axis may hold fused heads
    std::optional<CacheLayout> layout;  // of a table
    std::uint64_t copy = 0;             // the copy to read, 0 or 1, where columns hold values twice
    // The axes of vectors, a letter each: s the sequence, d the dimensions, b the batch, h heads.
    std::string axes;
    // The numbers of heads that the config has for q, and for k, which may be repeated for q.
    std::vector<std::uint64_t> heads = {}, key_heads = {};
    std::string tower = {};                                    // ConfigFacts'
    std::pair<std::uint64_t, std::uint64_t> index_heads = {};  // an indexer's heads and head_dim
    std::uint32_t nope_dimensions =
        0;                           // ConfigFacts', where head_dim counts only those that rotate
    bool are_keys = false;           // vectors are k, and the file may hold the whole cache
    bool has_no_batch = false;       // positions [A, L] are on A axes
    bool has_only_tables = false;    // vectors of the file are read elsewhere
    bool is_any_axis_right = false;  // the checked property holds along any axis
    // The rows of the table next to the vectors, which choose the sequence if nothing else does.
    std::optional<std::uint64_t> table_rows;
    // Whether the rows of a reading follow the config. The likeliest reading that does is taken.
    std::function<bool(const Dump&)> follows = {};
    // The number of mistakes that together explain every value; none if no mistakes do. If no
    // reading follows the config and several orders of the axes are possible, the order with the
    // fewest mistakes is taken.
    std::function<std::optional<std::size_t>(const Dump&)> mistakes = {};
};

// The index of the only one of several readings whose rows the fewest known mistakes explain.
template <class DumpOf>
std::optional<std::size_t> fewest_mistakes(const DumpHints& asked, std::size_t readings,
                                           const DumpOf& dump_of) {
    std::optional<std::size_t> found;
    std::size_t least = SIZE_MAX;
    for (std::size_t k = 0; asked.mistakes && k < readings; ++k) {
        const auto mistakes = asked.mistakes(dump_of(k));
        if (!mistakes || *mistakes > least) continue;
        found = *mistakes == least ? std::nullopt : std::optional(k);
        least = *mistakes;
    }
    return found;
}

// One way to read the positions that a file states for its rows.
struct StatedPositions {
    StatedPositions() = default;
    StatedPositions(std::nullopt_t) {}
    StatedPositions(NamedArray all) : ids(std::move(all)) {}
    StatedPositions(std::optional<NamedArray> all) : ids(std::move(all)) {}

    std::optional<NamedArray> ids;            // [L], [B, L], or with an axis for several positions
    std::optional<NamedArray> starts;         // added to row numbers: one number, or [B]
    std::optional<NamedArray> kept;           // [L] or [B, L], 0 where a row is padding
    std::string from;                         // the array that ids were derived from, and how
    std::vector<std::string> differing = {};  // arrays that give other positions
    std::set<std::string> read = {};          // names of the other arrays that were read
    bool is_derived = false;                  // ids come from an array that may be about other rows
    bool is_on_one_axis = false;              // ids [L] or [B, L], and not [A, L]
    bool is_of_keys = false;                  // of k's rows, which are other rows than q's
    bool is_of_grids = false;                 // of images, in one order of their cells
    bool counts_padding = false;   // row numbers although there is a mask, in q and k alike
    bool may_have_window = false;  // the mask's padding may be keys before a window
    bool are_of_text = false;      // on one axis, where the config's model also reads images
    bool are_slots = false;        // of a cache
};

// The positions on each axis (time, height and width, or x and y): one array an axis where
// positions are [A, L], [A, B, L], [L, A] or [B, L, A], else the array itself. The Spec gives
// A > 1; without one A is 2 to 4 if the rest fits `rows`, the shape of the rows at these positions,
// and [B, L] does not or there is no batch. The first axis comes before the last. In [4, B, L]
// with a Spec of three axes the first are positions of the text, which rotate nothing.
std::vector<NamedArray> positions_by_axis(const NamedArray& positions, const DumpHints& asked,
                                          const Shape& rows);

std::string shape_text(const Shape& shape);  // [1, 9, 128]
// "cu_seqlens" of "x.npz:cu_seqlens"
std::string name_in_file(const std::string& name);

// Throws InputError "q.npy: shape [2, 3] WHAT".
[[noreturn]] void refuse_shape(const NamedArray& array, const std::string& what);

// Several axes may be the sequence, and the values do not decide.
struct UndeterminedAxes : InputError {
    using InputError::InputError;
};

// Throws InputError unless both hold floats of one shape, and are not empty.
void require_one_shape(const NamedArray& first, const NamedArray& second);
// And of one format.
void require_alike(const NamedArray& first, const NamedArray& second);

// The most rows of a dump: sorting narrow rows takes more memory than the rows. Throws InputError.
inline constexpr std::uint64_t max_dump_rows = std::uint64_t{1} << 24;
void require_rows(const NamedArray& dump, std::uint64_t rows);

// One row of positions for all sequences, or one each: [L], [1, L] or [B, L].
struct PositionIds {
    std::uint64_t sequences = 1;
    std::uint64_t length = 0;
    std::vector<double> values;  // sequences × length

    double at(std::uint64_t sequence, std::uint64_t index) const {
        return values[(sequences == 1 ? 0 : sequence) * length + index];
    }
};

// Throws InputError when a value is not between −2^32 and 2^32.
PositionIds position_ids(const NamedArray& positions);
// Whether each id is the one before it plus 1.
bool do_count_up(const std::vector<double>& ids);
// Whether all sequences have the same positions, so that a table of one sequence serves them.
bool are_equal(const PositionIds& ids);

// The positions of a table's rows on each axis. `rows` is the table's shape without its columns. A
// table with a row for every value of `positions` has rows for each axis. Throws InputError if
// the shapes do not fit.
std::vector<std::vector<double>> table_positions(const NamedArray& table, const Shape& rows,
                                                 const std::optional<NamedArray>& positions,
                                                 const DumpHints& asked);

struct FoundLayout {
    CacheLayout layout;
    std::string from;                // "--cache-layout", or what the layout was inferred from
    std::string copies_differ = {};  // if the two copies of a value differ; asked.copy selects
};

// Two views on the numbers of a file, one row after the other.
struct CosSin {
    StridedRows cos, sin;
    std::uint64_t pairs;
    Shape rows;  // the array's shape without its columns
    Format format;
    FoundLayout found;
};

// An order of the cells of a frame: window by window, in a window block by block, each row by row.
struct CellOrder {
    using Cell = std::pair<std::uint64_t, std::uint64_t>;  // row and column

    std::uint64_t window, block;  // rows and columns
    const char* words;

    std::vector<Cell> cells(std::uint64_t height, std::uint64_t width) const;
};
// Row by row; in blocks of 2 × 2 cells, which Qwen2-VL merges; and in windows of 4 × 4 blocks, in
// which Qwen2.5-VL attends.
std::span<const CellOrder> cell_orders();

// The layout of two arrays: half, duplicated or repeated. Throws InputError if they differ in
// shape or format, or if nothing fits.
CosSin separate_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked);

// Returns a flat array [1, L·d] of (cos, sin) pairs, such as TensorRT-LLM's rotary_cos_sin, as
// [L, d/2, 2], where d/2 pairs of position 0, (a, 0), come first; else the array as it is.
NamedArray unflattened(NamedArray both);

// The cosines and sines, in this order, of an array with an axis of 2 for them before the last,
// such as [2, L, d], or of [L, 2·d] with every value twice in each half; none if cos² + sin² is not
// one number so.
std::optional<std::pair<NamedArray, NamedArray>> cos_and_sin_of(const NamedArray& both);

// The layout of one array: cos_sin, sin_cos, ggml, stacked, complex or matrices. Throws InputError
// if its numbers leave a choice.
CosSin fused_layout(const NamedArray& both, const std::vector<double>& positions,
                    const DumpHints& asked);
// How many of the last axes hold one row: 2 if the array is stacked or complex, with (cos, sin)
// on an axis of length 2; 3 if it holds matrices; else 1.
std::size_t axes_of_row(const NamedArray& both, const DumpHints& asked);
// Whether cos² + sin² is one number nearly everywhere, in some reading of the rows.
bool has_steady_norm(const NamedArray& both);

// cos and sin, in double, of an array of angles; the Spec has the amplitude.
CosSin angle_layout(const NamedArray& angles, const DumpHints& asked);

// Whether cos = a > 0 and sin = 0 in every pair of a row.
bool is_identity(const StridedRows& cos, const StridedRows& sin, std::uint64_t pairs,
                 std::uint64_t row);

inline constexpr std::uint64_t most_heads = 128;  // DeepSeek-V3, Llama 3.1 405B

// The indices of rows along an axis; always 0 without one.
RowAxis row_axis(const Shape& shape, std::optional<std::size_t> axis);

}  // namespace rope::io
