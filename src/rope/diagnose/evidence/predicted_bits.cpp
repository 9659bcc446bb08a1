#include "rope/diagnose/evidence/predicted_bits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double enough = 16;  // bits: of 64 pairs one in a thousand is explained by chance

double bits_of(double allowed) {
    return std::max(0.0, 1 - portable::log(std::max(allowed, 0x1p-30)) / std::numbers::ln2);
}

// −log2 of the probability that random angles of the pair would be within the hypothesis' allowance
// at every position but 0. A position where that is a whole turn adds nothing, nor does a pair that
// is left out.
double predicted_bits(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair) {
    double bits = 0;
    double before = 0;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double m = hypothesis.given(samples, row, pair);
        const double p = hypothesis.map_of(pair)(m);
        // heads that share a position say it once
        if (p == 0 || m == before || !(samples.modulus[row * samples.pairs + pair] >= 0)) continue;
        before = m;
        bits += bits_of(sample_allowance(samples, hypothesis, p, pair));
    }
    return bits;
}

// The same of a pair that begins anywhere and then turns at its rate, where rows whose angles are
// hardly apart are as one; no more than `most`.
double bits_of_phases(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                      double most) {
    double bits = 0;
    std::optional<double> before;
    for (std::size_t row = 0; row < samples.rows() && bits < most; ++row) {
        if (!(samples.modulus[row * samples.pairs + pair] >= 0)) continue;
        const double p = hypothesis.map_of(pair)(hypothesis.given(samples, row, pair));
        const double allowed = sample_allowance(samples, hypothesis, p, pair);
        if (before && chord((p - *before) * hypothesis.theta[pair]) <= allowed) continue;
        before = p;
        bits += bits_of(allowed);
    }
    return bits;
}

}  // namespace

bool says_enough(const Samples& samples, const Hypothesis& own) {
    double bits = 0;
    for (std::uint32_t pair = samples.pairs; pair-- > 0 && bits < enough;)
        bits += bits_of_phases(samples, own, pair, enough - bits);
    return bits >= enough;
}

bool predicts_as_much(const Samples& samples, const Hypothesis& own, const Hypothesis& asked) {
    for (std::uint32_t pair = 0; pair < samples.pairs; ++pair)
        if (predicted_bits(samples, own, pair) < enough &&
            predicted_bits(samples, asked, pair) >= enough)
            return false;
    return true;
}

}  // namespace rope
