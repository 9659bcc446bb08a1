#include "rope/table/apply.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "base/decimal.hpp"
#include "base/tasks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/kernels/rotation.hpp"
#include "rope/number/element.hpp"
#include "rope/number/memory.hpp"

namespace rope {
namespace {

constexpr std::size_t table_bytes = 524288;  // of the table, half of a second-level cache

void require_vectors(Format format) {
    if (format == Format::float32 || format == Format::bfloat16 || format == Format::float16)
        return;
    throw InputError("vectors are of " + std::string(to_string(format)) +
                     "; they must be float32, bfloat16 or float16");
}

void require_table(const RotaryRows& rows) {
    if (rows.layout == PairLayout::interleaved_to_half_split)
        throw InputError("layout", "interleaved_to_half_split",
                         "half_split or interleaved, which write pairs where they read them");
    if (rows.pairs == 0 || rows.head_dim / 2 < rows.pairs)
        throw InputError("a head of " + decimal(rows.head_dim) + " lanes has " +
                         decimal(rows.pairs) + " pairs; it must have 1 to head_dim/2");
    if (rows.cos.empty() || rows.cos.size() != rows.sin.size() || rows.cos.size() % rows.pairs != 0)
        throw InputError("cos has " + decimal(rows.cos.size()) + " values and sin " +
                         decimal(rows.sin.size()) + "; both must be whole rows of " +
                         decimal(rows.pairs));
}

void require_vectors(std::size_t head_bytes, std::size_t number_bytes, std::span<const std::byte> x,
                     std::span<const std::byte> y) {
    if (x.size() != y.size() || x.size() % head_bytes != 0)
        throw InputError("x has " + decimal(x.size()) + " bytes and y " + decimal(y.size()) +
                         "; both must be whole heads of " + decimal(head_bytes));
    for (const auto* memory : {x.data(), y.data()})
        if (reinterpret_cast<std::uintptr_t>(memory) % number_bytes != 0)
            throw InputError("the memory of x or y is not aligned to its numbers");
    const std::less<> before;
    const bool apart =
        !before(x.data(), y.data() + y.size()) || !before(y.data(), x.data() + x.size());
    if (x.data() != y.data() && !apart)
        throw InputError("x and y overlap in part; they must be the same memory or apart");
}

void rotate(Format format, const RotatedRows& table, std::size_t piece, const std::byte* x,
            std::byte* y) {
    const RotationKernels& kernel = *kernels().rotation;
    if (format == Format::float32) {
        kernel.rotate_float32(&table, piece, reinterpret_cast<const float*>(x),
                              reinterpret_cast<float*>(y));
        return;
    }
    const auto rotate_16_bits =
        format == Format::bfloat16 ? kernel.rotate_bfloat16 : kernel.rotate_float16;
    rotate_16_bits(&table, piece, reinterpret_cast<const std::uint16_t*>(x),
                   reinterpret_cast<std::uint16_t*>(y));
}

}  // namespace

void apply_rotary(const RotaryRows& rows, Format format, std::span<const std::byte> x,
                  std::span<std::byte> y, unsigned threads) {
    require_vectors(format);
    require_table(rows);
    const std::size_t positions = rows.cos.size() / rows.pairs;
    const std::size_t lane_bytes = bytes_of(element_of(format)),
                      row_bytes = rows.head_dim * lane_bytes;
    require_vectors(positions * row_bytes, lane_bytes, x, y);

    const bool streams = x.data() != y.data() && y.size() >= large_output;
    const std::size_t piece = streams ? piece_of(reinterpret_cast<std::uintptr_t>(y.data()) |
                                                 row_bytes | rows.pairs * lane_bytes)
                                      : 0;
    const std::size_t heads = x.size() / (positions * row_bytes);
    // all heads turn by some rows of the table while those are in the second-level cache
    const std::size_t block =
        std::max<std::size_t>(1, table_bytes / (2 * sizeof(float) * rows.pairs));
    const std::size_t blocks = (positions + block - 1) / block;
    run_tasks(blocks * heads, threads, [&](std::size_t task) {
        const std::size_t head = task % heads, m = task / heads * block;
        const RotatedRows table{std::min(block, positions - m),
                                rows.head_dim,
                                rows.pairs,
                                rows.layout == PairLayout::interleaved,
                                rows.cos.data() + m * rows.pairs,
                                rows.sin.data() + m * rows.pairs};
        const std::size_t at = (head * positions + m) * row_bytes;
        rotate(format, table, piece, x.data() + at, y.data() + at);
        finish_streaming();
    });
}

}  // namespace rope
