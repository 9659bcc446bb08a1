// Rows of a table as they are stored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rope {

// A tile of exact rows by angle addition, the block times an amplitude; |computed − exact| ≤ error.
template <class Number>
struct TurnedTile {
    const Number* block_c;  // [stride]
    const Number* block_s;
    const Number* base_c;  // [rows × stride]
    const Number* base_s;
    Number error;
};
struct TileSource : TurnedTile<double> {
    TurnedTile<float> near;  // the same in float32, for 16 bits only
};

// A tile's numbers of a format, each the nearest to the exact one, as they are stored; return the
// rows, bit r for row r, where one is in doubt (Ziv's test). What is not is within half a spacing
// (StoredTables.HaveTheNearestNumbersToPosition131072). A tile has at most 32 rows. `piece` is
// as in streaming.hpp: 0 for both outputs to go through the caches.
struct TableKernels {
    std::uint32_t (*float32_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                  std::size_t piece, float* c, float* s);
    std::uint32_t (*bfloat16_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                   std::size_t piece, std::uint16_t* c, std::uint16_t* s);
    std::uint32_t (*float16_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                  std::size_t piece, std::uint16_t* c, std::uint16_t* s);
};

}  // namespace rope
