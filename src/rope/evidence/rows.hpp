// The rows of a dump by sequence, head and image, and the rows that distinguish mistakes best.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/subject/dump.hpp"

namespace rope {

// Where the positions of rows may be taken from.

// Where the position of a row is taken from.
enum class PositionSource {
    position_ids,    // as the dump says
    row_number,      // its number in its sequence
    row_in_dump,     // its number in the whole batch
    first_sequence,  // the position ids of batch entry 0
    head_number,
    batch_number,
    reversed,       // those of the sequence from its end
    image_alone,    // of an image's rows: without the ids before it
    behind_images,  // of rows behind the last image of a sequence: their number in it
    // Of an image's rows as if its tokens were numbered in another order:
    image_rows,     // one row after the other
    image_columns,  // one column after the other
    image_blocks,   // in blocks of 2 × 2, row by row in each and of them, as patches are merged
    image_divided_by_height,  // token t in row t div height, not width, at t mod height
    // Of a video's rows, on the axis of time:
    frame_numbers,         // as if its frames were 1 apart
    frame_numbers_behind,  // and so of all rows behind it, on each axis
    first_frame,           // that of its first frame
    frame_times,           // others, of which the dump tells: FrameTimes
    // Of row s of S in head h of H of entry b:
    row_of_heads,      // h·S + s
    head_of_rows,      // s·H + h
    row_of_all_heads,  // (b·H + h)·S + s
    head_of_all_rows,  // (b·S + s)·H + h
};

// What a sequence's images make of its ids (SequenceImages).
constexpr bool is_of_images(PositionSource source) {
    return source >= PositionSource::image_alone && source <= PositionSource::frame_times;
}

// The times of an image's rows, or of a video's frames.

// An image's first id times `start`, and ⌊step·frame⌋ from there on.
struct FrameTimes {
    double start = 1;
    std::optional<double> step = {};  // none: as the ids are
    // Of each sequence what ids behind its first k images are moved by, which go on from the
    // greatest of these; empty: not at all
    std::vector<std::vector<double>> moved_by = {};

    // Of a row whose id is m.
    double of(double first, double frame, double m) const {
        return start * first + (step ? std::floor(*step * frame) : m - first);
    }
};

// A row of an image, of whose frames the first is 0.
struct FrameRow {
    double first;  // id of its image
    double frame;
    bool is_behind_video;  // whose ids may go on from other times
};

// The ids of an image's tokens, and those that they would have in another order.

// Ids that are each cell of a grid once, in any order. Of its two axes `across` is the one that
// changes from the first token to the second.
class ImageGrid {
  public:
    // None where they are not.
    static std::optional<ImageGrid> of(std::span<const double> first,
                                       std::span<const double> second);

    std::uint64_t size() const { return lengths_[0] * lengths_[1]; }
    // Of token t < size() on axis 0 or 1 as if the tokens were in another order; none where the
    // grid has no such order, or the source is none.
    std::optional<double> id(PositionSource order, std::uint64_t t, std::uint32_t axis) const;

  private:
    std::array<double, 2> lowest_;
    std::array<std::uint64_t, 2> lengths_;
    std::uint32_t across_;
};

// The images and videos of a sequence of several axes, and the ids that they would have otherwise.

class SequenceImages {
  public:
    // By the ids on each of two axes or more; of two the whole sequence is one image.
    explicit SequenceImages(const std::vector<std::vector<double>>& ids);

    bool has_images() const { return !images_.empty(); }  // of three axes or more
    bool has_grids() const { return !grids_.empty(); }
    bool has_videos() const { return has_videos_; }
    // Of row `index` on an axis, whose own id is m.
    double place(std::uint64_t index, PositionSource source, std::uint32_t axis, double m) const;
    double place(std::uint64_t index, const FrameTimes& times, std::uint32_t axis, double m,
                 const std::vector<double>& moved_by = {}) const;
    // What ids behind the first k images are moved by, where they go on from these times.
    std::vector<double> moved_by(const FrameTimes& times) const;
    // Of three axes or more; none where the row is text.
    std::optional<FrameRow> frame(std::uint64_t index) const;

