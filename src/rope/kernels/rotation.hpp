// Vectors as they are stored, rotated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rope {

// Rows of vectors to rotate, and the table's, rows × pairs. Pair i is lanes 2i and 2i + 1 where
// interleaved, else i and i + pairs. x and y are the same memory or apart.
struct RotatedRows {
    std::size_t rows;
    std::size_t head_dim;
    std::size_t pairs;
    bool interleaved;
    const float* cos;
    const float* sin;
};

// y1 = x1·c − x2·s, y2 = x2·c + x1·s in float32, every step rounded, and then to the format;
// lanes that no pair has are copied. The bits are those of that definition
// (Apply.RotatesEveryShapeAsDefinedApartAndInPlace).
struct RotationKernels {
    void (*rotate_float32)(const RotatedRows* table, std::size_t piece, const float* x, float* y);
    void (*rotate_bfloat16)(const RotatedRows* table, std::size_t piece, const std::uint16_t* x,
                            std::uint16_t* y);
    void (*rotate_float16)(const RotatedRows* table, std::size_t piece, const std::uint16_t* x,
                           std::uint16_t* y);
};

}  // namespace rope
