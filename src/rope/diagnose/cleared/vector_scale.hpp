// Vectors that are multiplied, beside the rotation, by a number that differs from row to row.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/rows.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

struct VectorScale {
    NamedMistake mistake;
    std::shared_ptr<const std::vector<double>> of_row;
};

// By the rule that |y|/|x| follows at every sampled row:
//   log-n        max(1, log_n(m + 1))                  Qwen-7B, modeling_qwen.py, use_logn_attn
//   temperature  1 + β·ln(1 + ⌊m/n⌋), or of m + 1      llama_4_scaling_beta, attn_scale
//   norm         c·√d/|x|, where norms follow the rotation   Llama 4, Llama4TextL2Norm
// None where norms are kept, or by no such rule.
std::optional<VectorScale> vector_scale(const Spec& asked, const RotatedDump& dump,
                                        const RowGroups& rows);

}  // namespace rope
