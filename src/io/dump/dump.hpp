// Reads arrays as tables, rotated vectors or frequencies, finds them by names and by usual names,
// and states how they were read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/dump/shape.hpp"
#include "io/tensor/array.hpp"
#include "io/tensor/tensor_file.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/row_source.hpp"

namespace rope::io {

// The table of cos and sin: [L, d/2] or [L, d] rows (d = rotary_dim), with axes of length 1 or a
// batch around L. d columns hold every value twice, as cat(f, f) or f0 f0 f1 f1, bit for bit.
// Positions are [L], [1, L] or [B, L]; without them 0 … L − 1, for each of the batch. On A > 1 axes
// they may be [A, L] or [A, B, L], and so may the table. The dump views the arrays. Throws
// InputError that names both shapes if they do not fit.
TableDump table_dump(const NamedArray& cos, const NamedArray& sin, const StatedPositions& positions,
                     const DumpHints& asked);

// The table of one array of both in any CacheLayout, or of the angles m·θ. Throws InputError, also
// if the numbers do not determine the layout.
TableDump table_dump(const NamedArray& both, const StatedPositions& positions,
                     const DumpHints& asked);

// Vectors before and after the rotation, such as [L, D], [L, H, D], [B, H, L, D] or [B, L, H, D]
// with D = head_dim, or [L, H·D] and [B, L, H·D] if the Spec or a hint gives D. The sequence is
// the axis as long as the positions; where that leaves a choice, the axis along which vectors at
// one position keep their inner products. `before` may have its axes in another order than `after`,
// more or fewer axes of length 1, and one head for several (repeat_kv). Rows of padding become 0.
// Ids may be those of the last rows, if all other rows come before them. Throws InputError if
// nothing fits.
RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const StatedPositions& positions, const DumpHints& asked);

// Whether all rows are at position 0 on each axis, where nothing rotates.
bool are_at_0(const RotatedDump& dump);

// The frequencies of an array [d/2] with axes of length 1 around it, or of [d] (d = rotary_dim),
// which holds each twice, as cat(f, f) or f0 f0 f1 f1.
FrequencyDump frequency_dump(const NamedArray& inv_freq, const DumpHints& asked);

// The names on a command line: FILE or FILE:MEMBER, or with `dump` members of it. Without them the
// tensors of `dump` are found by their usual names.
struct DumpFiles {
    std::string dump;
    std::string cos, sin;
    std::string cos_sin;   // both in one array
    std::string angles;    // m·θ
    std::string inv_freq;  // frequencies
    std::string q, q_rot;  // vectors before and after
    std::string k, k_rot;
    std::string positions;              // of tables and vectors
    std::vector<double> numbers = {};   // of `positions`, if these are numbers and no array
    std::optional<RawArrays> raw = {};  // how all files but the positions are read
    MemoryLimit memory = {};            // for all files
};

// A subject that is checked separately.
struct NamedDump {
    std::string name;  // "table", "inv_freq", "q", "k"; "table 1", "table 2" if concatenated
    Dump dump;
    std::uint32_t dimensions = 0;  // rotary_dim of a table, head_dim of vectors
    // The sequence length that chooses the frequencies if longrope's two tables are
    // concatenated.
    std::optional<std::uint64_t> seq_len = {};
    bool is_concatenated = false;  // one of several tables of an array, which differ
};
template <class Kind>
bool holds(const NamedDump& one) {
    return std::holds_alternative<Kind>(one.dump);
}

class DumpTensors;
// Returns the tables, frequencies and vectors of the files: at least one, tables first. Throws
// InputError or IoError.
std::vector<NamedDump> load_dump(DumpTensors& tensors, const DumpHints& asked);

// Assumptions that a report states: "9" rows, from "shape [1, 9, 128]";
Assumption rows_read(std::uint64_t rows, const NamedArray& array);

// positions "0 … 2047", on several axes each, from "x.npz:position_ids";
Assumption positions_read(const std::vector<double>& positions,
                          const std::vector<std::vector<double>>& more_positions,
                          const std::optional<NamedArray>& from);

// padding "102 of 400 rows", from "x.npz:attention_mask".
Assumption padding_read(std::uint64_t rows, std::uint64_t of_rows, const std::string& by);

// Where the positions of q come from if the file has none and k has more rows.
inline constexpr std::string_view last_rows_of_k = "the last rows of k";

// The assumption with this name.
Assumption& assumption_named(std::vector<Assumption>& all, const std::string& what);

// Throws InputError for position encodings that rotate nothing:
//   a bias of ALiBi      −m·|i − j| of every head, [heads, L, L] or [L, L], with or without a mask,
//                        or m·j of each key, [heads, 1, L]
//   a sinusoidal table   (sin pθ₀, cos pθ₀, sin pθ₁, …) of position p, [L, d]. With its sines and
//                        cosines in two halves it is GPT-J's rotary cache, and no error.
void refuse_other_encodings(const NamedArray& array);

// The tables that lie one after the other in the rows of a dump, which start at position 0 each, as
// vLLM stores longrope's two tables and those of several linear factors; else the dump itself.
// Requires positions 0, 1, 2, …
std::vector<TableDump> stacked_tables(const TableDump& dump);

