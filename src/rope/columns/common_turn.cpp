#include "rope/columns/common_turn.hpp"

#include <cmath>
#include <complex>

#include "rope/comparison/sweep.hpp"

namespace rope {

CommonTurn::CommonTurn(const Comparison& comparison, PairRange pairs)
    : re_(pairs.count, 1), im_(pairs.count, 0) {
    if (comparison.subject.rows() == 0) return;
    Sweep(comparison, pairs).run({0, 1}, [&](const Tile& tile) {
        for (std::uint32_t i = 0; i < pairs.count; ++i) {
            const std::complex<double> v =
                std::complex(tile.cos[i], tile.sin[i]) *
                std::complex(tile.effective_cos[i], -tile.effective_sin[i]);
            const double modulus = std::sqrt(std::norm(v));
            const double allowed =
                comparison.effective_allowance(tile.positions[0], pairs.first + i);
            if (!(modulus > 0) || !std::isfinite(modulus)) continue;
            if (std::norm(v / modulus - 1.0) <= allowed * allowed) continue;
            re_[i] = v.real() / modulus;
            im_[i] = v.imag() / modulus;
            is_any_ = true;
        }
    });
}

Tile CommonTurn::turned(Tile tile) {
    if (!is_any_) return tile;
    const std::size_t stride = re_.size(), n = tile.positions.size() * stride;
    cos_.resize(n);
    sin_.resize(n);
    for (std::size_t k = 0; k < n; k += stride)
        for (std::size_t i = 0; i < stride; ++i) {
            const double c = tile.effective_cos[k + i], s = tile.effective_sin[k + i];
            cos_[k + i] = c * re_[i] - s * im_[i];
            sin_[k + i] = c * im_[i] + s * re_[i];
        }
    tile.effective_cos = cos_.data();
    tile.effective_sin = sin_.data();
    return tile;
}

}  // namespace rope
