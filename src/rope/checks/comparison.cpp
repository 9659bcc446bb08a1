#include "rope/checks/comparison.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>

#include "base/tasks.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/memory.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {
namespace {

// Returns the rows used for the fit: the first 256, then increasingly sparse ones, and the last.
std::vector<std::uint64_t> fitted_rows(std::uint64_t rows) {
    std::vector<std::uint64_t> chosen;
    for (std::uint64_t row = 0; row < rows; row += 1 + (row < 256 ? 0 : row / 256))
        chosen.push_back(row);
    if (rows > 0 && chosen.back() != rows - 1) chosen.push_back(rows - 1);
    return chosen;
}

// |e^{iα} − 1| = 2|sin(α/2)|
double chord(double angle) {
    const std::uint64_t turn = turn_of_half(angle);
    double c, s;
    kernels().cos_sin_of_turns(1, &turn, &c, &s);
    return 2 * std::abs(s);
}

struct RowSample {
    double position, angle, modulus;  // of ẑ/a
};

// Reads the finite rows.
std::vector<RowSample> read_samples(const Comparison& comparison, std::uint32_t pair,
                                    double amplitude, std::span<const std::uint64_t> rows) {
    const auto reader = comparison.subject.read({pair, 1});
    std::vector<RowSample> samples;
    for (const std::uint64_t row : rows) {
        double c, s;
        reader->fill({&row, 1}, &c, &s);
        if (!std::isfinite(c) || !std::isfinite(s)) continue;
        samples.push_back({comparison.subject.position_of(row, comparison.axis[pair]),
                           portable::atan2(s, c), portable::hypot(c, s) / amplitude});
    }
    return samples;
}

// Returns the median of √(cos² + sin²), which a few wrong rows or pairs do not change; the plan's
// amplitude if the difference may be rounding.
double fit_amplitude(const Comparison& comparison, std::span<const std::uint64_t> rows) {
    std::vector<std::vector<RowSample>> samples(comparison.spec.pairs());
    run_tasks(samples.size(), comparison.threads, [&](std::size_t i) {
        samples[i] = read_samples(comparison, static_cast<std::uint32_t>(i), 1, rows);
    });
    std::vector<double> moduli;
    for (const std::vector<RowSample>& of_pair : samples)
        for (const RowSample& sample : of_pair) moduli.push_back(sample.modulus);
    const double planned = comparison.plan.attention_factor;
    if (moduli.empty()) return planned;
    const auto middle = moduli.begin() + std::ssize(moduli) / 2;
    std::ranges::nth_element(moduli, middle);
    if (!(*middle > 0)) return planned;
    return std::abs(*middle / planned - 1) <= comparison.storage ? planned : *middle;
}

// The line φ = offset + θ·m of a pair's angles. `misfit` is the largest distance of a row from it,
// in units of the tolerance at its position.
struct FittedLine {
    double theta, offset, misfit = 0;
};

class Fitter {
  public:
    Fitter(const Comparison& comparison, std::uint32_t pair, std::span<const RowSample> samples)
        : comparison_(comparison),
          pair_(pair),
          samples_(samples),
          planned_(comparison.plan.pairs[pair].inv_freq.to_double()) {}

    double theta() const {
        FittedLine best = measured({planned_, 0});
        for (const bool by_line : {false, true})
            if (const FittedLine line = fit(by_line); line.misfit <= best.misfit) best = line;
        return best.theta;
    }

  private:
    // Fits by least squares. Angles are unwrapped by the plan's θ, or each by the line through the
    // rows before it, which starts with the plan's θ.
    FittedLine fit(bool by_line) const {
        LineSums line;
        double theta = planned_;
        const RowSample& first = samples_.front();
        for (const RowSample& sample : samples_) {
            const double distance = sample.position - first.position;
            const double expected = by_line && &sample != &first
                                        ? line.at(distance, theta)
                                        : first.angle + planned_ * distance;
            const double turns = std::round((expected - sample.angle) / full_turn);
            const double error = comparison_.subject.exactness().rounding +
                                 0x1p-24 * std::abs(sample.position * planned_);
            line.add(distance, sample.angle + turns * full_turn, 1 / (error * error));
            if (line.spread() > 1e-12 * line.w * line.xx) theta = line.slope();
        }
        return measured({theta, line.at(-first.position, theta)});
    }

