// R(m)x in the forms of libraries and papers. In each, y1 = x1·cos − x2·sin and
// y2 = x2·cos + x1·sin per pair.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "rope/spec/dimensions.hpp"

namespace rope {

// x·cos + rotate_half(x)·sin with cos, sin [d] = cat(f, f); half_split.
// Source: transformers apply_rotary_pos_emb, labml RotaryPositionalEmbeddings.
inline Vector rotate_half_duplicated(Values x, Values cos, Values sin) {
    const std::size_t d = cos.size();
    Vector half(d);  // rotate_half(x) = cat(−x2, x1)
    for (std::size_t j = 0; j < d / 2; ++j) {
        half[j] = -x[j + d / 2];
        half[j + d / 2] = x[j];
    }
    Vector y(x.begin(), x.end());
    for (std::size_t j = 0; j < d; ++j) y[j] = x[j] * cos[j] + half[j] * sin[j];
    return y;
}

// rope_cache [d/2, 2] of (cos, sin), x viewed as [d/2, 2]; interleaved.
// Source: ChatGLM2 and GLM-4 apply_rotary_pos_emb.
inline Vector rotate_stacked(Values x, Values cos_sin) {
    Vector y(x.begin(), x.end());
    for (std::size_t j = 0; j < cos_sin.size(); j += 2) {
        y[j] = x[j] * cos_sin[j] - x[j + 1] * cos_sin[j + 1];
        y[j + 1] = x[j + 1] * cos_sin[j] + x[j] * cos_sin[j + 1];
    }
    return y;
}

// (x_2i + i·x_2i+1)·e^{iφ}; interleaved. Source: Meta's Llama apply_rotary_emb.
inline Vector rotate_complex(Values x, std::span<const std::complex<double>> freqs_cis) {
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < freqs_cis.size(); ++i) {
        const std::complex<double> z = std::complex(x[2 * i], x[2 * i + 1]) * freqs_cis[i];
        y[2 * i] = z.real();
        y[2 * i + 1] = z.imag();
    }
    return y;
}

// The dense block-diagonal matrix R(m), head_dim × head_dim, row-major: y = R·x for columns
// (RoFormer), y = x·Rᵀ for rows (He & Xu).
inline std::vector<double> rotation_matrix(PairLayout layout, std::size_t head_dim, Values cos,
                                           Values sin) {
    std::vector<double> matrix(head_dim * head_dim);
    for (std::size_t j = 2 * cos.size(); j < head_dim; ++j) matrix[j * head_dim + j] = 1;
    for (std::size_t i = 0; i < cos.size(); ++i) {
        const Dimensions from = dimensions_of_pair(layout, 2 * cos.size(), i);
        const Dimensions to = written_dimensions_of_pair(layout, 2 * cos.size(), i);
        matrix[to.first * head_dim + from.first] = matrix[to.second * head_dim + from.second] =
            cos[i];
        matrix[to.first * head_dim + from.second] = -sin[i];
        matrix[to.second * head_dim + from.first] = sin[i];
    }
    return matrix;
}

inline Vector matrix_times_column(Values matrix, Values x) {
    Vector y(x.size());
    for (std::size_t row = 0; row < x.size(); ++row)
        for (std::size_t j = 0; j < x.size(); ++j) y[row] += matrix[row * x.size() + j] * x[j];
    return y;
}

inline Vector row_times_matrix(Values x, Values matrix) {
    Vector y(x.size());
    for (std::size_t column = 0; column < x.size(); ++column)
        for (std::size_t j = 0; j < x.size(); ++j)
            y[column] += x[j] * matrix[j * x.size() + column];
    return y;
}

// P: interleaved dimensions to half-split ones, 2i → i, 2i + 1 → i + d/2 for i < d/2.
// R_half·P = P·R_interleaved, without rounding.
inline Vector interleaved_to_half_split(Values x, std::size_t rotary_dim) {
    Vector y(x.begin(), x.end());
    for (std::size_t i = 0; i < rotary_dim / 2; ++i) {
        y[i] = x[2 * i];
        y[i + rotary_dim / 2] = x[2 * i + 1];
    }
    return y;
}

}  // namespace rope
