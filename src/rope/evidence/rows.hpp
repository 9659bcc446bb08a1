// The rows of a dump by batch entry, head and image, and a sample of rows for the diagnosis.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rope/rows/dump.hpp"

namespace rope {

// The source that an implementation takes the position of a row from.
enum class PositionSource {
    position_ids,    // the dump's position_ids
    row_number,      // the row's index in its sequence
    row_in_dump,     // the row's index in the whole batch
    first_sequence,  // the position ids of batch entry 0
    head_number,  // the head's number; on several axes, the position_ids of the row of that number
    batch_number,
    reversed,       // the position_ids of the sequence in reverse order
    row_before,     // those of the row before; the ids count on beyond the first and the last row
    row_after,      // those of the next row
    half_width,     // those of row i in row 2i, else 0: 64-bit ids that are read as 32-bit ones
    tokens_last,    // those of a later row: tokens that do not rotate follow the image, not lead it
    image_alone,    // in an image: the position minus the image's first position
    behind_images,  // after the last image of a sequence: the row's index in the sequence
    // Rows of an image, with its tokens numbered in another order:
    image_rows,     // row by row
    image_columns,  // column by column
    image_blocks,   // in blocks of 2 × 2, row by row in and between blocks, as patches are merged
    image_divided_by_height,  // token t in row ⌊t / height⌋ at column t mod height
    // Cells of an image that are 2 ids apart, or 2 × 2 of which share one, as if spatial_merge_size
    // were 1 or applied twice:
    image_doubled,
    image_halved,
    // Rows of a video, on the time axis:
    frame_numbers,         // consecutive frames are 1 apart
    frame_numbers_behind,  // the same, and rows after the video are moved on each axis
    first_frame,           // every frame has the time of the first
    first_frame_behind,    // the same, and rows after the video are moved on each axis
    frame_times,           // the times of a FrameTimes, which are inferred from the dump
    // Row s of S in head h of H of batch entry b:
    row_of_heads,      // h·S + s
    head_of_rows,      // s·H + h
    row_of_all_heads,  // (b·H + h)·S + s
    head_of_all_rows,  // (b·S + s)·H + h
    heads_innermost,   // ⌊(h·S + s)/H⌋, right for vectors in the order [S, H, head_dim]
    rows_innermost,    // (s·H + h) mod S, right for vectors in the order [H, S, head_dim]
};

// What a dump must have for a source to give positions that no simpler source gives.
namespace has {
inline constexpr unsigned batches = 1, heads = 2, rows = 4, one_axis = 8;
inline constexpr unsigned images = 16, videos = 32, grids = 64, tokens = 128;
inline constexpr unsigned rows_of_heads = one_axis | heads | rows;
}  // namespace has

// A source by which rows may be rotated instead of position_ids.
struct OtherSource {
    PositionSource source;
    std::string_view name;  // in reports
    unsigned needs;
    bool reads_ids = false;   // a position is an id of the same axis, or computed from ids of it
    bool keeps_time = false;  // does not apply to the first of three axes
};
// In the order in which they are tried.
inline constexpr OtherSource position_sources[] = {
    {PositionSource::row_number, "row number", 0},
    {PositionSource::head_number, "head number", has::heads},
    {PositionSource::batch_number, "batch number", has::batches},
    {PositionSource::row_in_dump, "row of the batch", has::batches},
    {PositionSource::behind_images, "row number", has::images, true},
    {PositionSource::image_alone, "image alone", has::images, true},
    {PositionSource::first_sequence, "sequence 0", has::batches, true},
    {PositionSource::reversed, "reversed", 0, true},
    {PositionSource::half_width, "half width", 0, true},
    {PositionSource::row_before, "row before", has::images, true},
    {PositionSource::row_after, "row after", has::images, true},
    {PositionSource::tokens_last, "tokens last", has::tokens, true},
    {PositionSource::frame_numbers, "frame number", has::videos, true},
    {PositionSource::frame_numbers_behind, "frame number and behind", has::videos, true},
    {PositionSource::first_frame, "first frame", has::videos, true},
    {PositionSource::first_frame_behind, "first frame and behind", has::videos, true},
    {PositionSource::image_rows, "image rows", has::grids, true},
    {PositionSource::image_columns, "image columns", has::grids, true},
    {PositionSource::image_blocks, "image blocks", has::grids, true},
    {PositionSource::image_divided_by_height, "image height", has::grids, true},
    {PositionSource::image_doubled, "image doubled", has::grids, true, true},
    {PositionSource::image_halved, "image halved", has::grids, true, true},
    {PositionSource::row_of_heads, "row of the heads", has::rows_of_heads},
    {PositionSource::head_of_rows, "head of the rows", has::rows_of_heads},
    {PositionSource::row_of_all_heads, "row of the batch's heads",
     has::rows_of_heads | has::batches},
    {PositionSource::head_of_all_rows, "head of the batch's rows",
     has::rows_of_heads | has::batches},
    {PositionSource::heads_innermost, "[S, H, head_dim]", has::rows_of_heads},
    {PositionSource::rows_innermost, "[H, S, head_dim]", has::rows_of_heads},
};

// The time of a frame: the image's first id times `start`, plus ⌊step·frame⌋.
struct FrameTimes {
    double start = 1;
    std::optional<double> step = {};  // none: m − first, as in the dump
    // The shift of the ids after the first k images of each sequence, where these ids continue from
    // the largest time; empty: no shift.
    std::vector<std::vector<double>> moved_by = {};

