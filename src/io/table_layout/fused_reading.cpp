#include "io/table_layout/fused_reading.hpp"

#include <algorithm>
#include <cmath>

namespace rope::io {
namespace {

constexpr std::uint64_t most_looked_at = 64;  // rows, and pairs of a row

}  // namespace

FusedReading::FusedReading(CacheLayout layout, const NamedArray& both, std::uint32_t pairs)
    : pairs_(pairs) {
    using enum CacheLayout;
    const bool alternates = layout == stacked || layout == complex || layout == ggml;
    const std::uint64_t step = layout == matrices ? 4 : alternates ? 2 : 1;
    const std::uint64_t width = (layout == matrices ? 4 : 2) * std::uint64_t{pairs};
    const std::uint64_t other = layout == matrices ? 2 : alternates ? 1 : pairs;
    const bool sin_first = layout == sin_cos;
    const Array& array = both.array;
    rows_ = array.size() / width;
    const auto view = [&](std::uint64_t first) {
        return StridedRows(array.element, array.bytes, first, width, step, array.owner);
    };
    cos_ = view(sin_first ? other : 0);
    sin_ = view(sin_first ? 0 : other);
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> FusedReading::sampled() const {
    const std::uint64_t row_step = 1 + (rows_ - 1) / most_looked_at;
    const std::uint64_t pair_step = 1 + (pairs_ - 1) / most_looked_at;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> cells;
    for (std::uint64_t row = 0; row < rows_; row += row_step)
        for (std::uint64_t pair = 0; pair < pairs_; pair += pair_step)
            cells.emplace_back(row, pair);
    return cells;
}

double FusedReading::norm(std::uint64_t row, std::uint64_t pair) const {
    const double c = cos_.at(row, pair), s = sin_.at(row, pair);
    return c * c + s * s;
}

double FusedReading::median_norm() const {
    std::vector<double> norms;
    for (const auto& [row, pair] : sampled())
        if (const double one = norm(row, pair); std::isfinite(one)) norms.push_back(one);
    if (norms.empty()) return 0;
    const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
    std::nth_element(norms.begin(), middle, norms.end());
    return *middle;
}

// bfloat16 moves a norm by 2⁻⁷
double FusedReading::steadiness() const {
    const auto cells = sampled();
    const double median = median_norm();
    const auto steady = std::ranges::count_if(cells, [&](const auto& cell) {
        return median > 0 && std::abs(norm(cell.first, cell.second) - median) <= 0x1p-5 * median;
    });
    return cells.empty() ? 0 : static_cast<double>(steady) / static_cast<double>(cells.size());
}

double FusedReading::likeness() const {
    constexpr int fewest = 8;
    const double median = median_norm();
    int steady = 0, alike = 0;
    for (const auto& [row, pair] : sampled()) {
        if (!(median > 0) || !(std::abs(norm(row, pair) - median) <= 0x1p-5 * median)) continue;
        ++steady;
        if (std::abs(cos_.at(row, pair) - sin_.at(row, pair)) <= 0x1p-4 * std::sqrt(median))
            ++alike;
    }
    return steady < fewest ? 0 : static_cast<double>(alike) / steady;
}

bool FusedReading::is_identity(std::uint64_t row) const {
    const double a = cos_.at(row, 0);
    for (std::uint64_t pair = 0; pair < pairs_; ++pair)
        if (!(a > 0) || cos_.at(row, pair) != a || sin_.at(row, pair) != 0) return false;
    return true;
}

double FusedReading::turn(std::uint64_t m, std::uint64_t n) const {
    double sum = 0;
    for (std::uint64_t pair = 0; pair < pairs_; ++pair)
        sum += cos_.at(m, pair) * sin_.at(n, pair) - sin_.at(m, pair) * cos_.at(n, pair);
    return sum / static_cast<double>(pairs_);
}

}  // namespace rope::io
