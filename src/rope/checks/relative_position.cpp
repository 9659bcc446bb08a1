// R(m)ᵀR(n) = a²R(n − m) for every pair of positions, with R of the subject's frequencies.
//
// For one pair of dimensions, v_m = ẑ_m·conj(z̃_m·t)/a is 1 if row m is exact. t is a rotation
// common to all rows, which cancels in every pair of positions. With w = v − 1 and r = max |w|,
//     E(m, n) = |conj(v_m)·v_n − 1| = |conj(w_m) + w_n + conj(w_m)·w_n| ≤ 2r + r²,
// one pass over L rows thus bounds the error of all L² pairs of positions. With a row's tolerance
// ε, that of a pair of positions is 2ε + ε². ε grows with the position, so the rows up to each
// power of two have a separate r and a separate tolerance.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/tasks.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/comparison.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/exact/memory.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

using Complex = std::complex<double>;

// t of each pair of dimensions: e^{iδθ} if all positions of the subject are wrong by δ.
class CommonTurn {
  public:
    // Takes the direction of v in the subject's first row that determines the pair, independently
    // of threads; 1 if that row is within its tolerance.
    CommonTurn(const Comparison& comparison, PairRange pairs)
        : re_(pairs.count, 1), im_(pairs.count, 0) {
        const std::uint64_t rows = comparison.subject.rows();
        std::vector<bool> is_known(pairs.count);
        Sweep sweep(comparison, pairs);
        const auto take_all = [&](const Tile& tile) {
            for (std::size_t row = 0; row < tile.positions.size(); ++row)
                for (std::uint32_t i = 0; i < pairs.count; ++i) {
                    if (is_known[i] || tile.is_left_out(row * pairs.count + i)) continue;
                    take(comparison, tile, row, i);
                    is_known[i] = true;
                }
        };
        // for nearly all pairs one row is sufficient
        for (std::uint64_t begin = 0, end = 1;
             begin < rows && std::ranges::count(is_known, false) > 0;
             begin = std::exchange(end, end + 32))
            sweep.run({begin, std::min(end, rows)}, take_all);
    }

    // Returns the tile with z̃·t as its effective rows, valid until the next call. Undetermined
    // values keep z̃.
    Tile turned(Tile tile) {
        if (!is_any_) return tile;
        const std::size_t stride = re_.size(), n = tile.positions.size() * stride;
        cos_.resize(n);
        sin_.resize(n);
        for (std::size_t k = 0; k < n; k += stride)
            for (std::size_t i = 0; i < stride; ++i) {
                const double c = tile.effective_cos[k + i], s = tile.effective_sin[k + i];
                if (tile.is_left_out(k + i)) {
                    cos_[k + i] = c;
                    sin_[k + i] = s;
                    continue;
                }
                cos_[k + i] = c * re_[i] - s * im_[i];
                sin_[k + i] = c * im_[i] + s * re_[i];
            }
        tile.effective_cos = cos_.data();
        tile.effective_sin = sin_.data();
        return tile;
    }

  private:
    void take(const Comparison& comparison, const Tile& tile, std::size_t row, std::uint32_t pair) {
        const std::size_t k = row * tile.pairs.count + pair;
        const Complex v = Complex(tile.cos[k], tile.sin[k]) *
                          Complex(tile.effective_cos[k], -tile.effective_sin[k]);
        const double modulus = std::sqrt(std::norm(v));
        const double allowed =
            comparison.effective_tolerance(tile.positions[row], tile.pairs.first + pair);
        if (!(modulus > 0) || !std::isfinite(modulus)) return;
        if (std::norm(v / modulus - 1.0) <= allowed * allowed) return;
        re_[pair] = v.real() / modulus;
        im_[pair] = v.imag() / modulus;
        is_any_ = true;
    }

    bool is_any_ = false;
    std::vector<double> re_, im_;
    AlignedVector<double> cos_, sin_;
};

std::size_t octave_of(double position) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(std::abs(position))));
}

// Returns w = v − 1 for a value of a tile.
Complex deviation_of(const Tile& tile, std::size_t k, double amplitude) {
    const double c = tile.cos[k], s = tile.sin[k], tc = tile.effective_cos[k],
                 ts = tile.effective_sin[k];
    return {(c * tc + s * ts) / amplitude - 1, (s * tc - c * ts) / amplitude};
}

// Returns E(m, n); NaN if w_m or w_n is.
double pair_error(Complex w_m, Complex w_n) {
    const double re = w_m.real() + w_n.real() + w_m.real() * w_n.real() + w_m.imag() * w_n.imag();
    const double im = w_n.imag() - w_m.imag() + w_m.real() * w_n.imag() - w_m.imag() * w_n.real();
    return std::sqrt(re * re + im * im);
}

// The row with the largest size so far; NaN is larger than any number.
struct FarthestRow {
    double size = -1, position = 0;
    Complex w = {};

    void offer(double own, double at, Complex deviation) {
        if (std::isnan(size) || own <= size) return;
        size = own;
        position = at;
        w = deviation;
    }
};

