#include "rope/ledger/quantity/tensor_shape.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace rope::ledger {
namespace {

std::uint64_t product(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>{});
}

}  // namespace

double numbers_in(const Shape& shape) { return static_cast<double>(product(shape)); }

bool can_view(const Shape& shape, const Shape& target) {
    Shape known = target;
    const bool has_open = std::erase(known, 0) > 0;
    return has_open ? product(shape) % product(known) == 0 : product(shape) == product(known);
}

Shape cut(Shape shape, std::size_t axis, std::uint64_t length) {
    shape[axis] = std::min(shape[axis], length);
    return shape;
}

std::optional<Shape> broadcast(const Shape& x, const Shape& y) {
    Shape wide = x.size() < y.size() ? y : x;
    const Shape& narrow = x.size() < y.size() ? x : y;
    const std::size_t offset = wide.size() - narrow.size();
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        std::uint64_t& own = wide[offset + i];
        if (own != narrow[i] && own != 1 && narrow[i] != 1) return std::nullopt;
        own = std::max(own, narrow[i]);
    }
    return wide;
}

std::optional<Shape> matrix_product(const Shape& x, const Shape& y) {
    if (x[1] != y[0]) return std::nullopt;
    return Shape{x[0], y[1]};
}

}  // namespace rope::ledger
