#include "io/dump/quantised.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "base/decimal.hpp"

namespace rope::io {
namespace {

constexpr std::size_t least_values = 16;   // of one step
constexpr std::uint64_t most_groups = 64;  // looked at
constexpr double rounding = 0x1p-12;       // of a value in steps: float32's

// Where `largest` is `steps` times the step.
bool are_steps(const std::vector<double>& values, double from, double largest, double steps) {
    return std::ranges::all_of(values, [&](double value) {
        const double in_steps = (value - from) / largest * steps;
        return std::abs(in_steps - std::nearbyint(in_steps)) <= rounding;
    });
}

// Whether the values are enough, and different enough, to show their steps.
bool tell(const std::vector<double>& values, double from, double largest, double steps) {
    const auto other = std::ranges::count_if(
        values, [&](double value) { return std::abs(value - from) / largest * steps > 0.5; });
    const std::set<double> distinct(values.begin(), values.end());
    return distinct.size() > 2 && static_cast<double>(values.size()) > steps / 8 &&
           4 * static_cast<std::size_t>(other) >= values.size();
}

// How many bits the values have, if they are multiples of one step from 0 or from the least on.
std::optional<int> bits_of(const std::vector<double>& values) {
    if (values.size() < least_values) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(values);
    const double largest = std::max(std::abs(least), std::abs(most)), width = most - least;
    if (!(largest > 0) || !std::isfinite(largest)) return std::nullopt;
    for (int bits = 2; bits <= 8; ++bits) {
        const double levels = std::ldexp(1.0, bits), half = levels / 2;
        for (const double steps : {half - 1, half})
            if (steps >= 1 && are_steps(values, 0, largest, steps) &&
                tell(values, 0, largest, steps))
                return bits;
        if (width > 0 && are_steps(values, least, width, levels - 1) &&
            tell(values, least, width, levels - 1))
            return bits;
    }
    return std::nullopt;
}

// Values that may share a step: `size` of each group.
struct Groups {
    std::uint64_t count, size;
    std::function<double(std::uint64_t group, std::uint64_t k)> at;
};

// The values of a group; none where the first few thousand are more than 8 bits can tell apart.
std::vector<double> values_of(const Groups& groups, std::uint64_t group) {
    constexpr std::uint64_t few = 4096;
    constexpr std::size_t most_distinct = 257;
    std::vector<double> values;
    for (std::uint64_t k = 0; k < groups.size; ++k) {
        values.push_back(groups.at(group, k));
        if (k + 1 == few && std::set(values.begin(), values.end()).size() > most_distinct)
            return {};
    }
    return values;
}

// The most bits that a sampled group needs. None unless the values of every sampled group are
// multiples of one step.
std::optional<int> bits_of_groups(const Groups& groups) {
    int bits = 0;
    const std::uint64_t step = 1 + groups.count / most_groups;
    for (std::uint64_t group = 0; group < groups.count; group += step) {
        const std::vector<double> values = values_of(groups, group);
        if (!values.empty() && std::ranges::count(values, 0) == std::ssize(values)) continue;
        const auto own = bits_of(values);
        if (!own) return std::nullopt;
        bits = std::max(bits, *own);
    }
    return bits > 0 ? std::optional(bits) : std::nullopt;
}

std::string words_of(int bits, const std::string& where) {
    return decimal(std::uint64_t(bits)) + "-bit steps " + where;
}

}  // namespace

std::optional<std::string> quantisation_of(const Array& vectors, const RowGrid& grid) {
    const std::uint64_t width = vectors.shape.back(), rows = vectors.size() / width;
    for (const std::uint64_t block : {std::uint64_t{32}, std::uint64_t{64}, width}) {
        if (width % block != 0 || block > width) continue;
        const auto at = [&](std::uint64_t group, std::uint64_t k) {
            return vectors.at(group * block + k);
        };
        if (const auto bits = bits_of_groups({rows * (width / block), block, at}))
            return words_of(*bits, "in blocks of " + decimal(block) + " dimensions");
    }
    const std::uint64_t heads = grid.batch.length * grid.head.length, length = grid.sequence.length;
    if (heads * length != rows) return std::nullopt;
    const auto value = [&](std::uint64_t head, std::uint64_t index, std::uint64_t k) {
        const std::uint64_t row = head / grid.head.length * grid.batch.stride +
                                  head % grid.head.length * grid.head.stride +
                                  index * grid.sequence.stride;
        return vectors.at(row * width + k);
    };
    const auto in_head = [&](std::uint64_t head, std::uint64_t k) {
        return value(head, k / width, k % width);
    };
    if (const auto bits = bits_of_groups({heads, length * width, in_head}))
        return words_of(*bits, "in each head");
    const auto in_dimension = [&](std::uint64_t group, std::uint64_t k) {
        return value(group / width, k, group % width);
    };
    if (const auto bits = bits_of_groups({heads * width, length, in_dimension}))
        return words_of(*bits, "in each dimension");
    return std::nullopt;
}

}  // namespace rope::io
