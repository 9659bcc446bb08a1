#include "rope/stored_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "rope/decimal.hpp"
#include "rope/float64_rows.hpp"
#include "rope/kernels.hpp"
#include "rope/parallel.hpp"
#include "rope/streaming.hpp"
#include "rope/table.hpp"

namespace rope {
namespace {

constexpr std::uint64_t rows_of_task = 4096;

std::size_t bytes_of(Format format) {
    return format == Format::float64 ? 8 : format == Format::float32 ? 4 : 2;
}

void require_format(Format format) {
    if (format != Format::tf32) return;
    throw InputError("a table's format is tf32; it must be float64, float32, bfloat16 or float16");
}

std::uint64_t rows_of(const FrequencyPlan& plan, std::uint64_t first, const StoredTable& table) {
    require_format(table.format);
    const std::size_t row = plan.pairs.size() * bytes_of(table.format);
    if (table.cos.size() != table.sin.size() || row == 0 || table.cos.size() % row != 0)
        throw InputError("cos has " + decimal(std::uint64_t{table.cos.size()}) + " bytes and sin " +
                         decimal(std::uint64_t{table.sin.size()}) +
                         "; both must be whole rows of " + decimal(std::uint64_t{row}));
    for (const auto& values : {table.cos, table.sin})
        if (reinterpret_cast<std::uintptr_t>(values.data()) % bytes_of(table.format) != 0)
            throw InputError("a table's memory is not aligned to its numbers");
    const std::uint64_t rows = table.cos.size() / row;
    if (first > max_context || rows > max_context - first)
        throw InputError("positions go to " + decimal(first) + " + " + decimal(rows) +
                         "; they must be below " + decimal(max_context));
    return rows;
}

// A number of the format, which x is.
void store(Format format, double x, std::byte* to) {
    const auto value = static_cast<float>(x);
    if (format == Format::float32) {
        std::memcpy(to, &value, sizeof value);
        return;
    }
    // float16's least exponent is float32's, once 112 is taken off; its subnormals come out too
    const auto bits = format == Format::bfloat16
                          ? std::bit_cast<std::uint32_t>(value) >> 16
                          : (std::bit_cast<std::uint32_t>(value * 0x1p-112F) >> 13 & 0x7fff) |
                                (std::bit_cast<std::uint32_t>(value) >> 16 & 0x8000);
    const auto half = static_cast<std::uint16_t>(bits);
    std::memcpy(to, &half, sizeof half);
}

// Tile by tile; one belongs to one thread.
class Builder {
  public:
    // `turns` of a float64 table, else null.
    Builder(const TruthRows& truth, const Float64Turns* turns, double amplitude,
            const StoredTable& table)
        : truth_(truth),
          amplitude_(amplitude),
          table_(table),
          row_bytes_(truth.exact().pairs() * bytes_of(table.format)),
          streams_(table.cos.size() >= large_output / 2),
          block_cos_(truth.exact().pairs()),
          block_sin_(block_cos_),
          aside_(2 * (streamed_rows * row_bytes_ / sizeof(Line) + 1)) {
        if (turns != nullptr) float64_.emplace(*turns);
    }

    // Positions first … first + rows − 1, of one tile, as the table's rows from `row` on.
    void build(std::uint64_t first, std::size_t rows, std::uint64_t row) {
        const std::uint64_t start = first / tile_rows * tile_rows;
        if (!float64_) truth_.exact().fill_row(start, block_cos_.data(), block_sin_.data());
        for (auto* block : {&block_cos_, &block_sin_})
            for (double& value : *block) value *= amplitude_;
        const std::size_t step = streams_ ? streamed_rows : rows;
        for (std::size_t r = 0; r < rows; r += step) {
            const std::size_t count = std::min(step, rows - r), at = (row + r) * row_bytes_;
            std::byte* const cos = table_.cos.data() + at;
            std::byte* const sin = table_.sin.data() + at;
            if (!streams_) {
                fill(first + r, count, cos, sin);
                continue;
            }
            auto* const aside_cos = reinterpret_cast<std::byte*>(aside_.data());
            auto* const aside_sin = reinterpret_cast<std::byte*>(&aside_[aside_.size() / 2]);
            fill(first + r, count, aside_cos, aside_sin);
            stream(cos, aside_cos, count * row_bytes_);
            stream(sin, aside_sin, count * row_bytes_);
        }
    }