    FittedLine measured(FittedLine line) const {
        for (const RowSample& sample : samples_) {
            const double angle = sample.angle - line.offset - line.theta * sample.position;
            const double distance =
                portable::hypot(sample.modulus - 1, std::sqrt(sample.modulus) * chord(angle));
            line.misfit =
                std::max(line.misfit, distance / comparison_.tolerance(sample.position, pair_));
        }
        return line;
    }

    const Comparison& comparison_;
    std::uint32_t pair_;
    std::span<const RowSample> samples_;
    double planned_;
};

// Frequencies and amplitude fitted to a dump.
struct Fit {
    std::vector<BigReal> inv_freq;  // one per pair, may be negative
    double amplitude = 1;           // the median of √(cos² + sin²)
};

// Fits three lines to the angles of each pair and chooses the one nearest to all rows: the plan's
// line, and two by least squares, with angles unwrapped by the plan's θ or by the line through the
// rows before (the angle between two rows gives θ modulo 2π/gap, and the plan's θ selects the
// branch). So a subject within tolerance of the exact rows is within tolerance of the fit too, and
// satisfies every law. Rows that are not finite are skipped. comparison.effective_* are not used.
Fit fit_frequencies(const Comparison& comparison) {
    const std::vector<std::uint64_t> rows = fitted_rows(comparison.subject.rows());
    Fit fit{{}, fit_amplitude(comparison, rows)};
    std::vector<std::optional<double>> theta(comparison.spec.pairs());  // empty: no finite row
    run_tasks(theta.size(), comparison.threads, [&](std::size_t pair) {
        const auto i = static_cast<std::uint32_t>(pair);
        const std::vector<RowSample> samples = read_samples(comparison, i, fit.amplitude, rows);
        if (!samples.empty()) theta[i] = Fitter(comparison, i, samples).theta();
    });
    for (std::size_t i = 0; i < theta.size(); ++i)
        fit.inv_freq.push_back(theta[i] ? BigReal(*theta[i], exact_precision)
                                        : comparison.plan.pairs[i].inv_freq);
    return fit;
}

// Returns the position up to which rounding moves a pair by at most `most`. Integer positions up to
// 2^24 are exact in float32.
double carried_to(const Comparison& comparison, std::uint32_t pair, double most) {
    const double carried = most / comparison.slope[pair];
    const bool counts = comparison.subject.positions(comparison.axis[pair]).empty();
    if (!comparison.rounds_positions || !counts) return carried;
    const double theta = comparison.plan.pairs[pair].inv_freq.to_double();
    const double of_positions = comparison.position_k(least_exact) * 0x1p-24 * theta;
    const double own = std::max(0.0, comparison.slope[pair] - of_positions);
    return std::min(most / own, std::max(carried, 0x1p24));
}

bool float32_rounds_positions(const Comparison& comparison) {
    if (comparison.context() > 1 << 24) return true;
    for (std::uint32_t a = 0; a < axis_count(comparison.spec.axes); ++a)
        for (const double m : comparison.subject.positions(a))
            if (static_cast<double>(static_cast<float>(m)) != m) return true;
    return false;
}

// Returns K of each pair, from the known implementation or from the profile.
std::vector<double> expected_k(const Comparison& comparison) {
    std::vector<double> k = comparison.subject.exactness().angle_k;
    double position_k = comparison.position_k(least_exact);
    if (comparison.profile) {
        const Arithmetic arithmetic = comparison.profile->arithmetic;
        k = angle_k(arithmetic, comparison.spec, comparison.plan);
        position_k = comparison.position_k(arithmetic);
    }
    for (double& each : k) each += position_k;
    return k;
}

// θ̃ has an error of the subject's arithmetic; without a class that explains the subject, of the
// least accurate one. The slope is at least θ's, because a fit determines θ̃ only modulo
// 2π/gap. A subject within the tolerance mK·2^-24·θ + storage is within m|θ̃ − θ| more of the rows
// of θ̃.
double effective_slope(const Comparison& comparison, std::uint32_t pair, double k) {
    const double planned = comparison.plan.pairs[pair].inv_freq.to_double();
    const double own = comparison.effective[pair].inv_freq.to_double();
    const double slope = std::max(comparison.slope[pair], k * 0x1p-24 * std::abs(own));
    const bool is_explained = comparison.profile && comparison.profile->explains;
    return is_explained ? slope + std::abs(own - planned) : slope;
}

void add_effective(Comparison& comparison) {
    std::vector<BigReal> inv_freq;
    if (const auto* own = comparison.subject.effective_inv_freq()) {
        inv_freq = *own;
    } else {
        Fit fit = fit_frequencies(comparison);
        inv_freq = std::move(fit.inv_freq);
        comparison.effective_amplitude = fit.amplitude;
    }
    comparison.effective.clear();
    for (BigReal& each : inv_freq) comparison.effective.push_back({std::move(each), {}});
    std::vector<double> k = expected_k(comparison);
    if (comparison.profile && !comparison.profile->explains) {
        const auto any = angle_k(least_exact, comparison.spec, comparison.plan);
        std::fill(k.begin(), k.end(), *std::max_element(any.begin(), any.end()));
    }
    for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i) {
        comparison.effective_slope.push_back(effective_slope(comparison, i, k[i]));
        comparison.effective_rates[i] = turn_rate(comparison.effective[i]);
    }
}

