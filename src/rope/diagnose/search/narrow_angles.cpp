#include "rope/diagnose/search/narrow_angles.hpp"

#include <cmath>

namespace rope {
namespace {

constexpr double most_radians = 256;  // at which bfloat16 angles are within a radian

}  // namespace

bool follow_most_lines(const Frequencies& one, const std::vector<PhaseLine>& lines,
                       const Samples& samples) {
    const double last = std::abs(samples.positions[0].back());
    std::size_t slow = 0, told = 0, on = 0;
    for (std::size_t i = 0; i < lines.size() && lines.size() == one.theta.size(); ++i) {
        if (!lines[i].is_known() || std::abs(lines[i].theta) * last > most_radians) continue;
        ++slow;
        if (4 * lines[i].rows < samples.rows()) continue;
        ++told;
        on += one.is_on(lines[i], i) ? 1 : 0;
    }
    return slow > 0 && 2 * told >= slow && 4 * on >= 3 * told;
}

}  // namespace rope
