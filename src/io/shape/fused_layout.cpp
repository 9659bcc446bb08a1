// Cosines and sines in one array: which of the layouts it has.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/shape/dump_hints.hpp"
#include "io/shape/position_ids.hpp"
#include "io/shape/table_layout.hpp"
#include "io/tensor/readers/array.hpp"
#include "rope/number/element.hpp"

namespace rope::io {
namespace {

// One array of cosines and sines, read in one layout, which may be the wrong one.

class FusedReading {
  public:
    // Of 2·pairs numbers a row, 4·pairs where they are matrices.
    FusedReading(CacheLayout layout, const NamedArray& both, std::uint32_t pairs);

    const StridedRows& cos() const { return cos_; }
    const StridedRows& sin() const { return sin_; }
    std::uint64_t rows() const { return rows_; }

    // The share of (row, pair) whose cos² + sin² is that of most.
    double steadiness() const;
    // Of those, the share whose cosine and sine are nearly the same number, as in a table of
    // cosines alone; a rotation has few such pairs. 0 where there are hardly any.
    double likeness() const;
    // cos = a, sin = 0 in every pair of a row.
    bool is_identity(std::uint64_t row) const;
    // The mean of a² sin θ(n − m) over the pairs: positive for each that is slower than half a
    // turn.
    double turn(std::uint64_t m, std::uint64_t n) const;

  private:
    // (row, pair) of some, of all where they are few.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sampled() const;
    double norm(std::uint64_t row, std::uint64_t pair) const;  // cos² + sin²
    double median_norm() const;                                // of the finite ones; else 0

    std::uint64_t rows_, pairs_;
    StridedRows cos_, sin_;
};

constexpr std::uint64_t most_looked_at = 64;  // rows, and pairs of a row

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

// cos and sin in one array.

using enum CacheLayout;

// The two rows whose positions are nearest without being the same, the lower one first.
std::optional<std::pair<std::uint64_t, std::uint64_t>> neighbours(
    const std::vector<double>& positions) {
    std::vector<std::uint64_t> order(positions.size());
    for (std::uint64_t row = 0; row < order.size(); ++row) order[row] = row;
    std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
        return std::pair(positions[a], a) < std::pair(positions[b], b);
    });
    std::optional<std::pair<std::uint64_t, std::uint64_t>> best;
    double least = 2 * static_cast<double>(max_context);
    for (std::size_t k = 1; k < order.size(); ++k) {
        const double gap = positions[order[k]] - positions[order[k - 1]];
        if (gap == 0 || gap >= least) continue;
        least = gap;
        best = {order[k - 1], order[k]};
    }
    return best;
}

struct FoundOrder {
    CacheLayout layout;
    std::string_view from;
};

std::optional<CacheLayout> order_at_zero(const FusedReading& cos_first,
                                         const FusedReading& sin_first,
                                         const std::vector<double>& positions) {
    const std::size_t most = std::min<std::size_t>(positions.size(), cos_first.rows());
    const auto at =
        std::find(positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(most), 0.0);
    const auto row = static_cast<std::size_t>(at - positions.begin());
    if (row == most) return std::nullopt;
    if (cos_first.is_identity(row)) return cos_sin;
    if (sin_first.is_identity(row)) return sin_cos;
    return std::nullopt;
}

std::optional<CacheLayout> order_of_name(const std::string& name) {
    const std::string own = name.substr(name.find_last_of(":/") + 1);
    const auto names = [&](std::string_view word) { return own.find(word) != own.npos; };
    if (names("sincos") || names("sin_cos")) return sin_cos;
    if (names("cossin") || names("cos_sin")) return cos_sin;
    return std::nullopt;
}

// cos ‖ sin or sin ‖ cos, which have the same norm: inferred from position 0, the name, or the
// direction of rotation. Who reads a cos_sin_cache takes its cosines first, as vLLM does.
std::optional<FoundOrder> find_order(const FusedReading& cos_first, const FusedReading& sin_first,
                                     const std::string& name,
                                     const std::vector<double>& positions) {
    const auto by_zero = order_at_zero(cos_first, sin_first, positions);
    const auto by_name = order_of_name(name);
    if (by_zero == sin_cos && by_name == cos_sin)
        return FoundOrder{cos_sin, "its name, though row 0 is sin-cos"};
    if (by_zero) return FoundOrder{*by_zero, "cos² + sin² and row 0"};
    if (by_name) return FoundOrder{*by_name, "cos² + sin² and its name"};
    if (const auto rows = neighbours(positions)) {
        const double turn = cos_first.turn(rows->first, rows->second);
        if (std::abs(turn) > 0x1p-6)
            return FoundOrder{turn > 0 ? cos_sin : sin_cos,
                              "cos² + sin² and the direction of rotation"};
    }
    return std::nullopt;
}

// Slow pairs' cosines are all about 1, and so are their squares' sums.
void refuse_one_function(const NamedArray& both, const FusedReading& reading) {
    if (reading.likeness() > 0.5)
        throw InputError(both.name +
                         ": holds only cosines; give the sines, too, with --cos and --sin (or "
                         "--cache-layout, where it holds both)");
}

