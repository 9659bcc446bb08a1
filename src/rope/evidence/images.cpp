#include <algorithm>
#include <utility>

#include "rope/evidence/rows.hpp"

namespace rope {
namespace {

// Returns 1 + the largest id − lowest; 0 if an id − lowest is not whole or is `most` or more.
std::uint64_t length_of(std::span<const double> ids, double lowest, std::uint64_t most) {
    std::uint64_t length = 0;
    for (const double id : ids) {
        const double step = id - lowest;
        if (!(step < static_cast<double>(most)) || step != std::floor(step)) return 0;
        length = std::max(length, static_cast<std::uint64_t>(step) + 1);
    }
    return length;
}

}  // namespace

std::optional<ImageGrid> ImageGrid::of(std::span<const double> first,
                                       std::span<const double> second) {
    const std::uint64_t count = first.size();
    if (count < 4) return std::nullopt;
    ImageGrid grid;
    grid.lowest = {*std::ranges::min_element(first), *std::ranges::min_element(second)};
    grid.lengths = {length_of(first, grid.lowest[0], count),
                    length_of(second, grid.lowest[1], count)};
    if (std::ranges::min(grid.lengths) < 2 || grid.size() != count) return std::nullopt;
    std::vector<bool> is_taken(count);
    for (std::uint64_t t = 0; t < count; ++t) {
        const auto down = static_cast<std::uint64_t>(first[t] - grid.lowest[0]);
        const auto cell =
            down * grid.lengths[1] + static_cast<std::uint64_t>(second[t] - grid.lowest[1]);
        if (is_taken[cell]) return std::nullopt;
        is_taken[cell] = true;
    }
    grid.across = first[0] == first[1] ? 1 : 0;
    return grid;
}

SequenceImages::SequenceImages(const Ids& ids)
    : down_(ids.size() == 2 ? 0 : 1), rows_(ids[0].size()) {
    find_images(ids);
    find_grids(ids);
    if (ids.size() > 2) find_frames(ids);
}

// A text row has the same id on all axes, larger than the ids of an image before it. The first row
// of an image also has the same id on all axes, the smallest of the image; later rows differ
// between the axes. A fourth axis (ggml's) is ignored.
void SequenceImages::find_images(const Ids& ids) {
    const auto bounds = [&](std::uint64_t index) {
        double low = ids[0][index], high = low;
        for (std::size_t axis = 1; axis < std::min<std::size_t>(ids.size(), 3); ++axis) {
            low = std::min(low, ids[axis][index]);
            high = std::max(high, ids[axis][index]);
        }
        return std::pair(low, high);
    };
    double first = 0, last = -1;  // smallest and largest id of the image so far
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

// With three axes a grid is a run of an image's rows with one id on the time axis.
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

// A video is an image with several ids on the time axis, each of several rows. Ids after it
// continue from its largest id on any axis.
void SequenceImages::find_frames(const Ids& ids) {
    const std::vector<double>& times = ids[0];
    const auto is_of_frame = [&](std::uint64_t index) {
        return times[index - 1] == times[index] ||
               (index + 1 < times.size() && times[index + 1] == times[index]);
    };
    for (std::uint64_t from = 0, to = 0; from < rows_.size(); from = to) {
        Image image{.first = rows_[from].first, .frame = 0, .time = 0, .on_grid = 0};
        for (to = from; to < rows_.size() && (to == from || are_of_one_image(from, to)); ++to) {
            if (to > from + 1 && times[to] != times[to - 1] && is_of_frame(to) &&
                is_of_frame(to - 1))
                ++image.frame;
            rows_[to].frame = image.frame;
            rows_[to].images = images_.size();
            rows_[to].is_behind_video = has_videos_;
            image.time = std::max(image.time, ids[0][to]);
            image.on_grid = std::max({image.on_grid, ids[1][to], ids[2][to]});
        }
        has_videos_ = has_videos_ || image.frame > 0;
        if (rows_[from].is_image) images_.push_back(image);
    }
    for (std::size_t step = 0; step < moved_.size(); ++step)
        moved_[step] = moved_by(FrameTimes{.step = static_cast<double>(step)});
}

std::vector<double> SequenceImages::moved_by(const FrameTimes& times) const {
    std::vector<double> all{0};
    for (const Image& one : images_)
        all.push_back(all.back() + std::max(times.of(one.first, one.frame, one.time), one.on_grid) -
                      std::max(one.time, one.on_grid));
    return all;
}

double SequenceImages::place(std::uint64_t index, const FrameTimes& times, std::uint32_t axis,
                             double m, const std::vector<double>& moved_by) const {
    const ImageRow& row = rows_[index];
    const double shift = moved_by.empty() ? 0 : moved_by[row.images];
    if (axis > 0 || !row.is_image) return m + shift;
    return times.of(row.first + shift, row.frame, m + shift);
}

}  // namespace rope
