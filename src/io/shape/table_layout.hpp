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

// Two views on the numbers of a file, one row after the other.
struct CosSin {
    StridedRows cos, sin;
    std::uint32_t pairs = 0;
    Shape rows;  // the array's shape without its columns
    Format format = Format::float32;
    CacheLayout layout = CacheLayout::half;
    std::string layout_from = {};    // "--cache-layout", or what the layout was inferred from
    std::string copies_differ = {};  // where the two copies of a value differ; asked.copy selects
};

// The layout of two arrays: half, duplicated or repeated. Throws InputError where they differ in
// shape or format, or where nothing fits.
CosSin separate_layout(const NamedArray& cos, const NamedArray& sin, const DumpHints& asked);

// The layout of one array: cos_sin, sin_cos, ggml, stacked, complex or matrices. Throws InputError
// where its numbers leave a choice.
CosSin fused_layout(const NamedArray& both, const std::vector<double>& positions,
                    const DumpHints& asked);
// How many of the last axes hold one row: 2 where the array is stacked or complex, with (cos, sin)
// on an axis of length 2; 3 where it holds matrices; else 1.
std::size_t axes_of_row(const NamedArray& both, const DumpHints& asked);
// Whether cos² + sin² is one number nearly everywhere, in some reading of the rows.
bool has_steady_norm(const NamedArray& both);

// cos and sin, in double, of an array of angles; the Spec has the amplitude.
CosSin angle_layout(const NamedArray& angles, const DumpHints& asked);

// Whether cos = a > 0 and sin = 0 in every pair of a row.
bool is_identity(const StridedRows& cos, const StridedRows& sin, std::uint64_t pairs,
                 std::uint64_t row);

}  // namespace rope::io