    // The time of a row with id m in an image with this first id and frame number.
    double of(double first, double frame, double m) const {
        return start * first + (step ? std::floor(*step * frame) : m - first);
    }
};

// A row of an image or video. Frames are numbered from 0.
struct FrameRow {
    double first;  // smallest id of the image
    double frame;
    bool is_behind_video;  // an earlier image of the sequence is a video
};

// The position_ids of an image's tokens, which occupy each cell of a two-dimensional grid once.
// `across_` is the axis that changes between the first two tokens.
class ImageGrid {
  public:
    // Returns the grid of the ids on its two axes, or none if they do not fill a grid of 2 × 2 or
    // more.
    static std::optional<ImageGrid> of(std::span<const double> first,
                                       std::span<const double> second);

    std::uint64_t size() const { return lengths_[0] * lengths_[1]; }
    // Returns the id on axis 0 or 1 of token t < size() with the tokens numbered in another order;
    // none if `order` is no such order or the grid has none.
    std::optional<double> id(PositionSource order, std::uint64_t t, std::uint32_t axis) const;
    double lowest(std::uint32_t axis) const { return lowest_[axis]; }

  private:
    std::array<double, 2> lowest_;
    std::array<std::uint64_t, 2> lengths_;
    std::uint32_t across_;
};

// The images and videos of one sequence with position_ids on several axes.
class SequenceImages {
  public:
    // `ids`: per axis (two or more) and row. With two axes the whole sequence is one image.
    explicit SequenceImages(const std::vector<std::vector<double>>& ids);

    bool has_images() const { return !images_.empty(); }  // false with two axes
    bool has_grids() const { return !grids_.empty(); }
    bool has_videos() const { return has_videos_; }
    // Returns the position on an axis of row `index`, whose position_id is m.
    double place(std::uint64_t index, PositionSource source, std::uint32_t axis, double m) const;
    double place(std::uint64_t index, const FrameTimes& times, std::uint32_t axis, double m,
                 const std::vector<double>& moved_by = {}) const;
    // Returns the shift of the ids after the first k images, k = 0, 1, …, with these frame times.
    std::vector<double> moved_by(const FrameTimes& times) const;
    // Returns the frame of a row; none for text, and with two axes.
    std::optional<FrameRow> frame(std::uint64_t index) const;

  private:
    struct Row {
        bool is_image = false, is_behind = false;  // is_behind: after the last image
        double first = 0;                          // smallest id of the row's image
        std::optional<std::size_t> grid = {};
        std::uint64_t token = 0;  // index of the token in the grid
        double frame = 0;         // number of the frame in a video
        std::size_t images = 0;   // number of images that end before the row
        bool is_behind_video = false;
    };
    struct Image {
        double first, frame, time, on_grid;  // of the last frame: number, time; largest grid id
    };
    using Ids = std::vector<std::vector<double>>;

