#include "rope/apply.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "rope/decimal.hpp"
#include "rope/kernels.hpp"
#include "rope/parallel.hpp"
#include "rope/streaming.hpp"

namespace rope {
namespace {

constexpr std::size_t tile_bytes = 16384;  // of the output, half of a first-level cache

std::size_t bytes_of(Format format) { return format == Format::float32 ? 4 : 2; }

void require_format(Format format) {
    if (format == Format::float32 || format == Format::bfloat16 || format == Format::float16)
        return;
    throw InputError("vectors are of " + std::string(to_string(format)) +
                     "; they must be float32, bfloat16 or float16");
}

void require_table(const RotaryRows& rows) {
    if (rows.pairs == 0 || rows.head_dim / 2 < rows.pairs)
        throw InputError("a head of " + decimal(std::uint64_t{rows.head_dim}) + " lanes has " +
                         decimal(std::uint64_t{rows.pairs}) +
                         " pairs; it must have 1 to head_dim/2");
    if (rows.cos.empty() || rows.cos.size() != rows.sin.size() || rows.cos.size() % rows.pairs != 0)
        throw InputError("cos has " + decimal(std::uint64_t{rows.cos.size()}) + " values and sin " +
                         decimal(std::uint64_t{rows.sin.size()}) + "; both must be whole rows of " +
                         decimal(std::uint64_t{rows.pairs}));
}

void require_vectors(std::size_t head_bytes, std::size_t number_bytes, std::span<const std::byte> x,
                     std::span<const std::byte> y) {
    if (x.size() != y.size() || x.size() % head_bytes != 0)
        throw InputError("x has " + decimal(std::uint64_t{x.size()}) + " bytes and y " +
                         decimal(std::uint64_t{y.size()}) + "; both must be whole heads of " +
                         decimal(std::uint64_t{head_bytes}));
    for (const auto* memory : {x.data(), y.data()})
        if (reinterpret_cast<std::uintptr_t>(memory) % number_bytes != 0)
            throw InputError("the memory of x or y is not aligned to its numbers");
    const std::less<> before;
    const bool apart =
        !before(x.data(), y.data() + y.size()) || !before(y.data(), x.data() + x.size());
    if (x.data() != y.data() && !apart)
        throw InputError("x and y overlap in part; they must be the same memory or apart");
}

void rotate(Format format, const RotatedRows& table, const std::byte* x, std::byte* y) {
    const RotationKernels& kernel = *kernels().rotation;
    if (format == Format::float32) {
        kernel.rotate_float32(&table, reinterpret_cast<const float*>(x),
                              reinterpret_cast<float*>(y));
        return;
    }
    const auto rotate_16_bits =
        format == Format::bfloat16 ? kernel.rotate_bfloat16 : kernel.rotate_float16;
    rotate_16_bits(&table, reinterpret_cast<const std::uint16_t*>(x),
                   reinterpret_cast<std::uint16_t*>(y));
}

}  // namespace

void apply_rotary(const RotaryRows& rows, Format format, std::span<const std::byte> x,
                  std::span<std::byte> y, unsigned threads) {
    require_format(format);
    require_table(rows);
    const std::size_t positions = rows.cos.size() / rows.pairs;
    const std::size_t lane_bytes = bytes_of(format), row_bytes = rows.head_dim * lane_bytes;
    require_vectors(positions * row_bytes, lane_bytes, x, y);

    const bool streams = x.data() != y.data() && y.size() >= large_output;
    const std::size_t tile = std::max<std::size_t>(1, tile_bytes / row_bytes);
    const std::size_t heads = x.size() / (positions * row_bytes);
    run_tasks(heads, threads, [&](std::size_t head) {
        struct alignas(64) Line {
            std::byte bytes[64];
        };
        std::vector<Line> aside(streams ? tile * row_bytes / sizeof(Line) + 1 : 0);
        for (std::size_t m = 0; m < positions; m += tile) {
            const std::size_t count = std::min(tile, positions - m);
            const RotatedRows table{count,
                                    rows.head_dim,
                                    rows.pairs,
                                    rows.layout == PairLayout::interleaved,
                                    rows.cos.data() + m * rows.pairs,
                                    rows.sin.data() + m * rows.pairs};
            const std::size_t at = (head * positions + m) * row_bytes;
            if (!streams) {
                rotate(format, table, x.data() + at, y.data() + at);
                continue;
            }
            auto* const rotated = reinterpret_cast<std::byte*>(aside.data());
            rotate(format, table, x.data() + at, rotated);
            stream(y.data() + at, rotated, count * row_bytes);
        }
        finish_streaming();
    });
}

}  // namespace rope