// A kind of tensor that has usual names.
enum class Usual {
    cos_and_sin,
    cos_sin,  // in one array
    q,        // before and after
    k,
    qkv,  // in one array
    kv,   // one head that is key and value
    inv_freq,
    angles,
    slots,  // of a cache
    position_ids,
    position_ids_of_keys,
    start,            // added to row numbers
    position_deltas,  // added to the positions of text behind images
    mask,
    score_mask,  // of each row
    sequence_ends,
    padded_sequence_ends,  // with the padding of each sequence, if it has some
    sequence_ends_of_keys,
    sequence_rows,     // of each sequence
    sequence_lengths,  // with the rows that are cached
    last_ids,          // the position of the last row of each batch entry
    left_padding,      // the rows of padding of each batch entry
    segments,
    grid_sizes,
};

// Whether a name, such as "layers.0.cos", is a usual one of a table, of frequencies, of vectors or
// of position_ids.
bool is_usual(const std::string& name);

// Returns the role of the array of a file with this name, as an option of compare: "cos=" of
// cos_cached, "q_rot=" of query_rotated, "--positions" of position_ids; "" where it says none.
std::string_view role_called(const std::string& name);

// The tensors of the files that a command line names; each file is opened once.
class DumpTensors {
  public:
    // Opens DUMP. Throws InputError or IoError.
    explicit DumpTensors(DumpFiles files);

    const DumpFiles& files() const { return files_; }

    // The array that an option names: a member of DUMP, FILE or FILE:MEMBER; nothing for "".
    std::optional<NamedArray> named(const std::string& value);
    // The same, but never a file without a header.
    std::optional<NamedArray> named_positions(const std::string& value);

    // The member of DUMP with this name, or the only one that ends in a dot and it.
    std::optional<NamedArray> usual(std::string_view name) const;
    // The members with the usual names of a kind; the first of them, or the only one of whole
    // numbers whose name consists of the kind's words.
    std::vector<NamedArray> all_of(Usual kind) const;
    std::optional<NamedArray> first_of(Usual kind) const;
    // Until it is called with "", the member `name` counts as the file's array of this kind.
    // Requires that the file has no other.
    void read_as(Usual kind, std::string name) { read_as_ = {kind, std::move(name)}; }
    // The first two members with usual names of a kind that has pairs of them.
    using Two = std::pair<NamedArray, NamedArray>;
    std::optional<Two> first_two_of(Usual kind) const;
    // Vectors before and after the rotation. Those before may be in the other file of
    // --against; if neither file has them, the reference's rotated vectors take their place.
    std::optional<Two> vectors(Usual kind) const;

    // Vectors before and after the rotation whose names, with a word of the kind, differ only in
    // the words of a side and also have other words: k_new and k_new_rot. In the order of names.
    struct NamedTwo {
        std::string before, after;
    };
    std::vector<NamedTwo> other_vectors(Usual kind) const;
    Two arrays_of(const NamedTwo& names) const;

    // Pairs two files of --against: what only one of them has of vectors before and of positions
    // serves both.
    void compare_against(DumpTensors& reference) {
        other_ = &reference;
        reference_ = reference.reference_ = &reference;
        reference.other_ = this;
    }
    DumpTensors* other() const { return other_; }

    // The layer that all names of arrays with a layer's number have, "model.layers.3.self_attn.q",
    // and one of these names. If options name vectors, only their names count. Or the selected kind
    // of layers.
    struct NamedLayer {
        std::string layer;  // "3", "full_attention"
        std::string name;
        std::optional<std::uint64_t> number = {};
    };
    std::optional<NamedLayer> layer_of_names() const;
    // A part of a file whose arrays have the same usual names as those of another part.
    struct FilePart {
        std::string name;                         // "layer 3", or "step_0" of "step_0.q"
        std::optional<std::uint64_t> layer = {};  // 3
        bool is_kind = false;                     // of layers, "full_attention"
    };
    // The layers with usual arrays of the same names, such as "layers.0.q" and "layers.1.q".
    // Without two, the prefixes of such names, if the file has positions for each: "step_0.q",
    // "step_0.position_ids", "step_1.q", "step_1.position_ids". Empty without two.
    // Else the kinds of layers of a table or inv_freq, "full_attention" and "sliding_attention".
    std::vector<FilePart> parts() const;
    // Hides the arrays of other layers, or of the other parts.
    void select(const FilePart& part);

    // Whether an array of DUMP has an axis of this length.
    bool has_axis_of(std::uint64_t length) const;

    // Throws InputError if DUMP has one tensor of a usual pair but not the other.
    void require_whole_pairs() const;

    // The members of DUMP except those with these names ("x.npz:cos").
    std::vector<std::string> names_except(const std::set<std::string>& loaded) const;

    // The only tensor of DUMP.
    std::optional<NamedArray> only() const;

    // "x.npz: holds no cos and sin, …; it has a, b"
    std::string say_what_is_missing() const;

