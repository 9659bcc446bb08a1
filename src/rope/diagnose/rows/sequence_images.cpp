#include "rope/diagnose/rows/sequence_images.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace rope {

SequenceImages::SequenceImages(const Ids& ids)
    : down_(ids.size() == 2 ? 0 : 1), rows_(ids[0].size()) {
    find_images(ids);
    find_grids(ids);
    if (ids.size() > 2) find_frames(ids);
}

// Text has one id on each axis, beyond all before it; an image the grid's of its rows, beyond the
// first of them, which is the same on each axis, too. A fourth axis is ggml's, and says nothing.
void SequenceImages::find_images(const Ids& ids) {
    const auto bounds = [&](std::uint64_t index) {
        double low = ids[0][index], high = low;
        for (std::size_t axis = 1; axis < std::min<std::size_t>(ids.size(), 3); ++axis) {
            low = std::min(low, ids[axis][index]);
            high = std::max(high, ids[axis][index]);
        }
        return std::pair(low, high);
    };
    double first = 0, last = -1;  // ids of the image so far
    bool in_image = false;
    std::uint64_t behind = rows_.size();
    for (std::uint64_t index = 0; index < rows_.size(); ++index) {
        const auto [low, high] = bounds(index);
        const bool was_in_image =
            std::exchange(in_image, low != high || (in_image && high <= last));
        if (!in_image) continue;
        if (!was_in_image) {
            first = last = low;
            if (index > 0 && bounds(index - 1) == std::pair(low, low))
                rows_[index - 1] = {true, false, first};
        }
        last = std::max(last, high);
        rows_[index] = {true, false, first};
        behind = index + 1;
    }
    for (std::uint64_t index = behind; index < rows_.size(); ++index) rows_[index].is_behind = true;
}

// Of three axes, what has one time among an image's rows.
void SequenceImages::find_grids(const Ids& ids) {
    if (down_ == 0) return add_grid(ids, 0, rows_.size());
    for (std::uint64_t from = 0, to = 0; from < rows_.size(); from = to) {
        for (to = from + 1;
             to < rows_.size() && are_of_one_image(from, to) && ids[0][to] == ids[0][from];)
            ++to;
        if (rows_[from].is_image) add_grid(ids, from, to);
    }
}

void SequenceImages::add_grid(const Ids& ids, std::uint64_t from, std::uint64_t to) {
    const auto of = [&](std::uint32_t axis) {
        return std::span(ids[axis]).subspan(from, to - from);
    };
    const auto grid = ImageGrid::of(of(down_), of(down_ + 1));
    if (!grid) return;
    for (std::uint64_t index = from; index < to; ++index) {
        rows_[index].grid = grids_.size();
        rows_[index].token = index - from;
    }
    grids_.push_back(*grid);
}

// A video is an image of several times. The ids behind it go on from the greatest of all its axes.
void SequenceImages::find_frames(const Ids& ids) {
    double excess = 0;
    for (std::uint64_t from = 0, to = 0; from < rows_.size(); from = to) {
        double frame = 0, last = 0, last_in_turn = 0;
        for (to = from; to < rows_.size() && (to == from || are_of_one_image(from, to)); ++to) {
            if (to > from && ids[0][to] != ids[0][to - 1]) ++frame;
            rows_[to].frame = frame;
            rows_[to].excess = excess;
            const double on_grid = std::max(ids[1][to], ids[2][to]);
            last = std::max({last, ids[0][to], on_grid});
            last_in_turn = std::max({last_in_turn, rows_[from].first + frame, on_grid});
        }
        has_videos_ = has_videos_ || frame > 0;
        if (rows_[from].is_image) excess += last - last_in_turn;
    }
}

double SequenceImages::place(std::uint64_t index, PositionSource source, std::uint32_t axis,
                             double m) const {
    using enum PositionSource;
    const Row& row = rows_[index];
    const auto at_frame = [&](double frame) {
        return axis == 0 && row.is_image ? row.first + frame : m;
    };
    switch (source) {
        case image_alone:
            return m - row.first;
        case behind_images:
            return row.is_behind ? static_cast<double>(index) : m;
        case image_rows:
        case image_columns:
        case image_blocks:
        case image_divided_by_height:
            if (!row.grid || axis < down_ || axis > down_ + 1) return m;
            return grids_[*row.grid].id(source, row.token, axis - down_).value_or(m);
        case frame_numbers:
            return at_frame(row.frame);
        case frame_numbers_behind:
            return at_frame(row.frame) - row.excess;
        case first_frame:
            return at_frame(0);
        default:
            return m;
    }
}

}  // namespace rope