    void find_images(const Ids& ids);
    void find_grids(const Ids& ids);
    void find_frames(const Ids& ids);
    void add_grid(const Ids& ids, std::uint64_t from, std::uint64_t to);
    bool are_of_one_image(std::uint64_t one, std::uint64_t other) const {
        return rows_[one].is_image && rows_[other].is_image &&
               rows_[one].first == rows_[other].first;
    }

    std::uint32_t down_;  // the axis of image rows; down_ + 1 is the axis of columns
    std::vector<Row> rows_;
    std::vector<Image> images_ = {};
    // moved_by() with frames that are 0 apart, and 1 apart
    std::array<std::vector<double>, 2> moved_ = {};
    std::vector<ImageGrid> grids_ = {};
    bool has_videos_ = false;
};

// Two row indices of every sequence whose positions are exchanged.
struct SwappedRows {
    std::uint64_t a, b;
};

// The rows of a dump in groups: one group is the sequence of one head of one batch entry.
class RowGroups {
  public:
    // Requires a dump with rows. Without heads and batch entries all rows are one group.
    explicit RowGroups(const Dump& dump);

    std::size_t count() const { return grid_.batch.length * grid_.head.length; }
    std::uint64_t length() const { return grid_.sequence.length; }  // rows in a group
    std::uint64_t batches() const { return grid_.batch.length; }
    std::uint64_t heads() const { return grid_.head.length; }

    std::uint64_t batch_of(std::size_t group) const { return group / grid_.head.length; }
    std::uint64_t head_of(std::size_t group) const { return group % grid_.head.length; }
    std::size_t group_of(std::uint64_t row) const {
        return grid_.batch.of(row) * grid_.head.length + grid_.head.of(row);
    }
    std::uint64_t index_of(std::uint64_t row) const { return grid_.sequence.of(row); }
    std::uint64_t row(std::size_t group, std::uint64_t index) const {
        return batch_of(group) * grid_.batch.stride + head_of(group) * grid_.head.stride +
               index * grid_.sequence.stride;
    }

    std::uint32_t axes() const { return static_cast<std::uint32_t>(axes_.size()); }
    // Returns the position_id of a row; an axis that the dump lacks is read as axis 0.
    double position(std::uint64_t row, std::uint32_t axis = 0) const {
        return (*axes_[axis < axes_.size() ? axis : 0])[row];
    }
    double place(std::uint64_t row, PositionSource source, std::uint32_t axis = 0) const;
    double place(std::uint64_t row, const FrameTimes& times, std::uint32_t axis) const;
    // Returns the times with moved_by set, so that the ids after videos continue from them.
    FrameTimes moving_the_rest(FrameTimes times) const;
    bool has_images() const;
    // Returns the frame of a row; none if it is in no image.
    std::optional<FrameRow> frame(std::uint64_t row) const;
    // Returns the sources that apply here.
    std::vector<OtherSource> sources() const;
    // Whether the source gives a row another position than its position_id, on some axis.
    bool is_other(PositionSource source) const;

    // Returns a sample of the groups' rows in the order of their positions. If there are more than
    // most_samples rows, the indices are those of diagnostic_rows, taken from the groups in turn.
    std::vector<std::size_t> diagnostic(const std::vector<std::size_t>& groups,
                                        const std::vector<double>& also) const;
    std::vector<std::size_t> all() const;
    // Returns all groups without head h, for each h (four heads or more), then without batch entry
    // b, for each b (three heads and two entries or more). Empty for more than 64 heads.
    std::vector<std::vector<std::size_t>> all_but_one_head_or_entry() const;

  private:
    void find_images();
    // The number of leading rows of a sequence that are tokens, such as the class token, and do not
    // rotate; 0 with one axis.
    std::uint64_t tokens(std::size_t group) const;

    RowGrid grid_;
    std::vector<const std::vector<double>*> axes_;
    std::vector<SequenceImages> images_ = {};  // none with one axis
    std::vector<std::size_t> images_of_ = {};  // index in images_ for each group
};

inline constexpr std::size_t most_samples = 256;

// Returns a sample of row indices in the order of |position|: the first 64, the last 16, the rows
// next to diagnostic_positions and `also`, and others up to most_samples; all rows if there are no
// more. `each_once`: of more than most_samples rows, only one of each position.
std::vector<std::size_t> diagnostic_rows(const std::vector<double>& positions, bool each_once,
                                         std::span<const double> also);

}  // namespace rope
