// Attention scores of the sample's q and k, pair by pair.
#pragma once

#include <vector>

#include "rope/comparison/sample.hpp"

namespace rope {

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
