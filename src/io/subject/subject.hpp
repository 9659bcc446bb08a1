// Dumps that are read by a Spec, by the table in the file and without scales, or identified without
// a config.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/model/resolved_model.hpp"
#include "rope/session/other_judges.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// Returns the dumps of a file that are compared with a Spec. If no tensor has the Spec's width,
// their shapes determine it: a wrong rotary_dim is a mistake, and any other head is refused.
// Vectors may be whole heads of DeepSeek, or only the dimensions that rotate; `asked` then becomes
// the Spec of these. Pairs that do not rotate are added to a table or inv_freq without them. Rows
// of images get their places on the Spec's axes. Throws InputError or IoError.
std::vector<NamedDump> load_dump_by(DumpTensors& tensors, DumpHints hints, ResolvedSpec& asked);

// Returns whether a table, or some rows of vectors, rotate by the Spec. Rows that are all at
// position 0 show no rotation.
bool follows(const Spec& spec, const Dump& dump);

// Throws InputError with advice if q was read as the last rows of k, does not follow the config
// there, but from position 0 on, and k does: it may be of cross attention, or the offset of a step
// was ignored. `follow` returns whether rows follow the config. One row at position 0 shows none.
void require_place(const std::vector<NamedDump>& dumps,
                   const std::function<bool(const NamedDump&)>& follow);

// Whether the positions of rows differ between axes, as those of an image do.
bool is_on_a_grid(const Dump& dump);

// Places the rows if the Spec's positions have several axes and the file's do not explain every
// value. Rows of text are placed only if the file has `grids`, such as grid_thw.
//   row numbers            become the frames × rows × columns that explain every value, of `grids`
//                          if there are any
//   coordinates in [−1, 1] are multiplied by 2π, as in DINOv3, if that explains every value
//   rows and columns       become such coordinates of their centres, if that explains every value
// Adds a warning to asked.lint if rows that do not rotate follow the grid, and no class has them
// first.
// Throws InputError that asks for positions where there are only row numbers and no grid fits.
//
// Rows of as long a sequence as those of `placed`, a dump of the same file, get its places, also
// where they are text's and it is an image.
void place_on_axes(NamedDump& one, ResolvedSpec& asked, const std::optional<NamedArray>& grids,
                   const NamedDump* placed = nullptr);

// Chooses one of the two tables of a Spec: the table of the dump's length if two are
// concatenated, else by positions; for frequencies by `context` (0: not given), else the nearest.
void choose_table_of(ResolvedSpec& resolved, const NamedDump& dump, std::uint64_t context);

// Adds a warning if the file's only inv_freq, which is not checked next to other arrays, has
// neither the Spec's frequencies nor the unscaled ones, which some libraries keep with a linear
// scaling.
void warn_of_inv_freq(ResolvedSpec& resolved, const DumpTensors& tensors);

// The only table. Throws InputError if there is none or several.
const TableDump& only_table(const std::vector<NamedDump>& dumps);

// `use` with the head_dim of the vectors.
TableUse in_heads_of(const NamedDump& vectors, TableUse use);

// Returns the dumps of a file that are compared with its table. Vectors that the table does not
// explain are split into heads as wide as the table, if it explains these. Throws InputError or
// IoError.
std::vector<NamedDump> load_with_table(DumpTensors& tensors, DumpHints hints, const TableUse& use);

// Divides vectors by `scale`, which multiplied them after the rotation: q, or k if there is no
// q. Requires a finite scale other than 0. Throws InputError if a dump holds no vectors.
void take_scale_off(std::vector<NamedDump>& dumps, double scale);

// Divides vectors by xPos' scales, which no table has. Without `centre` it is torchscale's, ⌈L/2⌉
// of L positions. Names that begin with k are keys. Throws InputError if a dump holds no
// vectors.
void take_xpos_off(std::vector<NamedDump>& dumps, const Spec& spec, double base,
                   std::optional<double> centre);

// The Specs of the built-in models, which a dump may match.
struct KnownSpecs {
    std::vector<Spec> specs;
    std::vector<std::string_view> models;  // of each
};
// With the tables of both short and long sequences, or the one that the config chooses.
KnownSpecs known_specs(bool with_both);

// The built-in models that rotate by the Spec, as "llama-3-8b, llama-3-70b"; empty without one.
std::string models_of(const Spec& spec, const KnownSpecs& known);

// Returns the dumps of a file without a config. Where shapes leave a choice of axes, and batch
// entries have their own position_ids, vectors are read in the first order in which known
// parameters explain every value. Throws InputError or IoError.
std::vector<NamedDump> load_unknown(DumpTensors& tensors, DumpHints hints, const KnownSpecs& known);

struct Identified {
    ResolvedSpec resolved;
    std::string identity;  // "--dim 128 --base 500000 …; matches llama-3-8b"
    // The Spec was inferred from this tensor alone, so the diagnosis may replace it.
    bool is_assumed = false;
    // No known parameters fit, but each pair rotates at a constant frequency.
    bool may_be_right = false;
    // The dump may be right, and the scaling is of no known model: it was fitted to the values.
    bool is_fitted = false;
    bool has_right_others = false;  // another tensor of the file rotates by its parameters
    // Nearly all pairs rotate at its frequencies from row to row. Far from position 0, most values
    // may be wrong all the same.
    bool has_right_rates = false;
};

// Whether the dumps are vectors, none of which is rotated, at positions other than 0.
bool are_unrotated(std::span<const NamedDump> dumps);

// Throws InputError with advice if a dump that may be right fails and no known mistake explains it.
// What a mistake makes of a fitted scaling may be another scaling.
void require_explained(const NamedDump& dump, const Report& report, const Identified& assumed);

// The text that replaces `identity` if a diagnosis fitted another Spec than the assumed one.
std::string fitted_identity(const Report& report);

// Identifies each dump. A table and vectors, or q and k, share one rotation: if their Specs differ,
// all are compared with the Spec that fits most dumps. Vectors that match nothing
// are read as fused heads of a usual width, and replaced if these match. Throws InputError if
// nothing fits and the frequencies cannot be determined, unless another dump shows them.
std::vector<Identified> identified(std::vector<NamedDump>& dumps, DumpTensors& tensors,
                                   const DumpHints& hints, const KnownSpecs& known,
                                   bool has_reference = false);

}  // namespace rope::io
