// The images and videos of a sequence of several axes, and the ids that they would have otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/diagnose/rows/frame_times.hpp"
#include "rope/diagnose/rows/image_grid.hpp"
#include "rope/diagnose/rows/position_source.hpp"

namespace rope {

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

}  // namespace rope
