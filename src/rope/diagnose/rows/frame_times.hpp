// The times of an image's rows, or of a video's frames.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace rope {

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

}  // namespace rope
