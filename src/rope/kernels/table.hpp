// Rows of a table in their stored format.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rope {

// A tile of exact rows as block (times an amplitude) rotated by base; |computed − exact| ≤ error.
template <class Number>
struct TurnedTile {
    const Number* block_c;  // [stride]
    const Number* block_s;
    const Number* base_c;  // [rows × stride]
    const Number* base_s;
    Number error;
};
struct TileSource : TurnedTile<double> {
    TurnedTile<float> near;  // the same in float32, for 16-bit formats only
};

// Each kernel writes the numbers of a tile of at most 32 rows in one format. Bit r of the result is
// set if the rounding of a number in row r is undecided (Ziv's test). All other rows have errors ≤
// half a spacing (StoredTables.HaveTheNearestNumbersToPosition131072). `piece` is the width of
// non-temporal stores from piece_of() in memory.hpp; 0 for ordinary stores.
struct TableKernels {
    std::uint32_t (*float32_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                  std::size_t piece, float* c, float* s);
    std::uint32_t (*bfloat16_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                   std::size_t piece, std::uint16_t* c, std::uint16_t* s);
    std::uint32_t (*float16_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                  std::size_t piece, std::uint16_t* c, std::uint16_t* s);
};

}  // namespace rope
