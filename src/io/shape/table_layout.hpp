// Which numbers of a table are the cosines, and which the sines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/shape/dump_hints.hpp"
#include "io/tensor/readers/array.hpp"
#include "rope/number/element.hpp"

namespace rope::io {

// Two views on a file's numbers, one row after the other.
struct CosSin {
    StridedRows cos, sin;
    std::uint32_t pairs = 0;
    std::vector<std::uint64_t> rows;  // the array's shape without its columns
    Format format = Format::float32;
    CacheLayout layout = CacheLayout::half;
    std::string layout_from = {};    // "--cache-layout", or what it was inferred from
    std::string copies_differ = {};  // where the copies of a value do; then `copy` selects one
};

// Of two arrays: half, duplicated or repeated.
CosSin separate_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked);

// Of one array: cos_sin, sin_cos, ggml, stacked, complex or matrices.
CosSin fused_layout(const NamedArray& both, const std::vector<double>& positions,
                    const DumpHints& asked);
// The last axes that hold one row: 2 where it is stacked (or complex), pairs of (cos, sin) on an
// axis of length 2; 3 where it is matrices; else 1.
std::size_t axes_of_row(const NamedArray& both, const DumpHints& asked);
// Whether cos² + sin² is one number nearly everywhere, in some reading of its rows.
bool has_steady_norm(const NamedArray& both);

// cos and sin of an array of angles, in doubles; the amplitude is the Spec's.
CosSin angle_layout(const NamedArray& angles, const DumpHints& asked);

// How `table` holds each column twice, bit for bit, or nothing; `columns` is even.
enum class Copies { halves, neighbours };  // cat(f, f); f0 f0 f1 f1
struct CopyDifference {
    std::uint64_t row, first, second;  // columns
};
std::optional<CopyDifference> copy_difference(const Array& table, Copies copies);

}  // namespace rope::io