// Error of rounding an angle below 8 to float32.
constexpr double reduced_angle_error = 0x1p-22;

// An implementation that no class explains may reduce its angles modulo 2π. Then all angles are
// rounded to float32, even those of θ = 1. Formats coarser than float32 do not show it, and
// frequencies have no angles.
void add_profile(Comparison& comparison) {
    comparison.profile = profile_of(comparison);
    if (comparison.profile->explains || comparison.storage > 0x1p-20 ||
        comparison.subject.effective_inv_freq() != nullptr)
        return;
    Comparison reduced = comparison;
    reduced.rounding += reduced_angle_error * comparison.plan.attention_factor;
    reduced.storage += reduced_angle_error;
    reduced.profile = profile_of(reduced, false);
    if (!reduced.profile->explains) return;
    comparison.rounding = reduced.rounding;
    comparison.storage = reduced.storage;
    comparison.profile = std::move(reduced.profile);
    comparison.profile->reduced = true;
}

// Computes the least K of each value of a tile.
class LeastK {
  public:
    LeastK(const Comparison& comparison, PairRange pairs)
        : amplitude_(comparison.plan.attention_factor),
          rounding_(comparison.rounding + 0x1p-48),
          distance_(comparison.storage * amplitude_) {
        for (std::uint32_t i = pairs.first; i < pairs.first + pairs.count; ++i)
            unit_.push_back(amplitude_ * 0x1p-24 * comparison.plan.pairs[i].inv_freq.to_double());
    }

    // Returns rows × pairs values.
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

using Limits = std::vector<std::vector<double>>;  // K of each arithmetic and pair

bool is_explained(const std::vector<double>& k, const std::vector<double>& limit) {
    return std::equal(k.begin(), k.end(), limit.begin(), std::less_equal<>());
}

// Ends early if a pair exceeds `limit`.
std::vector<double> largest_of_each_pair(const Comparison& comparison,
                                         const std::vector<double>& limit) {
    const std::vector<Block> blocks = blocks_of(comparison);
    std::mutex mutex;
    std::atomic<bool> is_exceeded = false;
    std::vector<double> all(comparison.spec.pairs(), 0);
    run_tasks(blocks.size(), comparison.threads, [&](std::size_t b) {
        if (is_exceeded) return;
        const auto [pairs, rows] = blocks[b];
        std::vector<double> largest(pairs.count, 0);
        LeastK least(comparison, pairs);
        Sweep(comparison, pairs).run(rows, [&](const Tile& tile) {
            const auto& k = least.of(tile);
            for (auto row = k.begin(); row < k.end(); row += pairs.count)
                std::transform(largest.begin(), largest.end(), row, largest.begin(),
                               [](double a, double b) { return std::max(a, b); });
        });
        const std::lock_guard lock(mutex);
        for (std::uint32_t i = 0; i < pairs.count; ++i)
            all[pairs.first + i] = std::max(all[pairs.first + i], largest[i]);
        is_exceeded = !is_explained(all, limit);
    });
    return all;
}

// Returns the number of values that each class does not explain. A class explains what the classes
// before it do.
std::array<std::uint64_t, arithmetics.size()> count_unexplained(const Comparison& comparison,
                                                                const Limits& limits) {
    using Counts = std::array<std::uint64_t, arithmetics.size()>;
    const std::vector<Block> blocks = blocks_of(comparison);
    std::mutex mutex;
    Counts all{};
    run_tasks(blocks.size(), comparison.threads, [&](std::size_t b) {
        const auto [pairs, rows] = blocks[b];
        Counts counts{};
        LeastK least(comparison, pairs);
        Sweep(comparison, pairs).run(rows, [&](const Tile& tile) {
            const auto& k = least.of(tile);
            for (auto row = k.begin(); row < k.end(); row += pairs.count)
                for (std::size_t a = 0; a < limits.size(); ++a)
                    counts[a] += std::transform_reduce(
                        row, row + pairs.count, limits[a].begin() + pairs.first, std::uint64_t{0},
                        std::plus<>(),
                        [](double each, double limit) -> std::uint64_t { return each > limit; });
        });
        const std::lock_guard lock(mutex);
        std::transform(all.begin(), all.end(), counts.begin(), all.begin(), std::plus<>());
    });
    return all;
}

}  // namespace