  private:
    struct Row {
        bool is_image = false, is_behind = false;  // behind the last image
        double first = 0;                          // id of its image
        std::optional<std::size_t> grid = {};
        std::uint64_t token = 0;  // in it
        double frame = 0;         // of a video
        std::size_t images = 0;   // that end before it
        bool is_behind_video = false;
    };
    struct Image {
        double first, frame, time, on_grid;  // the last frame and its time, the greatest other id
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

    std::uint32_t down_;  // the axis of rows; the next one is that of columns
    std::vector<Row> rows_;
    std::vector<Image> images_ = {};
    std::vector<double> by_frame_numbers_ = {};  // ids behind images are moved
    std::vector<ImageGrid> grids_ = {};
    bool has_videos_ = false;
};

// The rows of a dump by batch entry and head: each such group is a sequence of rows.

// The numbers of two rows of every sequence, each at the other's position.
struct SwappedRows {
    std::uint64_t a, b;
};

class RowGroups {
  public:
    // Requires a dump that has rows. One group where they are not distinguished.
    explicit RowGroups(const Dump& dump);

    std::size_t count() const { return grid_.batch.length * grid_.head.length; }
    std::uint64_t length() const { return grid_.sequence.length; }  // rows of a group
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
    // On axis 0 where the dump has no such axis.
    double position(std::uint64_t row, std::uint32_t axis = 0) const {
        return (*axes_[axis < axes_.size() ? axis : 0])[swapped_ ? other(row) : row];
    }
    // The same dump with two of its rows swapped.
    RowGroups with(const SwappedRows& swapped) const {
        RowGroups groups = *this;
        groups.swapped_ = swapped;
        return groups;
    }
    bool is_swapped() const { return swapped_.has_value(); }
    double place(std::uint64_t row, PositionSource source, std::uint32_t axis = 0) const;
    double place(std::uint64_t row, const FrameTimes& times, std::uint32_t axis) const;
    // With the ids behind images moved by them.
    FrameTimes moving_the_rest(FrameTimes times) const;
    bool has_images() const;
    // None where the row is of no image.
    std::optional<FrameRow> frame(std::uint64_t row) const;
    // Sources of the ids of images in another order and of videos at other times, where there are
    // any.
    std::vector<PositionSource> other_image_ids() const;
    // Whether that differs from the position anywhere; of one axis.
    bool is_other(PositionSource source) const;

    // The most diagnostic rows of some groups, by position: of one group as diagnostic_rows has
    // them, of several each in turn.
    std::vector<std::size_t> diagnostic(const std::vector<std::size_t>& groups,
                                        const std::vector<double>& also) const;
    std::vector<std::size_t> all() const;
    // Without one head after the other, then without one batch entry after the other; of three
    // heads or more. Empty for more than 64 heads.
    std::vector<std::vector<std::size_t>> all_but_one_head_or_entry() const;

  private:
    void find_images();
    bool has(PositionSource source) const;
    std::uint64_t other(std::uint64_t row) const {
        const std::uint64_t index = index_of(row);
        if (index != swapped_->a && index != swapped_->b) return row;
        return this->row(group_of(row), swapped_->a + swapped_->b - index);
    }

    std::optional<SwappedRows> swapped_;
    RowGrid grid_;
    std::vector<const std::vector<double>*> axes_;
    std::vector<SequenceImages> images_ = {};  // where there are several axes
    std::vector<std::size_t> images_of_ = {};  // of each group
};

// Which rows of a dump tell the most.

inline constexpr std::size_t most_samples = 256;

// The most diagnostic rows, by position: the first, the last, those around powers of two, and some
// between; where there are many, each position once if asked.
std::vector<std::size_t> diagnostic_rows(const std::vector<double>& positions, bool each_once,
                                         std::span<const double> also);

}  // namespace rope
