// What torch does with the shapes of a listing: products, views, slices and broadcasting.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace rope::ledger {

using Shape = std::vector<std::uint64_t>;

double numbers_in(const Shape& shape);

// x.view(target); an entry 0 of the target takes what is left, as −1 does in torch.
bool can_view(const Shape& shape, const Shape& target);

// x[:length] along an axis: never more than there are.
Shape cut(Shape shape, std::size_t axis, std::uint64_t length);

// The shape of x·y entry by entry; the last axes are aligned. Empty: torch raises an error.
std::optional<Shape> broadcast(const Shape& x, const Shape& y);

// The shape of the matrix product; empty where there is none.
std::optional<Shape> matrix_product(const Shape& x, const Shape& y);

}  // namespace rope::ledger
