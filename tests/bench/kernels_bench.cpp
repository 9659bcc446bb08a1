// The sweep's loops on one tile of 32 rows and 64 pairs, which stays in the caches.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "rope/checks/decay.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/session/judge.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace {

constexpr std::size_t pairs = 64, n = tile_rows * pairs;

struct TileOfRows {
    FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, 1e4), exact_precision);
    std::vector<TurnRate> rates;
    AlignedVector<float> position = AlignedVector<float>(tile_rows, 0), inv_freq;
    AlignedVector<double> block_c = AlignedVector<double>(pairs), block_s = block_c;
    AlignedVector<double> c = AlignedVector<double>(n), s = c, effective_c = c, effective_s = c,
                          column = block_c;

    ComparedRows compared() const {
        return {tile_rows, pairs, {c.data(), s.data()}, {effective_c.data(), effective_s.data()}};
    }

    TileOfRows() {
        for (const PlannedFrequency& pair : plan.pairs) {
            rates.push_back(turn_rate(pair));
            inv_freq.push_back(static_cast<float>(pair.inv_freq.to_double()));
        }
        for (std::size_t r = 0; r < tile_rows; ++r) position[r] = static_cast<float>(4096 + r);
    }
};

// What a loop does for one pair of a row: operations on double, and on integers in round_near_exact
// (a fused multiply-add counts once; loads, stores and masks do not), and bytes read and written.
struct Cost {
    double operations, bytes;
};

void count_values(benchmark::State& state, Cost cost) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
    state.counters["operations"] = cost.operations;
    state.counters["bytes"] = cost.bytes;
}

#if defined(__x86_64__)
#define ROPE_BENCH_EVERY_ISA \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ROPE_BENCH_EVERY_ISA
#endif

// The machine's limit: independent multiplications and additions of double in registers.
ROPE_BENCH_EVERY_ISA void multiply_and_add(double* values) {
    constexpr std::size_t wide = 64;
    double product[wide], sum[wide];
    for (std::size_t k = 0; k < wide; ++k) product[k] = sum[k] = values[k];
    for (int repeat = 0; repeat < 64; ++repeat)
        for (std::size_t k = 0; k < wide; ++k) {
            product[k] *= 0x1.fffffep-1;
            sum[k] += 0x1p-20;
        }
    for (std::size_t k = 0; k < wide; ++k) values[k] = product[k] + sum[k];
}

void limit_arithmetic(benchmark::State& state) {
    AlignedVector<double> values(64, 1);
    for (auto _ : state) {
        multiply_and_add(values.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * 2 * 64 * 64);
}
BENCHMARK(limit_arithmetic);

// The machine's limit: a copy within the first cache, bytes read and written.
void limit_cache(benchmark::State& state) {
    AlignedVector<double> from(1024, 1), to(1024);
    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), 8192);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * 2 * 8192);
}
BENCHMARK(limit_cache);

void kernel_fill_row(benchmark::State& state) {
    TileOfRows tile;
    const ExactRows exact(tile.rates);
    for (auto _ : state) exact.fill_row(4096, tile.block_c.data(), tile.block_s.data());
}
BENCHMARK(kernel_fill_row);

void kernel_add_angles(benchmark::State& state) {
    TileOfRows tile;
    const ExactRows exact(tile.rates);
    exact.fill_row(4096, tile.block_c.data(), tile.block_s.data());
    for (auto _ : state)
        kernels().add_angles(tile_rows, pairs, {tile.block_c.data(), tile.block_s.data()},
                             {exact.base_cos(), exact.base_sin()}, {tile.c.data(), tile.s.data()});
    count_values(state, {6, 32});
}
BENCHMARK(kernel_add_angles);

void kernel_round_near_exact(benchmark::State& state) {
    TileOfRows tile;
    const ExactRows exact(tile.rates);
    exact.fill_row(4096, tile.block_c.data(), tile.block_s.data());
    for (auto _ : state)
        kernels().round_near_exact(
            tile_rows, pairs, tile.position.data(), tile.inv_freq.data(),
            {tile.block_c.data(), tile.block_s.data()}, {exact.base_cos(), exact.base_sin()},
            {tile.effective_c.data(), tile.effective_s.data()}, {tile.c.data(), tile.s.data()});
    count_values(state, {39, 48});
}
BENCHMARK(kernel_round_near_exact);

void kernel_table_suspects(benchmark::State& state) {
    TileOfRows tile;
    const AlignedVector<double> slope(pairs);
    const ExpectedErrors expected{slope.data(), 1, 2, slope.data(), 1, 2};
    for (auto _ : state)
        benchmark::DoNotOptimize(kernels().checks->table_suspects(tile.compared(), 1, expected));
    count_values(state, {8, 32});
}
BENCHMARK(kernel_table_suspects);

void kernel_norm_errors(benchmark::State& state) {
    TileOfRows tile;
    AlignedVector<double> out(pairs);
    for (auto _ : state)
        kernels().checks->norm_errors(tile_rows, pairs, 1, 1, {tile.c.data(), tile.s.data()},
                                      tile.column.data(), out.data());
    count_values(state, {8, 16});
}
BENCHMARK(kernel_norm_errors);

void kernel_radii(benchmark::State& state) {
    TileOfRows tile;
    for (auto _ : state) kernels().checks->radii(tile.compared(), 1, tile.column.data());
    count_values(state, {9, 32});
}
BENCHMARK(kernel_radii);

void roformer_curve(benchmark::State& state) {
    const FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, 1e4), exact_precision);
    for (auto _ : state) benchmark::DoNotOptimize(decay_curves(plan, 1048575));
}
BENCHMARK(roformer_curve)->Unit(benchmark::kMillisecond);

void plan(benchmark::State& state) {
    const Spec spec = spec_of(2 * pairs, 1e4);
    for (auto _ : state) benchmark::DoNotOptimize(plan_frequencies(spec, exact_precision));
}
BENCHMARK(plan);

void judge_everything(benchmark::State& state) {
    const Spec spec = spec_of(2 * pairs, 1e4);
    const auto context = static_cast<std::uint64_t>(state.range(0));
    JudgeOptions options;
    options.threads = 1;
    for (auto _ : state) {
        const auto rows = emulate(spec, find_pipeline("hf-fp32"), context);
        benchmark::DoNotOptimize(judge(spec, *rows, options));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0) * static_cast<std::int64_t>(pairs));
}
BENCHMARK(judge_everything)->Arg(2048)->Arg(131072)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rope
