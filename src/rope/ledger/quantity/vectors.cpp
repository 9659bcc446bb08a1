#include "rope/ledger/quantity/vectors.hpp"

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

Vector vector_of(std::initializer_list<double> lanes) {
    Vector x;
    for (const double lane : lanes) x.push_back(real(lane));
    return x;
}

Vector rotated(const Vector& x, const FrequencyPlan& plan, PairLayout layout, double m) {
    Vector y = x;
    const std::size_t half = x.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const bool split = layout == PairLayout::half_split;
        const std::size_t first = split ? i : 2 * i, second = split ? i + half : 2 * i + 1;
        const BigReal angle = m * plan.pairs[i].inv_freq, c = cosine(angle), s = sine(angle);
        y[first] = x[first] * c - x[second] * s;
        y[second] = x[second] * c + x[first] * s;
    }
    return y;
}

BigReal dot(const Vector& x, const Vector& y) {
    BigReal sum = real(0);
    for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
    return sum;
}

Vector interleaved_lanes(const Vector& x) {
    Vector y;
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
        y.push_back(x[i]);
        y.push_back(x[i + x.size() / 2]);
    }
    return y;
}

}  // namespace rope::ledger