double Comparison::tolerance(double m, std::uint32_t pair) const {
    return std::min(2.0, slope[pair] * std::abs(m)) + storage;
}

double Comparison::effective_tolerance(double m, std::uint32_t pair) const {
    return std::min(2.0, effective_slope[pair] * std::abs(m)) + storage;
}

std::uint64_t Comparison::context() const {
    if (subject.rows() == 0) return 0;
    std::vector<double> last;
    for (std::uint32_t a = 0; a < axis_count(spec.axes); ++a)
        last.push_back(subject.position_of(subject.rows() - 1, a));
    return context_of(last);
}

double Comparison::position_k(Arithmetic arithmetic) const {
    return rounds_positions && arithmetic != Arithmetic::exact ? 1 : 0;
}

std::optional<Uncarried> first_uncarried(const Comparison& comparison) {
    constexpr double most = 0.1;
    const RowSource& subject = comparison.subject;
    std::optional<Uncarried> first;
    for (std::uint32_t i = 0; i < comparison.slope.size() && subject.rows() > 0; ++i) {
        const double carried = carried_to(comparison, i, std::max(0.0, most - comparison.storage));
        const auto last = subject.position_of(subject.rows() - 1, comparison.axis[i]);
        if (!(carried < std::abs(last))) continue;
        const auto position = static_cast<std::uint64_t>(carried) + 1;
        if (!first || position < first->position) first = {position, i};
    }
    return first;
}

Comparison make_comparison(const Spec& spec, const FrequencyPlan& plan, const RowSource& subject,
                           std::uint64_t seed, unsigned threads) {
    Comparison comparison{.spec = spec,
                          .plan = plan,
                          .subject = subject,
                          .effective_amplitude = plan.attention_factor,
                          .seed = seed,
                          .threads = threads,
                          .axis = axis_of_pairs(spec.axes, spec.pairs())};
    const Exactness& exactness = subject.exactness();
    comparison.rounding = exactness.rounding;
    // 2^-48 for computations in double
    comparison.storage = std::numbers::sqrt2 * exactness.rounding / plan.attention_factor + 0x1p-48;
    comparison.rounds_positions = float32_rounds_positions(comparison);
    comparison.effective = plan.pairs;
    comparison.rates = turn_rates(plan.pairs);
    comparison.effective_rates = comparison.rates;
    if (exactness.is_unknown_implementation) add_profile(comparison);
    const std::vector<double> k = expected_k(comparison);
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
        comparison.slope.push_back(k[i] * 0x1p-24 * plan.pairs[i].inv_freq.to_double());
    add_effective(comparison);
    return comparison;
}

Profile profile_of(const Comparison& comparison, bool is_most_wanted) {
    Limits limits;
    for (const Arithmetic each : arithmetics) {
        limits.push_back(angle_k(each, comparison.spec, comparison.plan));
        for (double& k : limits.back()) k += comparison.position_k(each);
    }
    Profile profile{largest_of_each_pair(comparison, limits.back())};
    for (const Arithmetic each : arithmetics) {
        profile.arithmetic = each;
        if (is_explained(profile.k, limits[static_cast<std::size_t>(each)])) return profile;
    }
    profile.explains = false;
    if (!is_most_wanted) return profile;
    const auto counts = count_unexplained(comparison, limits);
    const auto least = std::ranges::min_element(counts);
    profile.arithmetic = arithmetics[static_cast<std::size_t>(least - counts.begin())];
    return profile;
}

}  // namespace rope
