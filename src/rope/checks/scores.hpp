// What a subject's errors do to an attention logit ⟨R(m)q, R(n)k⟩ of q and k whose lanes are
// independent, of variance 1.
//
// One pair's lanes as complex numbers, conj(q)·k = dot + i·cross with E dot² = E cross² = 2 and
// E dot·cross = 0; the logit is off by Re((dot + i·cross)·Δ), Δ = conj(ẑ_m)·ẑ_n − a²·e^{i(n − m)θ}:
//     error² = Σ 2|Δ_i|²,     spread² = Σ 2a⁴ + lanes that pass through
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/checks/comparison.hpp"
#include "rope/checks/sample.hpp"

namespace rope {

// At one distance, the worst of: the query at the last position that has a key so far away (of the
// last 4096 rows), and each suspect position, as query and as key. Where heads or batch entries
// repeat a position, its worst and its best row are both tried.
struct LogitError {
    std::uint64_t distance;
    std::optional<double> rms;  // none where no two positions are so far apart
};

struct LogitErrors {
    double spread = 0;
    // Distances 1, 128, 4096, 32768 and the context's, as far as it goes.
    std::vector<LogitError> at = {};
    // The first distance, of 8 an octave and between, at which the error exceeds a tenth of the
    // spread.
    std::optional<std::uint64_t> matters_from = {};
    // At the context's distance the pair of the largest |Δ|, and by how many positions a key would
    // have to be moved for this pair to be right.
    std::uint32_t worst_pair = 0;
    double tokens_off = 0;
};

// Nothing where rows have several positions, or there are fewer than two.
std::optional<LogitErrors> logit_errors(const Comparison& comparison,
                                        const std::vector<double>& suspects = {});

// Attention scores of the sample's q and k, pair by pair.

// With q_i, k_i the pair's lanes as complex numbers, conj(q_i)·k_i = dot + i·cross:
//   ⟨R(m)q, R(n)k⟩ = Σ Re(conj(ẑ_m)·ẑ_n·(dot + i·cross)) + ⟨q, k⟩ of the lanes passed through
struct PairProducts {
    std::vector<double> dot, cross;
    std::vector<double> size;  // |q_i||k_i|
    double pass_through = 0;
};

PairProducts pair_products(const Spec& spec, const Sample& sample);

double score(const PairProducts& products, const Sample::Row& query, const Sample::Row& key);

}  // namespace rope
