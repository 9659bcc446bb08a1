// The rows of a dump by batch entry and head: each such group is a sequence of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/diagnose/rows/position_source.hpp"
#include "rope/diagnose/rows/sequence_images.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

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

}  // namespace rope
