#include "rope/table/rotate.hpp"

#include "base/decimal.hpp"

namespace rope {
namespace {

void require(bool fits, const char* what, std::size_t got, std::size_t want) {
    if (fits) return;
    throw InputError(std::string(what) + " has " + decimal(got) + " values; it must have " +
                     decimal(want));
}

void turn_pair(Values x, Lanes from, double cos, double sin, Vector& y, Lanes to) {
    y[to.first] = x[from.first] * cos - x[from.second] * sin;
    y[to.second] = x[from.second] * cos + x[from.first] * sin;
}

}  // namespace

Vector rotate(PairLayout layout, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(2 * cos.size() <= x.size(), "x", x.size(), 2 * cos.size());
    Vector y(x.begin(), x.end());
    const std::size_t d = 2 * cos.size();
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, lanes_of_pair(layout, d, i), cos[i], sin[i], y,
                  written_lanes_of_pair(layout, d, i));
    return y;
}

Vector rotate(const Spec& spec, Values x, Values cos, Values sin) {
    require(sin.size() == cos.size(), "sin", sin.size(), cos.size());
    require(cos.size() == spec.pairs(), "cos", cos.size(), spec.pairs());
    require(x.size() == spec.head_dim, "x", x.size(), spec.head_dim);
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < cos.size(); ++i)
        turn_pair(x, lanes_of_pair(spec, i), cos[i], sin[i], y, written_lanes_of_pair(spec, i));
    return y;
}

}  // namespace rope
