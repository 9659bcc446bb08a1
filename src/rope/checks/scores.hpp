// Effect of a subject's errors on an attention logit ⟨R(m)q, R(n)k⟩, for q and k with independent
// values of variance 1.
//
// With the values of a pair as complex numbers, conj(q)·k = dot + i·cross, E dot² = E cross² = 2
// and E dot·cross = 0. The error of the logit is Re((dot + i·cross)·Δ) for Δ = conj(ẑ_m)·ẑ_n −
// a²·e^{i(n − m)θ}:
//   error² = Σ 2|Δ_i|²,   spread² = Σ 2a⁴ + number of dimensions that pass through
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/checks/comparison.hpp"
#include "rope/checks/sample.hpp"

namespace rope {

// Largest error at one distance, over these pairs of positions: the last position (of the last 4096
// rows) that has a key at the distance, and each suspect position as query and as key. If heads or
// batch entries repeat a position, its worst and its best row are both used.
struct LogitError {
    std::uint64_t distance;
    std::optional<double> rms;  // empty if no two positions have this distance
};

struct LogitErrors {
    double spread = 0;
    // Distances 1, 128, 4096, 32768 and the context's last, as far as they exist.
    std::vector<LogitError> at = {};
    // First distance at which the error exceeds a tenth of the spread, searched at 8 distances per
    // octave and refined by bisection.
    std::optional<std::uint64_t> matters_from = {};
    // The pair with the largest |Δ| at the context's last distance, and the number of positions by
    // which its angle is wrong there.
    std::uint32_t worst_pair = 0;
    double tokens_off = 0;
};

// Returns nothing if rows have several axes or there are fewer than two rows.
std::optional<LogitErrors> logit_errors(const Comparison& comparison,
                                        const std::vector<double>& suspects = {});

// Attention scores of the sample's q and k as sums over pairs.

// With the values of pair i as complex numbers q_i, k_i, and conj(q_i)·k_i = dot + i·cross:
//   ⟨R(m)q, R(n)k⟩ = Σ Re(conj(ẑ_m)·ẑ_n·(dot + i·cross)) + ⟨q, k⟩ of dimensions that pass through
struct PairProducts {
    std::vector<double> dot, cross;
    std::vector<double> size;  // |q_i||k_i|
    double pass_through = 0;
};

PairProducts pair_products(const Spec& spec, const Sample& sample);

double score(const PairProducts& products, const Sample::Row& query, const Sample::Row& key);

}  // namespace rope
