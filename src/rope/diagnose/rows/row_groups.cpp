#include "rope/diagnose/rows/row_groups.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rope/diagnose/rows/diagnostic_rows.hpp"
#include "rope/subject/positions.hpp"

namespace rope {

RowGroups::RowGroups(const Dump& dump) {
    const auto take = [&](const auto& rows) {
        axes_ = {&rows.positions};
        for (const std::vector<double>& on_axis : rows.more_positions) axes_.push_back(&on_axis);
        grid_ = rows.grid;
    };
    if (const auto* table = std::get_if<TableDump>(&dump))
        take(*table);
    else
        take(std::get<RotatedDump>(dump));
    const std::uint64_t rows = axes_[0]->size();
    if (count() * length() != rows) grid_ = {{}, {}, {rows, 1}};
    if (axes_.size() == 1) return;
    images_.resize(rows);
    for (const std::size_t group : all()) {
        find_images(group);
        find_grids(group);
        if (axes_.size() > 2) find_frames(group);
    }
}

// Text has one id on each axis, beyond all before it; an image the grid's of its rows, beyond the
// first of them, which is the same on each axis, too. A fourth axis is ggml's, and says nothing.
void RowGroups::find_images(std::size_t group) {
    const auto axes = static_cast<std::uint32_t>(std::min<std::size_t>(axes_.size(), 3));
    const auto bounds = [&](std::uint64_t row) {
        double low = position(row), high = low;
        for (std::uint32_t axis = 1; axis < axes; ++axis) {
            low = std::min(low, position(row, axis));
            high = std::max(high, position(row, axis));
        }
        return std::pair(low, high);
    };
    double first = 0, last = -1;  // ids of the image so far
    bool in_image = false;
    std::uint64_t behind = length();
    for (std::uint64_t index = 0; index < length(); ++index) {
        const auto [low, high] = bounds(row(group, index));
        const bool was_in_image =
            std::exchange(in_image, low != high || (in_image && high <= last));
        if (!in_image) continue;
        if (!was_in_image) {
            first = last = low;
            if (index > 0 && bounds(row(group, index - 1)) == std::pair(low, low))
                images_[row(group, index - 1)] = {true, false, first};
        }
        last = std::max(last, high);
        images_[row(group, index)] = {true, false, first};
        behind = index + 1;
    }
    for (std::uint64_t index = behind; index < length(); ++index)
        images_[row(group, index)].is_behind = true;
}

// An image is all of a sequence of two axes, and of three what has one time among its rows.
void RowGroups::find_grids(std::size_t group) {
    if (axes_.size() == 2) return add_grid(group, 0, length());
    for (std::uint64_t from = 0, to = 0; from < length(); from = to) {
        const auto is_like_first = [&](std::uint64_t index) {
            const std::uint64_t one = row(group, from), other = row(group, index);
            return images_[other].is_image == images_[one].is_image &&
                   images_[other].first == images_[one].first && position(other) == position(one);
        };
        for (to = from + 1; to < length() && is_like_first(to);) ++to;
        if (images_[row(group, from)].is_image) add_grid(group, from, to);
    }
}

// A video is an image of several times. The ids behind it go on from the greatest of all its axes.
void RowGroups::find_frames(std::size_t group) {
    double excess = 0;
    for (std::uint64_t from = 0, to = 0; from < length(); from = to) {
        const ImageRow& first = images_[row(group, from)];
        double frame = 0, last = 0, last_in_turn = 0;
        for (to = from; to < length(); ++to) {
            ImageRow& image = images_[row(group, to)];
            if (to > from && !(first.is_image && image.is_image && image.first == first.first))
                break;
            if (to > from && position(row(group, to)) != position(row(group, to - 1))) ++frame;
            image.frame = frame;
            image.excess = excess;
            const double on_grid =
                std::max(position(row(group, to), 1), position(row(group, to), 2));
            last = std::max({last, position(row(group, to)), on_grid});
            last_in_turn = std::max({last_in_turn, first.first + frame, on_grid});
        }
        has_videos_ = has_videos_ || frame > 0;
        if (first.is_image) excess += last - last_in_turn;
    }
}

void RowGroups::add_grid(std::size_t group, std::uint64_t from, std::uint64_t to) {
    const std::uint32_t down = axes_.size() == 2 ? 0 : 1;
    std::vector<double> first, second;
    for (std::uint64_t index = from; index < to; ++index) {
        first.push_back(position(row(group, index), down));
        second.push_back(position(row(group, index), down + 1));
    }
    const auto grid = ImageGrid::of(first, second);
    if (!grid) return;
    for (std::uint64_t index = from; index < to; ++index) {
        images_[row(group, index)].grid = grids_.size();
        images_[row(group, index)].token = index - from;
    }
    grids_.push_back(*grid);
}

double RowGroups::place_on_grid(std::uint64_t row, GridOrder order, std::uint32_t axis) const {
    const std::uint32_t down = axes_.size() == 2 ? 0 : 1;
    const double m = position(row, axis);
    if (images_.empty() || !images_[row].grid || axis < down || axis > down + 1) return m;
    return grids_[*images_[row].grid].id(order, images_[row].token, axis - down).value_or(m);
}

double RowGroups::place(std::uint64_t row, PositionSource source, std::uint32_t axis) const {
    const double m = position(row, axis);
    const std::size_t group = group_of(row);
    switch (source) {
        case PositionSource::position_ids:
            return m;
        case PositionSource::row_number:
            return static_cast<double>(index_of(row));
        case PositionSource::row_in_dump:
            return static_cast<double>(batch_of(group) * length() + index_of(row));
        case PositionSource::first_sequence:
            return position(this->row(head_of(group), index_of(row)), axis);
        case PositionSource::head_number:
            return static_cast<double>(head_of(group));
        case PositionSource::batch_number:
            return static_cast<double>(batch_of(group));
        case PositionSource::reversed:
            return position(this->row(group, length() - 1 - index_of(row)), axis);
        case PositionSource::image_alone:
            return images_.empty() ? m : m - images_[row].first;
        case PositionSource::behind_images:
            return images_.empty() || !images_[row].is_behind ? m
                                                              : static_cast<double>(index_of(row));
        case PositionSource::image_rows:
            return place_on_grid(row, GridOrder::rows, axis);
        case PositionSource::image_columns:
            return place_on_grid(row, GridOrder::columns, axis);
        case PositionSource::image_blocks:
            return place_on_grid(row, GridOrder::blocks, axis);
        case PositionSource::image_divided_by_height:
            return place_on_grid(row, GridOrder::divided_by_height, axis);
        case PositionSource::frame_numbers:
        case PositionSource::frame_numbers_behind:
        case PositionSource::first_frame: {
            if (images_.empty()) return m;
            const ImageRow& image = images_[row];
            const bool is_behind = source == PositionSource::frame_numbers_behind;
            const double frame = source == PositionSource::first_frame ? 0 : image.frame;
            const double moved = axis == 0 && image.is_image ? image.first + frame : m;
            return is_behind ? moved - image.excess : moved;
        }
        case PositionSource::row_of_heads:
            return static_cast<double>(head_of(group) * length() + index_of(row));
        case PositionSource::head_of_rows:
            return static_cast<double>(index_of(row) * heads() + head_of(group));
        case PositionSource::row_of_all_heads:
            return static_cast<double>(group * length() + index_of(row));
        case PositionSource::head_of_all_rows:
            return static_cast<double>((batch_of(group) * length() + index_of(row)) * heads() +
                                       head_of(group));
    }
    return m;
}

// Whether no simpler source has the same places.
bool RowGroups::has(PositionSource source) const {
    using enum PositionSource;
    switch (source) {
        case row_in_dump:
            return batches() > 1;
        case row_of_heads:
        case head_of_rows:
            return heads() > 1 && length() > 1;
        case row_of_all_heads:
        case head_of_all_rows:
            return batches() > 1 && heads() > 1 && length() > 1;
        default:
            return true;
    }
}

bool RowGroups::is_other(PositionSource source) const {
    if (axes_.size() > 1 || !has(source)) return false;
    for (std::uint64_t row = 0; row < axes_[0]->size(); ++row)
        if (place(row, source) != position(row)) return true;
    return false;
}

std::vector<std::size_t> RowGroups::diagnostic(const std::vector<std::size_t>& groups,
                                               const std::vector<double>& also) const {
    const auto by_position = [&](std::size_t a, std::size_t b) {
        if (position(a) != position(b)) return is_nearer_zero(position(a), position(b));
        return a < b;
    };
    std::vector<std::size_t> rows;
    if (groups.size() * length() <= most_samples) {
        for (const std::size_t group : groups)
            for (std::uint64_t index = 0; index < length(); ++index)
                rows.push_back(row(group, index));
        std::sort(rows.begin(), rows.end(), by_position);
        return rows;
    }
    std::vector<double> positions(length());
    for (std::uint64_t index = 0; index < length(); ++index)
        positions[index] = position(row(groups[0], index));
    const std::vector<std::size_t> indices = diagnostic_rows(positions, axes_.size() == 1, also);
    const std::size_t each = std::max<std::size_t>(
        1, std::min(groups.size(), most_samples / std::max<std::size_t>(1, indices.size())));
    for (std::size_t k = 0; k < indices.size(); ++k)
        for (std::size_t j = 0; j < each; ++j)
            rows.push_back(row(groups[(k * each + j) % groups.size()], indices[k]));
    std::sort(rows.begin(), rows.end(), by_position);
    return rows;
}

std::vector<std::size_t> RowGroups::all() const {
    std::vector<std::size_t> groups(count());
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    return groups;
}

std::vector<std::vector<std::size_t>> RowGroups::all_but_one_head_or_entry() const {
    constexpr std::uint64_t most_heads = 64;
    std::vector<std::vector<std::size_t>> parts;
    if (heads() > most_heads) return parts;
    const auto leave_out = [&](const auto& is_out) {
        parts.push_back(all());
        std::erase_if(parts.back(), is_out);
    };
    for (std::uint64_t head = 0; heads() > 3 && head < heads(); ++head)
        leave_out([&](std::size_t group) { return head_of(group) == head; });
    for (std::uint64_t entry = 0; heads() > 2 && batches() > 1 && entry < batches(); ++entry)
        leave_out([&](std::size_t group) { return batch_of(group) == entry; });
    return parts;
}

}  // namespace rope
