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

#include "rope/exact/row_sample.hpp"
#include "rope/rows/dump.hpp"

namespace rope {

// What a dump must have so that a source of positions differs from simpler ones.
namespace has {
inline constexpr unsigned batches = 1, heads = 2, rows = 4, one_axis = 8;
inline constexpr unsigned images = 16, videos = 32, grids = 64, tokens = 128;
inline constexpr unsigned rows_of_heads = one_axis | heads | rows;
}  // namespace has

struct RowOnAxis;

// A source by which rows may be rotated instead of position_ids.
struct OtherSource {
    std::string_view name;  // in reports
    unsigned needs;
    double (*place)(const RowOnAxis& row);
    bool reads_ids = false;      // a position is an id of the same axis, or computed from ids of it
    bool keeps_time = false;     // does not apply to the first of three axes
    std::string_view rows = {};  // those that it applies to, in reports; empty: all
};
// In the order in which they are tried.
std::span<const OtherSource> position_sources();
// Returns the first source with that name; null if there is none.
const OtherSource* source_named(std::string_view name);

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

// The position_ids of an image's tokens, which occupy each cell of a two-dimensional grid once.
struct ImageGrid {
    std::array<double, 2> lowest;
    std::array<std::uint64_t, 2> lengths;
    std::uint32_t across;  // the axis that changes between the first two tokens

    // Returns the grid of the ids on its two axes, or none if they do not fill a grid of 2 × 2 or
    // more.
    static std::optional<ImageGrid> of(std::span<const double> first,
                                       std::span<const double> second);

    std::uint64_t size() const { return lengths[0] * lengths[1]; }
};

// A row of a sequence with images.
struct ImageRow {
    bool is_image = false, is_behind = false;  // is_behind: after the last image
    double first = 0;                          // smallest id of the row's image
    std::optional<std::size_t> grid = {};
    std::uint64_t token = 0;       // index of the token in the grid
    double frame = 0;              // number of the frame in a video, from 0
    std::size_t images = 0;        // number of images that end before the row
    bool is_behind_video = false;  // an earlier image of the sequence is a video
};

// The images and videos of one sequence with position_ids on several axes.
class SequenceImages {
  public:
    // `ids`: per axis (two or more) and row. With two axes the whole sequence is one image.
    explicit SequenceImages(const std::vector<std::vector<double>>& ids);

    bool has_images() const { return !images_.empty(); }  // false with two axes
    bool has_grids() const { return !grids_.empty(); }
    bool has_videos() const { return has_videos_; }
    const ImageRow& row(std::uint64_t index) const { return rows_[index]; }
    // Returns the grid of a row's image that has this axis; null if there is none.
    const ImageGrid* grid(std::uint64_t index, std::uint32_t axis) const {
        const bool is_on_grid = rows_[index].grid && down_ <= axis && axis <= down_ + 1;
        return is_on_grid ? &grids_[*rows_[index].grid] : nullptr;
    }
    std::uint32_t down() const { return down_; }
    const std::vector<double>& moved(std::size_t step) const { return moved_[step]; }
    // Returns the position on an axis of row `index`, whose position_id is m.
    double place(std::uint64_t index, const FrameTimes& times, std::uint32_t axis, double m,
                 const std::vector<double>& moved_by = {}) const;
    // Returns the shift of the ids after the first k images, k = 0, 1, …, with these frame times.
    std::vector<double> moved_by(const FrameTimes& times) const;

  private:
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
    std::vector<ImageRow> rows_;
    std::vector<Image> images_ = {};
    // moved_by() with frames that are 0 apart, and 1 apart
    std::array<std::vector<double>, 2> moved_ = {};
    std::vector<ImageGrid> grids_ = {};
    bool has_videos_ = false;
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
    // Returns the position by a source; null: the position_id.
    double place(std::uint64_t row, const OtherSource* source, std::uint32_t axis = 0) const;
    double place(std::uint64_t row, const FrameTimes& times, std::uint32_t axis) const;
    // Returns the times with moved_by set, so that the ids after videos continue from them.
    FrameTimes moving_the_rest(FrameTimes times) const;
    bool has_images() const;
    // Returns a row of an image or video; null for text, and with two axes.
    const ImageRow* row_of_image(std::uint64_t row) const;
    // The number of leading rows of a sequence that are tokens, such as the class token, and do not
    // rotate; 0 with one axis.
    std::uint64_t tokens(std::size_t group) const;
    // Returns the sources that apply here.
    std::vector<const OtherSource*> sources() const;
    // Whether the source gives a row another position than its position_id, on some axis.
    bool is_other(const OtherSource& source) const;

    // Returns a sample of the groups' rows in the order of their positions. If there are more than
    // most_samples rows, the indices are those of diagnostic_rows, taken from the groups in turn.
    std::vector<std::size_t> diagnostic(const std::vector<std::size_t>& groups,
                                        const std::vector<double>& also) const;
    std::vector<std::size_t> all() const { return numbers_below(count()); }
    // Returns all groups without head h, for each h (four heads or more), then without batch entry
    // b, for each b (three heads and two entries or more). Empty for more than 64 heads.
    std::vector<std::vector<std::size_t>> all_but_one_head_or_entry() const;

  private:
    void find_images();

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
