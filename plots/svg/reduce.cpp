#include "plots/svg/reduce.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace rope::plots {
namespace {

struct Bin {
    double column;
    double sum_x;
    double sum_y;
    double low;
    double high;
    std::size_t first, last;
};

void close(std::optional<Bin>& bin, Run& run) {
    if (!bin) return;
    const auto points = static_cast<double>(bin->last - bin->first + 1);
    const double mean = std::clamp(bin->sum_y / points, bin->low, bin->high);
    run.push_back({bin->sum_x / points, bin->low, mean, bin->high, bin->first, bin->last});
    bin.reset();
}

}  // namespace

std::vector<Run> reduce_to_columns(std::span<const double> x, std::span<const double> y,
                                   double width) {
    assert(x.size() == y.size());
    std::vector<Run> runs(1);
    std::optional<Bin> bin;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!(x[i] >= 0 && x[i] <= width)) continue;
        if (!std::isfinite(y[i])) {
            close(bin, runs.back());
            if (!runs.back().empty()) runs.emplace_back();
            continue;
        }
        if (bin && bin->column != std::floor(x[i])) close(bin, runs.back());
        if (!bin) bin = Bin{std::floor(x[i]), 0, 0, y[i], y[i], i, i};
        bin->sum_x += x[i];
        bin->sum_y += y[i];
        bin->low = std::min(bin->low, y[i]);
        bin->high = std::max(bin->high, y[i]);
        bin->last = i;
    }
    close(bin, runs.back());
    if (runs.back().empty()) runs.pop_back();
    return runs;
}

}  // namespace rope::plots
