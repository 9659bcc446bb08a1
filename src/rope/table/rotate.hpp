// R(m)x in every form in use. All give the same numbers for the same rows; they differ in where
// the two lanes of a pair are and in how the table is laid out.
//
// x and the result have head_dim lanes; cos and sin belong to one position. Lanes beyond the
// rotary ones are copied. Throws InputError when lengths do not fit. Per pair (x1, x2):
//     y1 = x1·cos − x2·sin,   y2 = x2·cos + x1·sin
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "rope/spec/lanes.hpp"

namespace rope {

using Vector = std::vector<double>;
using Values = std::span<const double>;

// cos, sin [d/2]; the pairs of `layout`.
Vector rotate(PairLayout layout, Values x, Values cos, Values sin);

// The same for the lanes of a Spec.
Vector rotate(const Spec& spec, Values x, Values cos, Values sin);

// x·cos + rotate_half(x)·sin with cos, sin [d] = cat(f, f); half_split.
// Source: transformers apply_rotary_pos_emb, labml RotaryPositionalEmbeddings.
Vector rotate_half_duplicated(Values x, Values cos, Values sin);

// rope_cache [d/2, 2] of (cos, sin), x viewed as [d/2, 2]; interleaved.
// Source: ChatGLM2 and GLM-4 apply_rotary_pos_emb.
Vector rotate_stacked(Values x, Values cos_sin);

// (x_2i + i·x_2i+1)·e^{iφ}; interleaved. Source: Meta's Llama apply_rotary_emb.
Vector rotate_complex(Values x, std::span<const std::complex<double>> freqs_cis);

// The dense block-diagonal matrix R(m), head_dim × head_dim, row-major: y = R·x for columns
// (RoFormer), y = x·Rᵀ for rows (He & Xu).
std::vector<double> rotation_matrix(PairLayout layout, std::size_t head_dim, Values cos,
                                    Values sin);
Vector matrix_times_column(Values matrix, Values x);
Vector row_times_matrix(Values x, Values matrix);

// P: interleaved lanes to half-split ones, lane 2i → i, 2i + 1 → i + d/2 for i < d/2.
// R_half·P = P·R_interleaved, without rounding.
Vector interleaved_to_half_split(Values x, std::size_t rotary_dim);

}  // namespace rope