FoundOrder find_row_layout(const NamedArray& both, std::uint32_t pairs,
                           const std::vector<double>& positions) {
    const FusedReading cos_first(cos_sin, both, pairs), sin_first(sin_cos, both, pairs),
        alternating(ggml, both, pairs);
    const double apart = cos_first.steadiness(), together = alternating.steadiness();
    refuse_one_function(both, together > apart ? alternating : cos_first);
    constexpr std::string_view alternate = "cos² + sin²";
    if (together > apart + 0x1p-4 && together >= 0.5) return {ggml, alternate};
    const bool is_apart = apart > together + 0x1p-4 && apart >= 0.5;
    const auto order = find_order(cos_first, sin_first, both.name, positions);
    if (is_apart && order) return *order;
    if (!is_apart && alternating.is_identity(0) && !cos_first.is_identity(0) &&
        !sin_first.is_identity(0))
        return {ggml, alternate};
    if (pairs == 1 && order) return *order;  // c, s in a row whichever way one says it
    throw InputError(both.name + ": shape " + shape_text(both.array.shape) +
                     " does not determine where its cosines and sines are; pass --cache-layout " +
                     (is_apart ? "cos-sin or sin-cos" : "cos-sin, sin-cos, ggml or angles"));
}

std::uint32_t pairs_of(const NamedArray& both, std::size_t axes, const DumpHints& asked) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    const bool has_rows = shape.size() >= std::max<std::size_t>(2, axes);
    const std::uint64_t columns = !has_rows   ? 0
                                  : axes == 1 ? shape.back()
                                              : 2 * shape[shape.size() - axes];
    const bool fits = asked.spec ? columns == asked.spec->rotary_dim
                                 : columns % 2 == 0 && columns <= max_head_dim;
    if (has_rows && fits) return static_cast<std::uint32_t>(columns / 2);
    throw InputError(both.name + ": shape " + shape_text(shape) +
                     (asked.spec ? " does not end in " + decimal(asked.spec->rotary_dim) +
                                       " columns or in [" + decimal(asked.spec->pairs()) +
                                       ", 2] after the rows; rotary_dim is " +
                                       decimal(asked.spec->rotary_dim)
                                 : " is not rows of an even number of columns"));
}

void require_pairs(const NamedArray& both, std::size_t axes) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    if (axes == 2 && (shape.size() < 2 || shape.back() != 2))
        throw InputError(both.name + ": shape " + shape_text(shape) +
                         " does not end in 2, a cosine and a sine");
    if (axes == 3 && (shape.size() < 3 || shape.back() != 2 || shape[shape.size() - 2] != 2))
        throw InputError(both.name + ": shape " + shape_text(shape) +
                         " does not end in [2, 2], rotations by ((cos, −sin), (sin, cos))");
}

// ((c, −s), (s, c)), bit for bit.
void require_rotations(const NamedArray& both) {
    for (std::uint64_t first = 0; first + 4 <= both.array.size(); first += 4) {
        const auto at = [&](std::uint64_t k) { return both.array.at(first + k); };
        const bool is_nan = std::isnan(at(0)) || std::isnan(at(2));
        if (is_nan || (at(3) == at(0) && at(1) == -at(2))) continue;
        throw InputError(both.name + ": matrix " + decimal(first / 4) + " is ((" + decimal(at(0)) +
                         ", " + decimal(at(1)) + "), (" + decimal(at(2)) + ", " + decimal(at(3)) +
                         ")), which is not ((cos, −sin), (sin, cos))");
    }
}

}  // namespace

std::size_t axes_of_row(const NamedArray& both, const DumpHints& asked) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    if (asked.layout)
        return *asked.layout == matrices                              ? 3
               : *asked.layout == stacked || *asked.layout == complex ? 2
                                                                      : 1;
    const auto ends_in_pairs = [&](std::size_t axes) {
        return shape.size() > axes &&
               std::all_of(shape.end() - static_cast<std::ptrdiff_t>(axes) + 1, shape.end(),
                           [](auto n) { return n == 2; }) &&
               (!asked.spec || shape[shape.size() - axes] == asked.spec->pairs());
    };
    return ends_in_pairs(3) ? 3 : ends_in_pairs(2) ? 2 : 1;
}

bool has_steady_norm(const NamedArray& both) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    if (shape.empty() || both.array.size() == 0 || shape.back() % 2 != 0 ||
        shape.back() > max_head_dim)
        return false;
    const auto pairs = static_cast<std::uint32_t>(shape.back() / 2);
    return FusedReading(cos_sin, both, pairs).steadiness() >= 0.5 ||
           FusedReading(ggml, both, pairs).steadiness() >= 0.5;
}

CosSin fused_layout(const NamedArray& both, const std::vector<double>& positions,
                    const DumpHints& asked) {
    require_alike(both, both);
    const std::size_t axes = axes_of_row(both, asked);
    require_pairs(both, axes);
    const std::uint32_t pairs = pairs_of(both, axes, asked);
    const auto [layout, from] = asked.layout ? FoundOrder{*asked.layout, "--cache-layout"}
                                : axes == 3  ? FoundOrder{matrices, "last axes of 2 and 2"}
                                : axes == 2  ? FoundOrder{stacked, "a last axis of 2"}
                                             : find_row_layout(both, pairs, positions);
    if (layout == matrices) require_rotations(both);
    if (layout == half || layout == duplicated || layout == repeated)
        throw InputError("cache layout " + std::string(to_string(layout)) + " needs two arrays; " +
                         both.name + " is one");
    const FusedReading reading(layout, both, pairs);
    CosSin found{reading.cos(), reading.sin(),    pairs, both.array.shape, *both.array.format(),
                 layout,        std::string(from)};
    found.rows.resize(found.rows.size() - axes);
    return found;
}

}  // namespace rope::io
