// cos and sin in one array.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "io/dump_positions.hpp"
#include "io/table_layout.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

using enum CacheLayout;

constexpr std::uint64_t most_sampled = 64;  // rows, and pairs of a row

struct Cell {
    double cos, sin;
    double norm() const { return cos * cos + sin * sin; }
};

// A reading of the array that may be wrong.
class Reading {
  public:
    Reading(CacheLayout layout, const NamedArray& both, std::uint32_t pairs)
        : layout_(layout), rows_(both.array.size() / (2 * pairs)), pairs_(pairs) {
        const bool alternates = layout == stacked || layout == complex || layout == ggml;
        const std::uint64_t step = alternates ? 2 : 1, other = alternates ? 1 : pairs;
        const bool sin_first = layout == sin_cos;
        const Array& array = both.array;
        const auto view = [&](std::uint64_t first) {
            return StridedRows(array.element, array.bytes, first, 2 * std::uint64_t{pairs}, step,
                               array.owner);
        };
        cos_ = view(sin_first ? other : 0);
        sin_ = view(sin_first ? 0 : other);
    }

    CacheLayout layout() const { return layout_; }
    const StridedRows& cos() const { return cos_; }
    const StridedRows& sin() const { return sin_; }
    std::uint64_t rows() const { return rows_; }
    Cell at(std::uint64_t row, std::uint64_t pair) const {
        return {cos_.at(row, pair), sin_.at(row, pair)};
    }

    std::vector<Cell> sample() const {
        const std::uint64_t row_step = 1 + (rows_ - 1) / most_sampled;
        const std::uint64_t pair_step = 1 + (pairs_ - 1) / most_sampled;
        std::vector<Cell> cells;
        for (std::uint64_t row = 0; row < rows_; row += row_step)
            for (std::uint64_t pair = 0; pair < pairs_; pair += pair_step)
                cells.push_back(at(row, pair));
        return cells;
    }

    // cos = a, sin = 0 in every pair of a row
    bool is_identity(std::uint64_t row) const {
        const double a = cos_.at(row, 0);
        for (std::uint64_t pair = 0; pair < pairs_; ++pair)
            if (!(a > 0) || cos_.at(row, pair) != a || sin_.at(row, pair) != 0) return false;
        return true;
    }

    // Σ a² sin θ(n − m) over the pairs: positive for every pair slower than half a turn.
    double turn(std::uint64_t m, std::uint64_t n) const {
        double sum = 0;
        for (std::uint64_t pair = 0; pair < pairs_; ++pair) {
            const Cell at_m = at(m, pair), at_n = at(n, pair);
            sum += at_m.cos * at_n.sin - at_m.sin * at_n.cos;
        }
        return sum / static_cast<double>(pairs_);
    }

  private:
    CacheLayout layout_;
    std::uint64_t rows_, pairs_;
    StridedRows cos_, sin_;
};

// The share of cells whose cos² + sin² is that of most; bfloat16 moves it by 2⁻⁷.
double steadiness(const Reading& reading) {
    std::vector<double> norms;
    for (const Cell& cell : reading.sample()) norms.push_back(cell.norm());
    const std::size_t cells = norms.size();
    std::erase_if(norms, [](double norm) { return !std::isfinite(norm); });
    if (norms.empty()) return 0;
    const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
    std::nth_element(norms.begin(), middle, norms.end());
    const double median = *middle;
    const auto steady = std::count_if(norms.begin(), norms.end(), [median](double norm) {
        return median > 0 && std::abs(norm - median) <= 0x1p-5 * median;
    });
    return static_cast<double>(steady) / static_cast<double>(cells);
}

// The two rows whose positions are nearest without being the same, the lower one first.
std::optional<std::pair<std::uint64_t, std::uint64_t>> neighbours(
    const std::vector<std::uint64_t>& positions) {
    std::vector<std::uint64_t> order(positions.size());
    for (std::uint64_t row = 0; row < order.size(); ++row) order[row] = row;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return positions[a] < positions[b]; });
    std::optional<std::pair<std::uint64_t, std::uint64_t>> best;
    std::uint64_t least = max_context;
    for (std::size_t k = 1; k < order.size(); ++k) {
        const std::uint64_t gap = positions[order[k]] - positions[order[k - 1]];
        if (gap == 0 || gap >= least) continue;
        least = gap;
        best = {order[k - 1], order[k]};
    }
    return best;
}

