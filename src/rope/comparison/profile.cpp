#include "rope/comparison/profile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "base/tasks.hpp"
#include "rope/comparison/comparison.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/number/aligned.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The least K of each value of a tile.
class LeastK {
  public:
    LeastK(const Comparison& comparison, PairRange pairs)
        : amplitude_(comparison.plan.attention_factor),
          rounding_(comparison.subject.exactness().rounding + 0x1p-48),
          distance_(comparison.storage * amplitude_) {
        for (std::uint32_t i = pairs.first; i < pairs.first + pairs.count; ++i)
            unit_.push_back(amplitude_ * 0x1p-24 * comparison.plan.pairs[i].inv_freq.to_double());
    }

    // Calls take(pair of the tile, K).
    template <class Take>
    void of(const Tile& tile, const Take& take) {
        k_.resize(unit_.size());
        for (std::size_t r = 0; r < tile.positions.size(); ++r) {
            if (tile.positions[r] == 0) continue;
            const std::size_t first = r * unit_.size();
            const double m = std::abs(tile.positions[r]);
            for (std::size_t i = 0; i < unit_.size(); ++i) {
                const double dc = tile.cos[first + i] - amplitude_ * tile.true_cos[first + i];
                const double ds = tile.sin[first + i] - amplitude_ * tile.true_sin[first + i];
                const double larger = std::max(std::abs(dc), std::abs(ds)) - rounding_;
                const double both = std::sqrt(dc * dc + ds * ds) - distance_;
                k_[i] = (larger > both ? larger : both) / (m * unit_[i]);
            }
            for (std::size_t i = 0; i < unit_.size(); ++i)
                take(i, std::isnan(k_[i]) ? infinity : k_[i]);
        }
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
            least.of(tile, [&](std::size_t i, double k) { largest[i] = std::max(largest[i], k); });
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
            least.of(tile, [&, first = pairs.first](std::size_t i, double k) {
                for (std::size_t a = 0; a < limits.size() && k > limits[a][first + i]; ++a)
                    ++counts[a];
            });
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
