// The rows of a dump by batch entry and head: each such group is a sequence of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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
    reversed,  // those of the sequence from its end
};

// The numbers of two rows of every sequence, each at the other's position.
struct SwappedRows {
    std::uint64_t a, b;
};

class RowGroups {
  public:
    // Requires a dump that has rows. One group where they are not distinguished, or have positions
    // on several axes.
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

    double position(std::uint64_t row) const { return (*positions_)[swapped_ ? other(row) : row]; }
    // The same dump with two of its rows swapped.
    RowGroups with(const SwappedRows& swapped) const {
        RowGroups groups = *this;
        groups.swapped_ = swapped;
        return groups;
    }
    bool is_swapped() const { return swapped_.has_value(); }
    // On the first axis.
    double place(std::uint64_t row, PositionSource source) const;
    // Whether that differs from the position anywhere.
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
    std::uint64_t other(std::uint64_t row) const {
        const std::uint64_t index = index_of(row);
        if (index != swapped_->a && index != swapped_->b) return row;
        return this->row(group_of(row), swapped_->a + swapped_->b - index);
    }

    std::optional<SwappedRows> swapped_;
    RowGrid grid_;
    bool several_axes_ = false;
    const std::vector<double>* positions_;
};

}  // namespace rope
