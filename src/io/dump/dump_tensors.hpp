// The tensors that a command line names, and the tensors of a file with usual names.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/shape/shape.hpp"
#include "io/tensor/tensor_file.hpp"

namespace rope::io {

// A kind of tensor that has usual names.
enum class Usual {
    cos_and_sin,
    cos_sin,  // in one array
    q,        // before and after
    k,
    inv_freq,
    angles,
    position_ids,
    start,  // added to row numbers
    mask,
    sequence_ends,
    sequence_lengths,  // with the rows that are cached
    segments,
    grid_sizes,
};

// Whether a name, such as "layers.0.cos", is a usual one of a table, of frequencies, of vectors or
// of position_ids.
bool is_usual(const std::string& name);

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
    // The members with the usual names of a kind; the first of them.
    std::vector<NamedArray> all_of(Usual kind) const;
    std::optional<NamedArray> first_of(Usual kind) const;
    // The first two members with usual names of a kind that has pairs of them.
    using Two = std::pair<NamedArray, NamedArray>;
    std::optional<Two> first_two_of(Usual kind) const;
    // Vectors before and after the rotation. Vectors before may be in the other file; where it has
    // none either, they are the reference's rotated vectors.
    std::optional<Two> vectors(Usual kind) const;

    // Pairs two files of --against: what only one of them has of vectors before and of positions
    // serves both.
    void compare_against(DumpTensors& reference) {
        other_ = &reference;
        reference_ = reference.reference_ = &reference;
        reference.other_ = this;
    }
    DumpTensors* other() const { return other_; }

    // Whether an array of DUMP has an axis of this length.
    bool has_axis_of(std::uint64_t length) const;

    // Throws InputError where DUMP has one tensor of a usual pair but not the other.
    void require_whole_pairs() const;

    // The members of DUMP except those with these names ("x.npz:cos").
    std::vector<std::string> names_besides(const std::set<std::string>& loaded) const;

    // The only tensor of DUMP.
    std::optional<NamedArray> only() const;

    // "x.npz: holds no cos and sin, …; it has a, b"
    std::string say_what_is_missing() const;

  private:
    const TensorFile& open(const std::string& path);
    std::vector<std::string> ending_in(std::string_view before, std::string_view name) const;
    std::string say_that_there_are_several() const;
    NamedArray load(const std::string& value);
    NamedArray load_raw(const std::string& path);

    DumpFiles files_;
    std::map<std::string, TensorFile> opened_;
    const TensorFile* dump_ = nullptr;
    DumpTensors* other_ = nullptr;
    const DumpTensors* reference_ = nullptr;
    std::optional<NamedArray> raw_dump_;
};

// The positions that a file states, in arrays of ids or in arrays that ids follow from.

// The readings of a file's positions, the likeliest first; one empty reading where the file states
// none. They come from --positions or else from the first of
//   position_ids, positions, …             [L], [B, L], or with an axis for several positions
//   txt_ids, img_ids; ids                  [L, A], joined in this order (Flux)
//   grid_sizes, grid_thw, …                [n, 3]: frames, rows and columns of n grids, whose rows
//                                          lie line by line, in blocks of 2 × 2, or in windows
//   cu_seqlens, …                          [n + 1]: packed sequences start over there
//   segment_ids                            [L], [B, L]: positions start over at each new number
//   attention_mask                         [L], [B, L] of 0 and 1: positions count the ones
//   start_pos, offset, seqlen_offsets, …   one number, or one for each batch entry
// Where position_ids are only those of the current step, attention_mask may give those of the whole
// cache. Rows of padding, where the mask or the segment is 0 or after the last sequence, are 0 in
// `kept`. With attention_mask row numbers are right, too: both differ by one offset, which no score
// depends on. Throws InputError or IoError.
std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked);

// Returns ids [A, S] as those of A batch entries, each on all A axes, as text has them. None if the
// ids have another shape. Requires ids.
std::optional<StatedPositions> text_of_a_batch(const StatedPositions& stated, std::uint64_t axes);

}  // namespace rope::io