  private:
    struct alignas(64) Line {
        std::byte bytes[64];
    };

    // Few enough that they and the 32 rows they are made of stay in the first-level cache.
    static constexpr std::size_t streamed_rows = 8;

    void fill(std::uint64_t first, std::size_t rows, std::byte* cos, std::byte* sin) {
        if (float64_)
            float64_->fill(first, rows, reinterpret_cast<double*>(cos),
                           reinterpret_cast<double*>(sin));
        else if (add_angles(first, rows, cos, sin) != 0)
            round(first, rows, cos, sin);
    }

    // Returns how many numbers are in doubt.
    std::size_t add_angles(std::uint64_t first, std::size_t rows, std::byte* cos, std::byte* sin) {
        const ExactRows& exact = truth_.exact();
        const std::size_t pairs = exact.pairs(), begin = first % tile_rows * pairs;
        const TileSource source{block_cos_.data(), block_sin_.data(), exact.base_cos() + begin,
                                exact.base_sin() + begin,
                                2 * cos_sin_error * std::max(1.0, amplitude_)};
        const StorageKernels& kernel = *kernels().storage;
        if (table_.format == Format::float32)
            return kernel.float32_tile(rows, pairs, &source, reinterpret_cast<float*>(cos),
                                       reinterpret_cast<float*>(sin));
        const auto tile =
            table_.format == Format::bfloat16 ? kernel.bfloat16_tile : kernel.float16_tile;
        return tile(rows, pairs, &source, reinterpret_cast<std::uint16_t*>(cos),
                    reinterpret_cast<std::uint16_t*>(sin));
    }

    void round(std::uint64_t first, std::size_t rows, std::byte* cos, std::byte* sin) {
        std::vector<std::uint64_t> positions(rows);
        std::iota(positions.begin(), positions.end(), first);
        const std::size_t n = rows * truth_.exact().pairs(), size = bytes_of(table_.format);
        std::vector<double> c(n), s(n);
        truth_.fill_rounded(positions, table_.format, c.data(), s.data());
        for (std::size_t k = 0; k < n; ++k) {
            store(table_.format, c[k], cos + k * size);
            store(table_.format, s[k], sin + k * size);
        }
    }

    const TruthRows& truth_;
    double amplitude_;
    const StoredTable& table_;
    std::size_t row_bytes_;
    bool streams_;
    std::optional<Float64Rows> float64_;
    std::vector<double> block_cos_, block_sin_;
    std::vector<Line> aside_;
};

}  // namespace

void build_table(const FrequencyPlan& plan, std::uint64_t first, const StoredTable& table,
                 unsigned threads) {
    const std::uint64_t rows = rows_of(plan, first, table);
    const TruthRows truth(plan, 0, static_cast<std::uint32_t>(plan.pairs.size()));
    if (table.cos.size() >= large_output / 2)
        for (const auto& values : {table.cos, table.sin})
            advise_huge_pages(values.data(), values.size());
    std::optional<Float64Turns> turns;
    if (table.format == Format::float64) turns.emplace(truth, plan.attention_factor, first + rows);
    // tasks and tiles begin at multiples of 32, but for the first
    const std::uint64_t end = first + rows, origin = first / rows_of_task * rows_of_task;
    const std::uint64_t tasks = rows == 0 ? 0 : (end - origin + rows_of_task - 1) / rows_of_task;
    run_tasks(tasks, threads, [&](std::size_t task) {
        Builder builder(truth, turns ? &*turns : nullptr, plan.attention_factor, table);
        const std::uint64_t start = origin + task * rows_of_task;
        const std::uint64_t stop = std::min(end, start + rows_of_task);
        for (std::uint64_t m = std::max(first, start), next = 0; m < stop; m = next) {
            next = std::min(stop, m / tile_rows * tile_rows + tile_rows);
            builder.build(m, next - m, m - first);
        }
        finish_streaming();
    });
}

}  // namespace rope
