#include "rope/diagnose/evidence/fit_axes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "rope/spec/spec.hpp"

namespace rope {
namespace {

// How far off each pair is on each axis; infinite where it cannot follow it.
using Misfits = std::vector<std::vector<double>>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Misfits misfits_on_axes(const Samples& samples, const Hypothesis& hypothesis) {
    const std::size_t axes = samples.positions.size();
    Misfits misfits(samples.pairs, std::vector<double>(axes));
    for (std::uint32_t a = 0; a < axes; ++a) {
        Hypothesis on_axis = hypothesis;
        on_axis.axis.assign(samples.pairs, a);
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const double misfit = pair_misfit(samples, on_axis, i, 1);
            misfits[i][a] = misfit <= 1 ? misfit : infinity;
        }
    }
    return misfits;
}

struct Runs {
    double misfit = 0;  // of all pairs
    std::vector<std::uint32_t> lengths;
};

bool fits_better(const Runs& a, const Runs& b) { return a.misfit < b.misfit; }

// Pairs first, first + step, … follow the axes one after the other: the runs of least misfit.
Runs best_runs(const Misfits& misfits, std::size_t first, std::size_t step,
               const std::vector<std::uint32_t>& axes) {
    std::vector<Runs> upto(axes.size(), {0, std::vector<std::uint32_t>(axes.size())});
    for (std::size_t i = first; i < misfits.size(); i += step)
        for (std::size_t a = axes.size(); a-- > 0;) {
            const auto end = upto.begin() + static_cast<std::ptrdiff_t>(a) + 1;
            Runs best = *std::min_element(upto.begin(), end, fits_better);
            best.misfit += misfits[i][axes[a]];
            ++best.lengths[a];
            upto[a] = std::move(best);
        }
    return *std::min_element(upto.begin(), upto.end(), fits_better);
}

}  // namespace

Samples text_samples(const Samples& samples) {
    Samples text = samples;
    text.positions.assign(1, {});
    text.angle.clear();
    text.modulus.clear();
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double m = samples.positions[0][row];
        if (std::any_of(samples.positions.begin(), samples.positions.end(),
                        [&](const auto& on_axis) { return on_axis[row] != m; }))
            continue;
        text.positions[0].push_back(m);
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            text.angle.push_back(samples.angle[row * samples.pairs + i]);
            text.modulus.push_back(samples.modulus[row * samples.pairs + i]);
        }
    }
    return text;
}

std::optional<AxisMap> fit_axes(const Samples& samples, const Hypothesis& hypothesis) {
    const std::size_t axes = samples.positions.size();
    if (axes < 3) return std::nullopt;
    const Misfits misfits = misfits_on_axes(samples, hypothesis);
    // time, height, width; a fourth axis of positions has no pairs
    Runs sectioned = best_runs(misfits, 0, 1, {0, 1, 2});
    sectioned.lengths.resize(axes);
    if (sectioned.misfit < infinity) return AxisMap{AxisScheme::sectioned, sectioned.lengths};
    // j mod 3 = 1 follows height and 2 width while j < 3·section, and time after that
    const Runs time = best_runs(misfits, 0, 3, {0});
    const Runs height = best_runs(misfits, 1, 3, {1, 0}), width = best_runs(misfits, 2, 3, {2, 0});
    if (axes > 3 || !(time.misfit + height.misfit + width.misfit < infinity)) return std::nullopt;
    const std::uint32_t h = height.lengths[0], w = width.lengths[0];
    return AxisMap{AxisScheme::interleaved, {samples.pairs - h - w, h, w}};
}

}  // namespace rope