// Returns the number of rows with |position| ≤ |last_position| on the pair's axis.
std::uint64_t rows_up_to(const Comparison& comparison, std::uint32_t pair, double last_position) {
    const auto positions = comparison.subject.positions(comparison.axis[pair]);
    if (positions.empty())
        return std::min(comparison.subject.rows(), static_cast<std::uint64_t>(last_position) + 1);
    const auto end = std::ranges::partition_point(
        positions, [&](double m) { return std::abs(m) <= std::abs(last_position); });
    return static_cast<std::uint64_t>(end - positions.begin());
}

// Error bound for all pairs of positions up to `last_position`, for one pair of dimensions.
struct Bound {
    std::uint32_t pair = 0;
    double last_position = 0, error = 0, allowed = 0;
};

// Calls visit(position, w) for these rows of the bound's pair.
template <class Visit>
void visit_rows(const Comparison& comparison, const Bound& bound, RowRange rows,
                const Visit& visit) {
    const PairRange pair{bound.pair, 1};
    CommonTurn common_turn(comparison, pair);
    Sweep(comparison, pair).run(rows, [&](const Tile& observed) {
        const Tile tile = common_turn.turned(observed);
        for (std::size_t row = 0; row < tile.positions.size(); ++row)
            if (!tile.is_left_out(row))
                visit(tile.positions[row], deviation_of(tile, row, comparison.effective_amplitude));
    });
}

// The rows of the bound with the largest of N sizes of w, which sizes(w) returns.
template <std::size_t N, class Sizes>
std::array<FarthestRow, N> farthest_rows(const Comparison& comparison, const Bound& bound,
                                         const Sizes& sizes) {
    const std::uint64_t count = rows_up_to(comparison, bound.pair, bound.last_position);
    const auto of_tiles = [&](std::size_t begin, std::size_t end) {
        std::array<FarthestRow, N> rows;
        visit_rows(comparison, bound,
                   {tile_rows * begin, std::min<std::uint64_t>(tile_rows * end, count)},
                   [&](double m, Complex w) {
                       const std::array<double, N> own = sizes(w);
                       for (std::size_t k = 0; k < N; ++k) rows[k].offer(own[k], m, w);
                   });
        return rows;
    };
    std::array<FarthestRow, N> all;
    for (const auto& rows : results_of_ranges((count + tile_rows - 1) / tile_rows,
                                              least_rows / tile_rows, comparison.threads, of_tiles))
        for (std::size_t k = 0; k < N; ++k) all[k].offer(rows[k].size, rows[k].position, rows[k].w);
    return all;
}

struct PositionPair {
    double m = 0, n = 0, error = -1;

    void offer(const FarthestRow& a, const FarthestRow& b) {
        const double own = pair_error(a.w, b.w);
        if (std::isnan(error) || own <= error) return;
        error = own;
        m = std::min(a.position, b.position);
        n = std::max(a.position, b.position);
    }
};

// Returns the worst pair among the rows with the extreme amplitudes and angles.
PositionPair pair_of_extremes(const Comparison& comparison, const Bound& bound) {
    const auto rows = farthest_rows<4>(comparison, bound, [](Complex w) {
        return std::array{2 + w.real(), 2 - w.real(), 2 + w.imag(), 2 - w.imag()};
    });
    PositionPair worst;
    for (const FarthestRow& a : rows)
        for (const FarthestRow& b : rows) worst.offer(a, b);
    return worst;
}

// Returns the worst pair with the row of largest |w|, or with that row's worst partner.
PositionPair pair_of_farthest(const Comparison& comparison, const Bound& bound) {
    const auto farthest_from = [&](const auto& size) {
        return farthest_rows<1>(comparison, bound,
                                [&](Complex w) { return std::array{size(w)}; })[0];
    };
    const FarthestRow farthest = farthest_from([](Complex w) { return std::norm(w); });
    const FarthestRow partner = farthest_from([&](Complex w) { return pair_error(farthest.w, w); });
    const FarthestRow other = farthest_from([&](Complex w) { return pair_error(partner.w, w); });
    PositionPair worst;
    worst.offer(partner, other);
    return worst;
}

class RelativePosition final : public RowCheck {
  public:
    RelativePosition(const Comparison& comparison, PairRange pairs)
        : comparison_(comparison), ranges_{{pairs}} {}

