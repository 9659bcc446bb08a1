// The rows of a dump by batch entry and head: each such group is a sequence of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/diagnose/rows/image_grid.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

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
    // Of an image's rows as if its tokens were in another order (GridOrder):
    image_rows,
    image_columns,
    image_blocks,
    image_divided_by_height,
    // Of a video's rows, on the axis of time:
    frame_numbers,         // as if its frames were 1 apart
    frame_numbers_behind,  // and so of all rows behind it, on each axis
    first_frame,           // that of its first frame
    // Of row s of S in head h of H of entry b:
    row_of_heads,      // h·S + s
    head_of_rows,      // s·H + h
    row_of_all_heads,  // (b·H + h)·S + s
    head_of_all_rows,  // (b·S + s)·H + h
};

// The numbers of two rows of every sequence, each at the other's position.
struct SwappedRows {
    std::uint64_t a, b;
};

// Where a row is in its sequence of text and images.
struct ImageRow {
    bool is_image = false, is_behind = false;  // behind the last image
    double first = 0;                          // id of its image
    std::optional<std::size_t> grid = {};      // of RowGroups
    std::uint64_t token = 0;                   // in it
    double frame = 0;                          // of a video
    double excess = 0;                         // of ids, by frames before it that are not 1 apart
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
    bool has_grids() const { return !grids_.empty(); }
    bool has_videos() const { return has_videos_; }
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
    bool has(PositionSource source) const;
    void find_images(std::size_t group);
    void find_frames(std::size_t group);
    void find_grids(std::size_t group);
    void add_grid(std::size_t group, std::uint64_t from, std::uint64_t to);
    double place_on_grid(std::uint64_t row, GridOrder order, std::uint32_t axis) const;
    std::uint64_t other(std::uint64_t row) const {
        const std::uint64_t index = index_of(row);
        if (index != swapped_->a && index != swapped_->b) return row;
        return this->row(group_of(row), swapped_->a + swapped_->b - index);
    }

    std::optional<SwappedRows> swapped_;
    RowGrid grid_;
    std::vector<const std::vector<double>*> axes_;
    std::vector<ImageRow> images_ = {};  // of each row, where there are several axes
    std::vector<ImageGrid> grids_ = {};
    bool has_videos_ = false;
};

}  // namespace rope
