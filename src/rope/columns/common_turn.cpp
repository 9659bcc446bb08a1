#include "rope/columns/common_turn.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "rope/comparison/sweep.hpp"

namespace rope {

CommonTurn::CommonTurn(const Comparison& comparison, PairRange pairs)
    : re_(pairs.count, 1), im_(pairs.count, 0) {
    const std::uint64_t rows = comparison.subject.rows();
    std::vector<bool> is_known(pairs.count);
    Sweep sweep(comparison, pairs);
    const auto take_all = [&](const Tile& tile) {
        for (std::size_t row = 0; row < tile.positions.size(); ++row)
            for (std::uint32_t i = 0; i < pairs.count; ++i) {
                if (is_known[i] || tile.is_left_out(row * pairs.count + i)) continue;
                take(comparison, tile, row, i);
                is_known[i] = true;
            }
    };
    // one row is enough of nearly all
    for (std::uint64_t begin = 0, end = 1; begin < rows && std::ranges::count(is_known, false) > 0;
         begin = std::exchange(end, end + 32))
        sweep.run({begin, std::min(end, rows)}, take_all);
}

void CommonTurn::take(const Comparison& comparison, const Tile& tile, std::size_t row,
                      std::uint32_t pair) {
    const std::size_t k = row * tile.pairs.count + pair;
    const std::complex<double> v = std::complex(tile.cos[k], tile.sin[k]) *
                                   std::complex(tile.effective_cos[k], -tile.effective_sin[k]);
    const double modulus = std::sqrt(std::norm(v));
    const double allowed =
        comparison.effective_allowance(tile.positions[row], tile.pairs.first + pair);
    if (!(modulus > 0) || !std::isfinite(modulus)) return;
    if (std::norm(v / modulus - 1.0) <= allowed * allowed) return;
    re_[pair] = v.real() / modulus;
    im_[pair] = v.imag() / modulus;
    is_any_ = true;
}

Tile CommonTurn::turned(Tile tile) {
    if (!is_any_) return tile;
    const std::size_t stride = re_.size(), n = tile.positions.size() * stride;
    cos_.resize(n);
    sin_.resize(n);
    for (std::size_t k = 0; k < n; k += stride)
        for (std::size_t i = 0; i < stride; ++i) {
            const double c = tile.effective_cos[k + i], s = tile.effective_sin[k + i];
            if (tile.is_left_out(k + i)) {
                cos_[k + i] = c;
                sin_[k + i] = s;
                continue;
            }
            cos_[k + i] = c * re_[i] - s * im_[i];
            sin_[k + i] = c * im_[i] + s * re_[i];
        }
    tile.effective_cos = cos_.data();
    tile.effective_sin = sin_.data();
    return tile;
}

}  // namespace rope