    void observe(const Tile& observed) override {
        auto& [pairs, octaves] = ranges_.back();
        if (!common_turn_) common_turn_.emplace(comparison_, pairs);
        Tile tile = common_turn_->turned(observed);
        const std::size_t rows = tile.positions.size(), stride = tile.pairs.count;
        samples_ += rows * stride;
        std::vector<double> cos, sin;  // exact values replace undetermined ones
        if (!tile.left_out.empty()) {
            for (std::size_t k = 0; k < rows * stride; ++k) {
                const bool is_left_out = tile.is_left_out(k);
                const double a = comparison_.effective_amplitude;
                cos.push_back(is_left_out ? a * tile.effective_cos[k] : tile.cos[k]);
                sin.push_back(is_left_out ? a * tile.effective_sin[k] : tile.sin[k]);
            }
            tile.cos = cos.data();
            tile.sin = sin.data();
        }
        for (std::size_t begin = 0, end = 0; begin < rows; begin = end) {
            const std::size_t octave = octave_of(tile.positions[begin]);
            for (end = rows; octave_of(tile.positions[end - 1]) != octave;) --end;
            if (octaves.size() <= octave) octaves.resize(octave + 1);
            octaves[octave].last_position = tile.positions[end - 1];
            octaves[octave].square.resize(stride);
            const std::size_t k = begin * stride;
            kernels().checks->radii({end - begin,
                                     stride,
                                     {tile.cos + k, tile.sin + k},
                                     {tile.effective_cos + k, tile.effective_sin + k}},
                                    1 / comparison_.effective_amplitude,
                                    octaves[octave].square.data());
        }
    }

    void merge(RowCheck& other) override {
        auto& next = static_cast<RelativePosition&>(other);
        samples_ += next.samples_;
        for (RangeOfPairs& later : next.ranges_) {
            RangeOfPairs& last = ranges_.back();
            if (later.pairs.first != last.pairs.first) {
                ranges_.push_back(std::move(later));
                continue;
            }
            last.octaves.resize(std::max(last.octaves.size(), later.octaves.size()));
            for (std::size_t j = 0; j < later.octaves.size(); ++j) {
                const Octave& octave = later.octaves[j];
                if (octave.square.empty()) continue;
                last.octaves[j].last_position = octave.last_position;
                last.octaves[j].square.resize(octave.square.size());
                for (std::size_t i = 0; i < octave.square.size(); ++i)
                    last.octaves[j].square[i] =
                        std::max(last.octaves[j].square[i], octave.square[i]);
            }
        }
    }

    // Searches a pair of positions for each bound that may change the verdict, and once for the
    // report: in one pass if the bound proves the law, else in three.
    void report_to(Finding& finding) override {
        std::vector<Bound> bounds = this->bounds();
        std::ranges::stable_sort(bounds, [](const Bound& a, const Bound& b) {
            return a.error * b.allowed > b.error * a.allowed;
        });
        WorstCase found;
        found.add_samples(samples_);
        for (const Bound& bound : bounds) {
            const bool may_decide =
                found.verdict() == Verdict::holds && bound.error > bound.allowed;
            if (&bound != bounds.data() && !may_decide) break;
            const PositionPair worst = bound.error > bound.allowed
                                           ? pair_of_farthest(comparison_, bound)
                                           : pair_of_extremes(comparison_, bound);
            found.add(worst.error, bound.allowed,
                      [&] { return Witness{{worst.m, worst.n}, bound.pair, worst.error, 0}; });
        }
        found.report_to(finding);
        const std::uint64_t rows = comparison_.subject.rows();
        finding.fields.push_back({"position_pairs", rows * rows});
        double bound = 0;
        for (const Bound& one : bounds)  // NaN is kept
            if (!std::isnan(bound) && !(one.error <= bound)) bound = one.error;
        finding.fields.push_back({"proved_bound", bound, FieldRole::measured});
        // heads repeat positions
        if (const std::uint64_t positions = comparison_.subject.distinct_positions();
            positions < rows)
            finding.fields.push_back({"distinct_positions", positions, FieldRole::place});
    }

    // Octave j holds |position| in [2^(j−1), 2^j); octave 0 holds |position| < 1.
    struct Octave {
        double last_position = 0;
        std::vector<double> square = {};  // largest |w|² of each pair of dimensions; empty: no rows
    };
    struct RangeOfPairs {  // results of one range of pairs
        PairRange pairs;
        std::vector<Octave> octaves = {};
    };

  private:
    // Returns bounds for each pair of dimensions and the rows up to each power of two.
    std::vector<Bound> bounds() const {
        std::vector<Bound> all;
        for (const auto& [pairs, octaves] : ranges_)
            for (std::uint32_t i = 0; i < pairs.count; ++i) {
                double square = 0;
                for (const Octave& octave : octaves) {
                    if (octave.square.empty()) continue;
                    square = std::max(square, octave.square[i]);
                    const std::uint32_t pair = pairs.first + i;
                    const double r = std::sqrt(square), last = octave.last_position,
                                 epsilon = comparison_.effective_tolerance(last, pair);
                    all.push_back({pair, last, 2 * r + r * r, 2 * epsilon + epsilon * epsilon});
                }
            }
        return all;
    }

    const Comparison& comparison_;
    std::uint64_t samples_ = 0;
    std::vector<RangeOfPairs> ranges_;  // one for each range of pairs; the last is being observed
    std::optional<CommonTurn> common_turn_;
};

}  // namespace

std::unique_ptr<RowCheck> make_relative_position(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<RelativePosition>(comparison, pairs);
}

}  // namespace rope
