// Orders of the axes of vectors, and how well the lengths of axes and the config's heads fit them.
#include <algorithm>
#include <string>
#include <vector>

#include "base/printable.hpp"
#include "io/dump/dump.hpp"
#include "io/dump/vectors.hpp"

namespace rope::io {
namespace {

// Throws InputError unless there is one letter an axis, d once and last, s once, or not at all for
// the heads of one token, b at most once, else h.
void require_order(const Vectors& vectors) {
    const std::string& axes = vectors.axes;
    const auto times = [&](char letter) { return std::ranges::count(axes, letter); };
    const bool is_token = times('h') > 0 && times('s') == 0;
    if (axes.size() != vectors.shape().size() || (times('s') != 1 && !is_token) ||
        times('d') != 1 || !axes.ends_with('d') || times('b') > 1 ||
        times('b') + times('h') + times('s') + 1 != std::ssize(axes))
        refuse_shape(vectors.before, "does not fit the axes '" + printable(axes) +
                                         "'; write one letter per axis: d last, one s (none for "
                                         "one token), b or h for the others");
}

double cost_of_heads(std::uint64_t heads, const std::vector<std::uint64_t>& of_config,
                     bool has_positions) {
    if (of_config.empty()) return heads > most_heads && !has_positions ? 6 : 0;
    if (heads == of_config[0]) return 0;
    if (std::ranges::count(of_config, heads) > 0) return 1;
    if (heads == 1) return 3;
    // a device has a part of the heads
    return std::ranges::any_of(of_config, [&](auto all) { return all % heads == 0; }) ? 2 : 8;
}

}  // namespace

RowAxis row_axis(const Shape& shape, std::optional<std::size_t> axis) {
    if (!axis) return {};
    std::uint64_t stride = 1;
    for (std::size_t inner = *axis + 1; inner + 1 < shape.size(); ++inner) stride *= shape[inner];
    return {shape[*axis], stride};
}

std::optional<std::size_t> axis_of(const std::string& axes, char letter) {
    const std::size_t axis = axes.find(letter);
    return axis == axes.npos ? std::nullopt : std::optional(axis);
}

AxisCounts counts_by(const std::string& axes, const Shape& shape) {
    AxisCounts counts;
    const bool are_layers = axes.size() > 4 && axes.starts_with("hb");
    for (std::size_t axis = are_layers ? 1 : 0; axis + 1 < shape.size(); ++axis)
        (axes[axis] == 's'   ? counts.rows
         : axes[axis] == 'b' ? counts.entries
                             : counts.heads) *= shape[axis];
    return counts;
}

std::vector<std::string> axis_orders(const Vectors& vectors) {
    const Shape& shape = vectors.shape();
    if (!vectors.axes.empty()) {
        require_order(vectors);
        return {vectors.axes};
    }
    std::vector<std::string> all;
    if (shape.size() == 2) {
        all = {"sd", "hd"};
    } else if (shape.size() == 3) {
        all = {"hsd", "shd", "bsd", "sbd", "bhd"};
    } else {  // [kv heads, q heads of each] are two axes
        const std::string own(shape.size() - 3, 'h');
        all = {"b" + own + "sd", "bs" + own + "d", "sb" + own + "d"};
        if (shape.size() == 4) all.push_back("shbd");
        // behind the layers
        if (shape.size() == 5) all.insert(all.end(), {"hbhsd", "hbshd", "hsbhd"});
        // [1, heads, S, d] is a batch of one
        if (shape.size() == 4 && shape[0] != 1) all.insert(all.end(), {"hbsd", "hsbd"});
    }
    if (vectors.are_fused)
        std::erase_if(all, [](const std::string& axes) { return !axes.ends_with("hd"); });
    return all;
}

double cost_of_order(const std::string& axes, const Shape& shape,
                     const std::vector<std::uint64_t>& heads, bool has_positions,
                     bool have_own_positions) {
    const auto [entries, own_heads, rows] = counts_by(axes, shape);
    const auto batch = axis_of(axes, 'b'), sequence = axis_of(axes, 's');
    double cost = cost_of_heads(own_heads, heads, has_positions);
    // as many rows of one head as the config has heads: rather the heads of one token
    if (own_heads == 1 && rows > 1 && !has_positions && std::ranges::count(heads, rows) > 0)
        cost += 3;
    if (!batch) return cost;
    if (axes.size() == 3) cost += 1;       // [heads, S, d] is usual
    if (axes.starts_with('h')) cost += 6;  // [heads, B, S, d] is not
    if (!sequence || *sequence > *batch) return cost;
    if (axes == "shbd") cost += rows > 4 * entries ? 3 : 6;
    if (have_own_positions) return cost + 1;
    // [B, S, heads, d] that rotates by the number of the batch entry looks like [S, B, heads, d]
    if (rows == 1 && entries > 1) return cost + 5;
    return cost + (rows > entries ? 1 : 4 * rows >= entries ? 6.5 : 10);
}

}  // namespace rope::io
