#include "rope/diagnose/evidence/phase_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rope/diagnose/evidence/float_frequency.hpp"
#include "rope/diagnose/evidence/phase_line.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {

std::vector<PhaseLine> nearest_to(const std::vector<double>& theta, std::vector<PhaseLine> lines) {
    for (std::size_t i = 0; i < std::min(lines.size(), theta.size()); ++i) {
        PhaseLine& line = lines[i];
        if (line.modulo == 0 || !line.is_known()) continue;
        const double turns = std::round((theta[i] - line.theta) / line.modulo);
        if (!std::isfinite(turns)) continue;
        line.theta += turns * line.modulo;
        line.offset -= turns * line.modulo * line.first;
    }
    return lines;
}

std::vector<PhaseLine> through_zero(const std::vector<PhaseLine>& lines) {
    std::vector<PhaseLine> exact = lines;
    for (PhaseLine& line : exact) {
        if (!line.is_known() || line.theta == 0) continue;
        // offset = −(error of θ)·middle, up to whole turns
        const double off = std::remainder(line.offset, full_turn) / line.middle;
        if (!(line.middle * line.error < 0.5) || !(std::abs(off) < 6 * line.error)) return {};
        line.theta += off;
        line.offset = 0;
        line.error = std::max(line.angle_error / line.middle, 0x1p-24 * std::abs(line.theta));
    }
    return exact;
}

namespace {

// One pair in a list, or two of many, may turn faster than a line can tell.
void add_fast_entries(const Samples& samples, Orientation turn, std::vector<PhaseLine>& lines) {
    const auto is_whole = [&](const PhaseLine& line) { return line.rows == samples.rows(); };
    const auto whole = static_cast<std::size_t>(std::ranges::count_if(lines, is_whole));
    const std::size_t odd = lines.size() - whole, most = lines.size() >= 32 ? 2 : 1;
    if (lines.size() < 4 || odd == 0 || odd > most) return;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        if (is_whole(lines[i])) continue;
        const auto theta = float_frequency(samples, turn, i);
        if (!theta) continue;
        const double last = std::max(1.0, std::abs(samples.positions[0].back()));
        lines[i] = {.theta = *theta,
                    .error = std::max(samples.storage / last, 0x1p-26 * *theta),
                    .middle = last / 2,
                    .angle_error = samples.storage,
                    .rows = samples.rows()};
    }
}

// The greatest whole number of which all distances of positions are multiples; 1 of fractions.
double stride_of(const std::vector<double>& positions) {
    std::uint64_t common = 0;
    for (const double position : positions) {
        const double distance = std::abs(position - positions[0]);
        if (distance != std::floor(distance)) return 1;
        common = std::gcd(common, static_cast<std::uint64_t>(distance));
    }
    return std::max(1.0, static_cast<double>(common));
}

}  // namespace

std::vector<PhaseLine> fit_phase_lines(const Samples& samples, Orientation turn,
                                       const AnglePrecision& precision) {
    std::vector<PhaseLine> lines;
    if (samples.positions.size() > 1 || samples.rows() < 2) return lines;
    const double stride = stride_of(samples.positions[0]);
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        lines.push_back(fit_phase_line(samples, turn, precision, i));
        lines.back().first = samples.positions[0][0];
        if (stride > 1) lines.back().modulo = full_turn / stride;
        if (!samples.inv_freq.empty()) lines.back().number = samples.inv_freq[i];
    }
    add_fast_entries(samples, turn, lines);
    const bool any = std::any_of(lines.begin(), lines.end(),
                                 [](const PhaseLine& line) { return line.is_known(); });
    return any ? lines : std::vector<PhaseLine>{};
}

}  // namespace rope
