#include "rope/spec/dimensions.hpp"

#include <utility>

#include "base/decimal.hpp"

namespace rope {
namespace {

PairLayout written(PairLayout layout) {
    return layout == PairLayout::interleaved_to_half_split ? PairLayout::half_split : layout;
}

Dimensions in_head(const Spec& spec, PairLayout layout, std::size_t i) {
    const bool is_halved = spec.axes.scheme == AxisScheme::halves;
    const std::size_t width = is_halved ? spec.rotary_dim / 2 : spec.rotary_dim;
    const std::size_t start = spec.rotary_offset + i / (width / 2) * width;
    Dimensions dimensions = dimensions_of_pair(layout, width, i % (width / 2));
    if (spec.direction == Direction::reverse) std::swap(dimensions.first, dimensions.second);
    return {start + dimensions.first, start + dimensions.second};
}

void require(bool fits, const char* what, std::size_t got, std::size_t want) {
    if (fits) return;
    throw InputError(std::string(what) + " has " + decimal(got) + " values; it must have " +
                     decimal(want));
}

void turn_pair(Values x, Dimensions from, double cos, double sin, Vector& y, Dimensions to) {
    y[to.first] = x[from.first] * cos - x[from.second] * sin;
    y[to.second] = x[from.second] * cos + x[from.first] * sin;
}

}  // namespace

Dimensions dimensions_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i) {
    if (layout == PairLayout::half_split) return {i, i + rotary_dim / 2};
    return {2 * i, 2 * i + 1};
}

Dimensions written_dimensions_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i) {
    return dimensions_of_pair(written(layout), rotary_dim, i);
}

Dimensions dimensions_of_pair(const Spec& spec, std::size_t i) {
    return in_head(spec, spec.layout, i);
}

Dimensions written_dimensions_of_pair(const Spec& spec, std::size_t i) {
    return in_head(spec, written(spec.layout), i);
}

std::vector<std::size_t> passed_dimensions(const Spec& spec) {
    std::vector<std::size_t> dimensions;
    for (std::size_t dimension = 0; dimension < spec.head_dim; ++dimension)
        if (dimension < spec.rotary_offset || dimension >= spec.rotary_offset + spec.rotary_dim)
            dimensions.push_back(dimension);
    return dimensions;
}

Vector rotate(PairLayout layout, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(2 * cos.size() <= x.size(), "x", x.size(), 2 * cos.size());
    Vector y(x.begin(), x.end());
    const std::size_t d = 2 * cos.size();
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, dimensions_of_pair(layout, d, i), cos[i], sin[i], y,
                  written_dimensions_of_pair(layout, d, i));
    return y;
}

Vector rotate(const Spec& spec, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(cos.size() == spec.pairs(), "cos", cos.size(), spec.pairs());
    require(x.size() == spec.head_dim, "x", x.size(), spec.head_dim);
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, dimensions_of_pair(spec, i), cos[i], sin[i], y,
                  written_dimensions_of_pair(spec, i));
    return y;
}

}  // namespace rope
