#include "rope/comparison/profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>

#include "base/tasks.hpp"
#include "rope/comparison/comparison.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/number/memory.hpp"

namespace rope {
namespace {

// The least K of each value of a tile.
class LeastK {
  public:
    LeastK(const Comparison& comparison, PairRange pairs)
        : amplitude_(comparison.plan.attention_factor),
          rounding_(comparison.rounding + 0x1p-48),
          distance_(comparison.storage * amplitude_) {
        for (std::uint32_t i = pairs.first; i < pairs.first + pairs.count; ++i)
            unit_.push_back(amplitude_ * 0x1p-24 * comparison.plan.pairs[i].inv_freq.to_double());
    }

    // Rows × pairs of the tile.
    const AlignedVector<double>& of(const Tile& tile) {
        const std::size_t rows = tile.positions.size(), stride = unit_.size();
        k_.resize(rows * stride);
        kernels().checks->least_k(
            {rows, stride, {tile.cos, tile.sin}, {tile.true_cos, tile.true_sin}},
            {tile.positions.data(), unit_.data(), amplitude_, rounding_, distance_}, k_.data());
        return k_;
    }

  private:
    double amplitude_, rounding_, distance_;
    AlignedVector<double> unit_, k_;
};

std::vector<double> largest_of_each_pair(const Comparison& comparison, unsigned threads) {
    const Blocks blocks(comparison);
    std::mutex mutex;
    std::vector<double> all(comparison.spec.pairs(), 0);
    run_tasks(blocks.size(), threads, [&](std::size_t b) {
        const auto [pairs, rows] = blocks[b];
        std::vector<double> largest(pairs.count, 0);
        LeastK least(comparison, pairs);
        Sweep(comparison, pairs).run(rows, [&](const Tile& tile) {
            const auto& k = least.of(tile);
            for (std::size_t first = 0; first < k.size(); first += pairs.count)
                for (std::size_t i = 0; i < pairs.count; ++i)
                    largest[i] = std::max(largest[i], k[first + i]);
        });
        const std::lock_guard lock(mutex);
        for (std::uint32_t i = 0; i < pairs.count; ++i)
            all[pairs.first + i] = std::max(all[pairs.first + i], largest[i]);
    });
    return all;
}

using Limits = std::vector<std::vector<double>>;  // K of each arithmetic and pair

bool is_explained(const std::vector<double>& k, const std::vector<double>& limit) {
    return std::equal(k.begin(), k.end(), limit.begin(), std::less_equal<>());
}

// How many values each arithmetic leaves unexplained.
std::array<std::uint64_t, arithmetics.size()> count_unexplained(const Comparison& comparison,
                                                                const Limits& limits,
                                                                unsigned threads) {
    using Counts = std::array<std::uint64_t, arithmetics.size()>;
    const Blocks blocks(comparison);
    std::mutex mutex;
    Counts all{};
    run_tasks(blocks.size(), threads, [&](std::size_t b) {
        const auto [pairs, rows] = blocks[b];
        Counts counts{};
        LeastK least(comparison, pairs);
        Sweep(comparison, pairs).run(rows, [&](const Tile& tile) {
            const auto& k = least.of(tile);
            for (std::size_t first = 0; first < k.size(); first += pairs.count)
                for (std::uint32_t i = 0; i < pairs.count; ++i)
                    for (std::size_t a = 0;
                         a < limits.size() && k[first + i] > limits[a][pairs.first + i]; ++a)
                        ++counts[a];
        });
        const std::lock_guard lock(mutex);
        std::transform(all.begin(), all.end(), counts.begin(), all.begin(), std::plus<>());
    });
    return all;
}

}  // namespace

Profile profile_of(const Comparison& comparison, unsigned threads) {
    Profile profile{largest_of_each_pair(comparison, threads)};
    Limits limits;
    for (const Arithmetic each : arithmetics) {
        limits.push_back(angle_k(each, comparison.spec, comparison.plan));
        for (double& k : limits.back()) k += comparison.position_k(each);
        profile.arithmetic = each;
        if (is_explained(profile.k, limits.back())) return profile;
    }
    const auto counts = count_unexplained(comparison, limits, threads);
    const auto least = std::ranges::min_element(counts);
    profile.arithmetic = arithmetics[static_cast<std::size_t>(least - counts.begin())];
    profile.explains = false;
    return profile;
}

}  // namespace rope
