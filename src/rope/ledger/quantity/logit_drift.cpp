#include "rope/ledger/quantity/logit_drift.hpp"

#include <array>
#include <cmath>

#include "rope/exact/phase.hpp"
#include "rope/ledger/quantity/scores.hpp"
#include "rope/number/random.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope::ledger {
namespace {

constexpr std::size_t pairs = 64;
using Head = std::array<double, 2 * pairs>;

double brain(double x) { return round_to(Format::bfloat16, x); }

Head drawn(Random& random) {
    Head x;
    for (double& lane : x) lane = brain(static_cast<double>(random.bits() >> 11) * 0x1p-53 * 2 - 1);
    return x;
}

class Rotation {
  public:
    explicit Rotation(Bfloat16Rotation how) : how_(how), truth_(base_rope(), 0, pairs) {}

    Head operator()(const Head& x, std::uint64_t position) const {
        std::array<double, pairs> c, s;
        fill_row(position, c.data(), s.data());
        Head y;
        for (std::size_t i = 0; i < pairs; ++i) {
            y[i] = combined(x[i] * c[i], -x[i + pairs] * s[i]);
            y[i + pairs] = combined(x[i + pairs] * c[i], x[i] * s[i]);
        }
        return y;
    }

  private:
    void fill_row(std::uint64_t position, double* c, double* s) const {
        if (how_ == Bfloat16Rotation::rounded_once) {
            truth_.exact().fill_row(position, c, s);
            return;
        }
        if (how_ == Bfloat16Rotation::positions)
            position = static_cast<std::uint64_t>(brain(static_cast<double>(position)));
        truth_.fill_rounded({&position, 1}, Format::bfloat16, c, s);
    }
    double combined(double a, double b) const {
        return how_ == Bfloat16Rotation::rounded_once ? brain(a + b) : brain(brain(a) + brain(b));
    }

    Bfloat16Rotation how_;
    TruthRows truth_;
};

double dot(const Head& x, const Head& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

}  // namespace

std::vector<double> logit_drift(Bfloat16Rotation rotation,
                                const std::vector<std::uint64_t>& lengths) {
    constexpr std::uint64_t shift = 16;
    const Rotation rotate(rotation);
    Random queries(1), keys(2);
    const Head key = drawn(keys), key_here = rotate(key, 0), key_there = rotate(key, shift);
    std::vector<double> means;
    double sum = 0;
    std::uint64_t m = 0;
    for (const std::uint64_t length : lengths) {
        for (; m < length; ++m) {
            const Head query = drawn(queries);
            sum += std::abs(dot(rotate(query, m), key_here) -
                            dot(rotate(query, m + shift), key_there));
        }
        means.push_back(sum / static_cast<double>(length));
    }
    return means;
}

}  // namespace rope::ledger
