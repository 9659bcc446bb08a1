#include "io/shape/arranged.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "io/shape/position_ids.hpp"

namespace rope::io {
namespace {

using Shape = std::vector<std::uint64_t>;

Shape more_than_one(Shape shape) {
    std::erase(shape, std::uint64_t{1});
    return shape;
}

// Of rows of `width`: [L, H·d] as [L, H, d].
std::optional<Shape> rows_of_width(Shape shape, std::uint64_t width) {
    if (shape.empty() || width == 0 || shape.back() % width != 0) return std::nullopt;
    shape.back() /= width;
    return more_than_one(std::move(shape));
}

// Which axis of `from` axis k of `to` is, and how many of `to` share one of it.
struct Order {
    std::vector<std::size_t> axis;
    std::vector<std::uint64_t> repeats;
    std::uint64_t most_repeats = 1;
};

std::optional<Order> order_of(const Shape& to, const Shape& from, std::vector<std::size_t> axis) {
    Order order{std::move(axis), {}};
    std::size_t repeated = 0;
    for (std::size_t k = 0; k < to.size(); ++k) {
        const std::uint64_t length = from[order.axis[k]];
        if (to[k] % length != 0) return std::nullopt;
        order.repeats.push_back(to[k] / length);
        order.most_repeats = std::max(order.most_repeats, order.repeats.back());
        repeated += order.repeats.back() > 1 ? 1 : 0;
    }
    return repeated > 1 ? std::nullopt : std::optional(std::move(order));
}

// The only order without repeats, else the only one with them; of one order of axes that stay, it.
std::optional<Order> only_order(const Shape& to, Shape from) {
    if (to.size() == from.size() + 1) from.insert(from.begin(), 1);  // of one head
    if (to.size() != from.size() || to.size() > 4) return std::nullopt;
    std::vector<std::size_t> axis(to.size());
    std::iota(axis.begin(), axis.end(), std::size_t{0});
    if (auto same = order_of(to, from, axis); same && same->most_repeats == 1) return same;
    std::vector<Order> exact, repeated;
    do {
        auto order = order_of(to, from, axis);
        if (!order) continue;
        (order->most_repeats == 1 ? exact : repeated).push_back(*std::move(order));
    } while (std::ranges::next_permutation(axis).found);
    const std::vector<Order>& all = exact.empty() ? repeated : exact;
    if (all.size() == 1) return all.front();
    // heads that are repeated lie where they did
    const auto stays = [](const Order& one) { return std::ranges::is_sorted(one.axis); };
    if (std::ranges::count_if(all, stays) == 1 && exact.empty())
        return *std::ranges::find_if(all, stays);
    return std::nullopt;
}

NamedArray gathered(const NamedArray& before, const Shape& from, const Shape& to,
                    const Order& order, std::uint64_t width) {
    const std::size_t bytes = width * bytes_of(before.array.element);
    const std::uint64_t rows =
        std::accumulate(to.begin(), to.end(), std::uint64_t{1}, std::multiplies<>());
    const auto own = std::make_shared<std::vector<std::byte>>(rows * bytes);
    Shape stride(from.size(), 1);
    for (std::size_t k = from.size(); k-- > 1;) stride[k - 1] = stride[k] * from[k];
    for (std::uint64_t row = 0; row < rows; ++row) {
        std::uint64_t rest = row, source = 0;
        for (std::size_t k = to.size(); k-- > 0; rest /= to[k])
            source += rest % to[k] / order.repeats[k] * stride[order.axis[k]];
        std::memcpy(own->data() + row * bytes, before.array.bytes.data() + source * bytes, bytes);
    }
    return {before.name, {to, before.array.element, *own, own}};
}

}  // namespace

NamedArray arranged_as(const NamedArray& after, const NamedArray& before) {
    const Shape &to_shape = after.array.shape, &from_shape = before.array.shape;
    if (to_shape == from_shape || to_shape.empty() || after.array.size() == 0 ||
        before.array.size() == 0 || !before.array.format() || !after.array.format())
        return before;
    const std::uint64_t width = std::min(to_shape.back(), from_shape.back());
    const auto to = rows_of_width(to_shape, width), from = rows_of_width(from_shape, width);
    if (!to || !from) return before;
    Shape padded = *from;
    if (to->size() == padded.size() + 1) padded.insert(padded.begin(), 1);
    const auto order = only_order(*to, padded);
    if (!order) return before;
    NamedArray arranged = gathered(before, padded, *to, *order, width);
    arranged.array.shape = to_shape;
    return arranged;
}

}  // namespace rope::io