// cos ‖ sin or sin ‖ cos, which have one norm: told by position 0, by the name, by the way it
// turns.
std::optional<CacheLayout> find_order(const Reading& cos_first, const Reading& sin_first,
                                      const std::string& name,
                                      const std::vector<std::uint64_t>& positions) {
    const std::size_t most = std::min<std::size_t>(positions.size(), cos_first.rows());
    for (std::size_t row = 0; row < most; ++row)
        if (positions[row] == 0) {
            if (cos_first.is_identity(row)) return cos_sin;
            if (sin_first.is_identity(row)) return sin_cos;
            break;
        }
    const std::string own = name.substr(name.find_last_of(":/") + 1);
    const auto names = [&](std::string_view word) { return own.find(word) != own.npos; };
    if (names("sincos") || names("sin_cos")) return sin_cos;
    if (names("cossin") || names("cos_sin")) return cos_sin;
    if (const auto rows = neighbours(positions)) {
        const double turn = cos_first.turn(rows->first, rows->second);
        if (turn > 0x1p-6) return cos_sin;
        if (turn < -0x1p-6) return sin_cos;
    }
    return std::nullopt;
}

CacheLayout find_row_layout(const NamedArray& both, std::uint32_t pairs,
                            const std::vector<std::uint64_t>& positions) {
    const Reading cos_first(cos_sin, both, pairs), sin_first(sin_cos, both, pairs),
        alternating(ggml, both, pairs);
    const double apart = steadiness(cos_first), together = steadiness(alternating);
    if (together > apart + 0x1p-4 && together >= 0.5) return ggml;
    const bool is_apart = apart > together + 0x1p-4 && apart >= 0.5;
    const auto order = find_order(cos_first, sin_first, both.name, positions);
    if (is_apart && order) return *order;
    if (!is_apart && alternating.is_identity(0) && !cos_first.is_identity(0) &&
        !sin_first.is_identity(0))
        return ggml;
    if (pairs == 1 && order) return *order;  // c, s in a row whichever way one says it
    throw InputError(both.name + ": shape " + shape_text(both.array.shape) +
                     " leaves open where its cosines and sines are; say so with --cache-layout " +
                     (is_apart ? "cos-sin or sin-cos" : "cos-sin, sin-cos, ggml or angles"));
}

std::uint32_t pairs_of(const NamedArray& both, bool is_stacked, const Asked& asked) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    const std::uint64_t columns = is_stacked ? 2 * shape[shape.size() - 2] : shape.back();
    const bool fits = asked.spec ? columns == asked.spec->rotary_dim
                                 : columns % 2 == 0 && columns <= max_head_dim;
    if (shape.size() >= 2 && fits) return static_cast<std::uint32_t>(columns / 2);
    throw InputError(both.name + ": shape " + shape_text(shape) +
                     (asked.spec
                          ? " does not end in " + decimal(std::uint64_t{asked.spec->rotary_dim}) +
                                " columns or in [" + decimal(std::uint64_t{asked.spec->pairs()}) +
                                ", 2] after the rows; rotary_dim is " +
                                decimal(std::uint64_t{asked.spec->rotary_dim})
                          : " is not rows of an even number of columns"));
}

}  // namespace

bool is_stacked(const NamedArray& both, const Asked& asked) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    if (asked.layout) return *asked.layout == stacked || *asked.layout == complex;
    return shape.size() >= 3 && shape.back() == 2 &&
           (!asked.spec || shape[shape.size() - 2] == asked.spec->pairs());
}

bool has_steady_norm(const NamedArray& both) {
    const std::vector<std::uint64_t>& shape = both.array.shape;
    if (both.array.size() == 0 || shape.back() % 2 != 0 || shape.back() > max_head_dim)
        return false;
    const auto pairs = static_cast<std::uint32_t>(shape.back() / 2);
    return steadiness(Reading(cos_sin, both, pairs)) >= 0.5 ||
           steadiness(Reading(ggml, both, pairs)) >= 0.5;
}

CosSin fused_layout(const NamedArray& both, const std::vector<std::uint64_t>& positions,
                    const Asked& asked) {
    require_alike(both, both);
    const bool on_last_axis = is_stacked(both, asked);
    if (on_last_axis && (both.array.shape.size() < 2 || both.array.shape.back() != 2))
        throw InputError(both.name + ": shape " + shape_text(both.array.shape) +
                         " does not end in 2, a cosine and a sine");
    const std::uint32_t pairs = pairs_of(both, on_last_axis, asked);
    const CacheLayout layout = asked.layout   ? *asked.layout
                               : on_last_axis ? stacked
                                              : find_row_layout(both, pairs, positions);
    if (layout == half || layout == duplicated || layout == repeated)
        throw InputError("cache layout " + std::string(to_string(layout)) + " is of two arrays; " +
                         both.name + " is one");
    const Reading reading(layout, both, pairs);
    CosSin found{reading.cos(), reading.sin(), pairs, both.array.shape, *both.array.format()};
    found.rows.resize(found.rows.size() - (on_last_axis ? 2 : 1));
    return found;
}

}  // namespace rope::io
