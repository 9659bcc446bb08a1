// The sources that an implementation may take the positions of rows from instead of position_ids.
#include <algorithm>

#include "rope/evidence/rows.hpp"

namespace rope {

// Row `index` of `length` in head `head` of `heads` of batch entry `entry`.
struct RowOnAxis {
    const RowGroups& rows;
    const SequenceImages* images;  // null with one axis
    std::uint64_t entry, head, heads, index, length;
    std::uint32_t axis;
    double id;  // its position_id

    // The position_id of another row of its head.
    double id_of(std::uint64_t other) const {
        return rows.position(rows.row(entry * heads + head, other), axis);
    }
};

namespace {

using At = const RowOnAxis&;

double number(std::uint64_t x) { return static_cast<double>(x); }

// On several axes, the ids of the row of that number.
double head_number(At at) {
    return at.rows.axes() > 1 && at.head < at.length ? at.id_of(at.head) : number(at.head);
}

// The position of row i in row 2i of the batch, else 0: 64-bit ids that are read as 32-bit ones.
double half_width(At at) {
    const std::uint64_t in_batch = at.entry * at.length + at.index, half = in_batch / 2;
    const std::size_t from = half / at.length * at.heads + at.head;
    return in_batch % 2 == 1 ? 0 : at.rows.position(at.rows.row(from, half % at.length), at.axis);
}

// Tokens that do not rotate follow the image, not lead it.
double tokens_last(At at) {
    const std::uint64_t tokens = at.rows.tokens(at.entry * at.heads + at.head);
    return at.id_of((at.index + tokens) % at.length);
}

struct Cell {
    std::uint64_t down, across;
};

// Returns the cell of token t in a grid of height × width, with its tokens numbered in an order.
using CellOf = Cell(std::uint64_t t, std::uint64_t height, std::uint64_t width);

Cell by_rows(std::uint64_t t, std::uint64_t, std::uint64_t width) { return {t / width, t % width}; }
Cell by_columns(std::uint64_t t, std::uint64_t height, std::uint64_t) {
    return {t % height, t / height};
}
Cell divided_by_height(std::uint64_t t, std::uint64_t height, std::uint64_t) {
    return {t / height, t % height};
}
// In blocks of 2 × 2, row by row in and between blocks, as patches are merged.
Cell by_blocks(std::uint64_t t, std::uint64_t, std::uint64_t width) {
    const std::uint64_t block = t / 4, in_block = t % 4;
    return {2 * (block / (width / 2)) + in_block / 2, 2 * (block % (width / 2)) + in_block % 2};
}

// In grids whose height and width are multiples of `size`.
template <CellOf cell_of, std::uint64_t size = 1>
double in_order(At at) {
    const ImageGrid* grid = at.images->grid(at.index, at.axis);
    if (!grid || grid->lengths[0] % size != 0 || grid->lengths[1] % size != 0) return at.id;
    const std::uint32_t axis = at.axis - at.images->down();
    const Cell cell = cell_of(at.images->row(at.index).token, grid->lengths[1 - grid->across],
                              grid->lengths[grid->across]);
    return grid->lowest[axis] + number(axis == grid->across ? cell.across : cell.down);
}

// Cells that are 2 ids apart, or 2 × 2 of which share one, as if spatial_merge_size were 1 or
// applied twice.
template <bool doubles>
double resized(At at) {
    const ImageGrid* grid = at.images->grid(at.index, at.axis);
    if (!grid) return at.id;
    const double lowest = grid->lowest[at.axis - at.images->down()], cell = at.id - lowest;
    return lowest + (doubles ? 2 * cell : std::floor(cell / 2));
}

// Consecutive frames are `step` apart. `moves`: rows after the video are moved on each axis.
template <std::size_t step, bool moves>
double at_frame(At at) {
    static const std::vector<double> unmoved;
    const FrameTimes times{.step = number(step)};
    return at.images->place(at.index, times, at.axis, at.id,
                            moves ? at.images->moved(step) : unmoved);
}

constexpr unsigned of_all_heads = has::rows_of_heads | has::batches;

// The last two are right for vectors in these orders.
constexpr OtherSource all_sources[] = {
    {"row number", 0, [](At at) { return number(at.index); }},
    {"head number", has::heads, head_number},
    {"batch number", has::batches, [](At at) { return number(at.entry); }},
    {"row of the batch", has::batches,
     [](At at) { return number(at.entry * at.length + at.index); }},
    {"row number", has::images,
     [](At at) { return at.images->row(at.index).is_behind ? number(at.index) : at.id; }, true,
     false, "behind images"},
    {"image alone", has::images, [](At at) { return at.id - at.images->row(at.index).first; },
     true},
    {"sequence 0", has::batches,
     [](At at) { return at.rows.position(at.rows.row(at.head, at.index), at.axis); }, true},
    {"reversed", 0, [](At at) { return at.id_of(at.length - 1 - at.index); }, true},
    {"half width", 0, half_width, true},
    // the ids count on beyond the first and the last row
    {"row before", has::images,
     [](At at) { return at.index == 0 ? at.id - 1 : at.id_of(at.index - 1); }, true},
    {"row after", has::images,
     [](At at) { return at.index + 1 == at.length ? at.id + 1 : at.id_of(at.index + 1); }, true},
    {"tokens last", has::tokens, tokens_last, true},
    {"frame number", has::videos, at_frame<1, false>, true},
    {"frame number and behind", has::videos, at_frame<1, true>, true},
    {"first frame", has::videos, at_frame<0, false>, true},
    {"first frame and behind", has::videos, at_frame<0, true>, true},
    {"image rows", has::grids, in_order<by_rows>, true},
    {"image columns", has::grids, in_order<by_columns>, true},
    {"image blocks", has::grids, in_order<by_blocks, 2>, true},
    {"image height", has::grids, in_order<divided_by_height>, true},
    {"image doubled", has::grids, resized<true>, true, true},
    {"image halved", has::grids, resized<false>, true, true},
    {"row of the heads", has::rows_of_heads,
     [](At at) { return number(at.head * at.length + at.index); }},
    {"head of the rows", has::rows_of_heads,
     [](At at) { return number(at.index * at.heads + at.head); }},
    {"row of the batch's heads", of_all_heads,
     [](At at) { return number((at.entry * at.heads + at.head) * at.length + at.index); }},
    {"head of the batch's rows", of_all_heads,
     [](At at) { return number((at.entry * at.length + at.index) * at.heads + at.head); }},
    {"[S, H, head_dim]", has::rows_of_heads,
     [](At at) { return number((at.head * at.length + at.index) / at.heads); }},
    {"[H, S, head_dim]", has::rows_of_heads,
     [](At at) { return number((at.index * at.heads + at.head) % at.length); }},
};

}  // namespace

std::span<const OtherSource> position_sources() { return all_sources; }

const OtherSource* source_named(std::string_view name) {
    const auto* const found = std::ranges::find(all_sources, name, &OtherSource::name);
    return found == std::end(all_sources) ? nullptr : found;
}

double RowGroups::place(std::uint64_t row, const OtherSource* source, std::uint32_t axis) const {
    const double id = position(row, axis);
    if (!source) return id;
    const std::size_t group = group_of(row);
    return source->place({*this, images_.empty() ? nullptr : &images_[images_of_[group]],
                          batch_of(group), head_of(group), heads(), index_of(row), length(), axis,
                          id});
}

double RowGroups::place(std::uint64_t row, const FrameTimes& times, std::uint32_t axis) const {
    const double m = position(row, axis);
    if (images_.empty()) return m;
    const std::size_t sequence = images_of_[group_of(row)];
    if (times.moved_by.empty()) return images_[sequence].place(index_of(row), times, axis, m);
    return images_[sequence].place(index_of(row), times, axis, m, times.moved_by[sequence]);
}

FrameTimes RowGroups::moving_the_rest(FrameTimes times) const {
    for (const SequenceImages& one : images_) times.moved_by.push_back(one.moved_by(times));
    return times;
}

// The first cell of a grid, unless it has coordinates, does not rotate either.
std::uint64_t RowGroups::tokens(std::size_t group) const {
    std::uint64_t still = 0;
    const auto has_zeros = [&](std::uint64_t index) {
        for (std::uint32_t axis = 0; axis < axes(); ++axis)
            if (position(row(group, index), axis) != 0) return false;
        return true;
    };
    while (still < length() && has_zeros(still)) ++still;
    if (still == 0 || still == length() || axes() == 1) return 0;
    const double next = position(row(group, still), axes() - 1);
    return next == std::floor(next) ? still - 1 : still;
}

bool RowGroups::has_images() const {
    return std::ranges::any_of(images_, &SequenceImages::has_images);
}

const ImageRow* RowGroups::row_of_image(std::uint64_t row) const {
    if (!has_images()) return nullptr;
    const ImageRow& one = images_[images_of_[group_of(row)]].row(index_of(row));
    return one.is_image ? &one : nullptr;
}

std::vector<const OtherSource*> RowGroups::sources() const {
    const auto if_any = [&](bool (SequenceImages::*is_so)() const, unsigned what) {
        return std::ranges::any_of(images_, is_so) ? what : 0;
    };
    const unsigned here = (batches() > 1 ? has::batches : 0) | (heads() > 1 ? has::heads : 0) |
                          (length() > 1 ? has::rows : 0) | (axes() == 1 ? has::one_axis : 0) |
                          if_any(&SequenceImages::has_images, has::images) |
                          if_any(&SequenceImages::has_videos, has::videos) |
                          (count() > 0 && tokens(0) > 0 ? has::tokens : 0) |
                          if_any(&SequenceImages::has_grids, has::grids);
    std::vector<const OtherSource*> found;
    for (const OtherSource& one : all_sources)
        if ((one.needs & ~here) == 0) found.push_back(&one);
    return found;
}

bool RowGroups::is_other(const OtherSource& source) const {
    for (std::uint64_t row = 0; row < axes_[0]->size(); ++row)
        for (std::uint32_t axis = 0; axis < axes(); ++axis)
            if (place(row, &source, axis) != position(row, axis)) return true;
    return false;
}

}  // namespace rope
