// Tables and rotated tensors in memory, compared with the memory's bandwidth.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <vector>

#include "rope/exact/element.hpp"
#include "rope/exact/memory.hpp"
#include "rope/rows/stored_table.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace {

constexpr std::size_t rows = 131072, pairs = 64, heads = 32, positions = 8192;

// Touched and aligned, and in huge pages if these are available.
class Memory {
  public:
    explicit Memory(std::size_t bytes) : bytes_(bytes), all_(new std::byte[bytes + page]) {
        advise_huge_pages(all_.get(), bytes + page);
        std::memset(all_.get(), 0x3f, bytes + page);  // about 0.75 in every format
    }
    std::span<std::byte> span() {
        const auto address = reinterpret_cast<std::uintptr_t>(all_.get());
        return {all_.get() + (page - address % page), bytes_};
    }

  private:
    static constexpr std::size_t page = 2 << 20;
    std::size_t bytes_;
    std::unique_ptr<std::byte[]> all_;
};

constexpr std::size_t limit_bytes = std::size_t{128} << 20;

void memory_streaming_write(benchmark::State& state) {
    Memory to(limit_bytes), tile(16384);
    for (auto _ : state) {
        for (std::size_t k = 0; k < limit_bytes; k += 16384)
            stream(to.span().data() + k, tile.span().data(), 16384);
        finish_streaming();
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(limit_bytes));
}
BENCHMARK(memory_streaming_write)->Unit(benchmark::kMillisecond);

// Counts bytes read and written, as for tensors.
void memory_streaming_copy(benchmark::State& state) {
    Memory from(limit_bytes), to(limit_bytes);
    for (auto _ : state) {
        stream(to.span().data(), from.span().data(), limit_bytes);
        finish_streaming();
    }
    state.SetBytesProcessed(2 * state.iterations() * static_cast<std::int64_t>(limit_bytes));
}
BENCHMARK(memory_streaming_copy)->Unit(benchmark::kMillisecond);

void table(benchmark::State& state, Format format) {
    const FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, 1e4), exact_precision);
    Memory cos(rows * pairs * bytes_of(element_of(format))),
        sin(rows * pairs * bytes_of(element_of(format)));
    for (auto _ : state) build_table(plan, 0, {format, cos.span(), sin.span()});
    state.SetBytesProcessed(
        state.iterations() *
        static_cast<std::int64_t>(2 * rows * pairs * bytes_of(element_of(format))));
}
BENCHMARK_CAPTURE(table, float32, Format::float32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(table, float64, Format::float64)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(table, bfloat16, Format::bfloat16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(table, float16, Format::float16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rope