  private:
    // Vectors before and after the rotation, as far as DUMP has them.
    struct Sides {
        std::optional<NamedArray> before = {}, after = {};
    };
    Sides sides(Usual kind) const;
    Sides sides_by_words(Usual kind) const;
    // The only two arrays of one shape whose names differ by cos and sin.
    std::optional<Two> only_cos_and_sin() const;
    const TensorFile& open(const std::string& path);
    std::vector<std::string> ending_in(std::string_view before, std::string_view name) const;
    std::string say_that_there_are_several() const;
    NamedArray load(const std::string& value);
    NamedArray load_raw(const std::string& path);

    DumpFiles files_;
    std::map<std::string, TensorFile> opened_;
    const TensorFile* dump_ = nullptr;
    std::vector<std::string> names_;   // of the arrays of DUMP, in the selected layer
    std::vector<std::string> placed_;  // of all that end in a place, such as cu_seqlens_cpu
    DumpTensors* other_ = nullptr;
    const DumpTensors* reference_ = nullptr;
    std::optional<NamedArray> raw_dump_;
    std::pair<Usual, std::string> read_as_ = {};
    std::string kind_;                                         // of layers that is selected,
    std::map<std::string, std::string, std::less<>> of_kind_;  // and its arrays by usual names
};

// Adds the other remarks of a report to each dump: arrays with other positions
// than `stated`, ids that were rounded, and the file's arrays that are not in `read`, unless
// options name all arrays.
void add_remarks(std::vector<NamedDump>& dumps, const DumpTensors& tensors,
                 const StatedPositions& stated, std::set<std::string> read, bool are_named);

// Returns `count` elements from `first` on of each `width`: [..., n·width] becomes [..., n, count],
// without the axis of n for n = 1. The width may be that of several last axes.
NamedArray part_of_each(const NamedArray& all, std::uint64_t width, std::uint64_t first,
                        std::uint64_t count);

// Thrown if two orders of the axes are about as likely, and the vectors follow the config in only
// one of them.
struct OpenOrder : InputError {
    using InputError::InputError;
};

// Thrown if the vectors follow the config only when an array with an unknown name is read as
// positions.
struct OtherName : OpenOrder {
    using OpenOrder::OpenOrder;
};

// q and k, before and after, of arrays of q, k and v: [..., 3, heads, d], and with the heads of a
// config [..., (heads + 2 · kv heads)·d] or the groups of Megatron, Falcon-40B and GPT-NeoX,
// [..., kv heads, (q heads of each + 2)·d], also with an axis for d or none for the groups: those
// readings whose v moves least. Without a config's heads those that do not change are v. Throws
// InputError with the shapes that fit if none does, or if v moves.
struct FusedParts {
    DumpTensors::Two q, k;
    std::string axes = {};  // "shd" of [S, 3, heads, d]; empty if the shape leaves a choice
};
std::vector<FusedParts> parts_of_qkv(const DumpTensors::Two& qkv, const DumpHints& asked);

// Whether the norms of vectors along the last axis are multiplied by one number, as by a rotation
// and an attention factor. Requires arrays of one shape.
bool keep_norms(const Array& before, const Array& after);

// Joins the last two axes of vectors of complex numbers, [..., d/2, 2], which are pairs of
// interleaved dimensions. A head of a known width has d dimensions and not 2.
void join_pairs(NamedArray& vectors, const std::vector<std::uint64_t>& widths);

// Exchanges the last two axes of vectors [..., d, S], and returns whether it did: the axis before
// the last is as wide as a head, and only along it norms stay. Where norms stay along both or none,
// the last axis must not hold heads, or the user names this order of axes.
bool exchange_last_axes(NamedArray& before, NamedArray& after,
                        const std::vector<std::uint64_t>& widths, bool are_named);

// The positions that a file states, in arrays of ids or in arrays that ids follow from.

// The readings of a file's positions, the likeliest first; one empty reading if the file states
// none. They come from --positions, position_ids, or the arrays that docs/compare.md lists.
// Where position_ids are only those of the current step, attention_mask may give those of the whole
// cache. Rows of padding, where the mask or the segment is 0 or after the last sequence, are 0 in
// `kept`. With attention_mask row numbers are right, too, where the file has all the keys that it
// counts: both differ by one offset, which no score depends on. Throws InputError or IoError.
std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked);

// An array of values that follow from another one, with its name.
NamedArray made(const NamedArray& from, Shape shape, std::vector<double> values);

// Readings of an array of whole numbers as if it had a known name.
struct NamedReading {
    StatedPositions positions;
    std::string array, known_name;
};
// The readings of all arrays of the file that are not in `read` and may give positions, next to its
// other arrays.
std::vector<NamedReading> readings_by_other_names(DumpTensors& tensors, const DumpHints& asked,
                                                  const std::set<std::string>& read);

// Returns ids [A, S] for A batch entries, each on all A axes, as text has them. None if the
// ids have another shape. Requires ids.
std::optional<StatedPositions> text_of_a_batch(const StatedPositions& stated, std::uint64_t axes);

}  // namespace rope::io
