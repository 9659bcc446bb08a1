// Laws of tables in every pair: orthogonality, composition, inverse, and identity at position 0.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/checks/check.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/memory.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

// R(m)ᵀR(m) = a²I at every position, i.e. c² + s² = a² in each 2×2 block.
// With |δc|, |δs| ≤ ρ:  |c² + s² − a²| ≤ 2aρ(|cos| + |sin|) + 2ρ² ≤ 2√2·aρ + 2ρ²

class Orthogonality final : public WorstCaseCheck {
  public:
    explicit Orthogonality(const Comparison& comparison) {
        const double a = comparison.plan.attention_factor,
                     rho = comparison.subject.exactness().rounding;
        norm_ = a * a;
        allowed_ = 2 * std::numbers::sqrt2 * a * rho + 2 * rho * rho + 0x1p-50;
    }

    void observe(const Tile& tile) override {
        const std::uint32_t pairs = tile.pairs.count;
        const std::size_t n = tile.positions.size() * pairs;
        worst_case_.add_samples(n);
        // limit below which nothing changes; the first comparison is always kept
        const double expected = std::min(1.0, worst_case_.sure_share()) * allowed_;
        if (!kernels().checks->norm_suspects(n, norm_, expected, {tile.cos, tile.sin}) &&
            !worst_case_.is_worse(0, 1))
            return;
        worst_.resize(pairs);
        out_.resize(pairs);
        kernels().checks->norm_errors(tile.positions.size(), pairs, norm_, allowed_,
                                      {tile.cos, tile.sin}, worst_.data(), out_.data());
        const bool only_count = worst_case_.has_violation_before(tile.positions[0]);
        for (std::uint32_t i = 0; i < pairs; ++i)
            if (worst_case_.is_worse(worst_[i], allowed_) || (out_[i] > 0 && !only_count))
                judge_column(tile, i);
            else
                worst_case_.add_violations(static_cast<std::uint64_t>(out_[i]),
                                           tile.pairs.first + i);
    }

  private:
    void judge_column(const Tile& tile, std::uint32_t i) {
        const std::uint32_t pair = tile.pairs.first + i;
        for (std::size_t r = 0; r < tile.positions.size(); ++r) {
            const std::size_t k = r * tile.pairs.count + i;
            const double got = tile.cos[k] * tile.cos[k] + tile.sin[k] * tile.sin[k];
            worst_case_.judge_value(got, norm_, allowed_, tile.positions[r], pair);
        }
    }

    double norm_ = 1, allowed_ = 0;
    AlignedVector<double> worst_, out_;
};

// R(m)R(n) = a·R(m + n) per pair: |ẑ_m·ẑ_n − a·ẑ_{m+n}| ≤ a²(ε_m + ε_n + ε_m·ε_n + ε_{m+n})

// A sampled row with the tolerance ε of each pair.
struct Factor {
    double position;
    const Sample::Row& row;
    std::vector<double> tolerance;
};

std::vector<Factor> factors(const Comparison& comparison, const Sample& sample) {
    std::vector<Factor> all;
    for (const double m : sample.positions) {
        all.push_back({m, *sample.row(m), {}});
        for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i)
            all.back().tolerance.push_back(comparison.effective_tolerance(m, i));
    }
    return all;
}

// Compares the products of two rows with the row at the sum of their positions.
class Compositions {
  public:
    explicit Compositions(const Comparison& comparison)
        : comparison_(comparison),
          square_(comparison.spec.pairs()),
          allowed_(comparison.spec.pairs()) {}

    void compare(const Factor& first, const Factor& second, const Sample::Row& sum,
                 WorstCase& worst_case) {
        const double m = first.position, n = second.position;
        measure(first, second, sum, std::abs(m + n));
        worst_case.add_samples(square_.size());
        const double share = worst_case.sure_share();
        for (std::uint32_t i = 0; i < square_.size(); ++i) {
            const double sure = share * allowed_[i];
            if (square_[i] < sure * sure) continue;  // nearly always; avoids the square root
            worst_case.add(std::sqrt(square_[i]), allowed_[i], [&] {
                const double want = comparison_.plan.attention_factor * sum.cos[i];
                return Witness{{m, n}, i, want, real_part(first.row, second.row, i)};
            });
        }
    }

  private:
    static double real_part(const Sample::Row& first, const Sample::Row& second, std::uint32_t i) {
        return first.cos[i] * second.cos[i] - first.sin[i] * second.sin[i];
    }
    static double imaginary_part(const Sample::Row& first, const Sample::Row& second,
                                 std::uint32_t i) {
        return first.cos[i] * second.sin[i] + first.sin[i] * second.cos[i];
    }

    void measure(const Factor& first, const Factor& second, const Sample::Row& sum, double m) {
        const double a = comparison_.plan.attention_factor, storage = comparison_.storage;
        for (std::uint32_t i = 0; i < square_.size(); ++i) {
            const double dr = real_part(first.row, second.row, i) - a * sum.cos[i];
            const double di = imaginary_part(first.row, second.row, i) - a * sum.sin[i];
            const double em = first.tolerance[i], en = second.tolerance[i];
            const double e = std::min(2.0, comparison_.effective_slope[i] * m) + storage;
            square_[i] = dr * dr + di * di;
            allowed_[i] = a * a * (em + en + em * en + e);
        }
    }

    const Comparison& comparison_;
    std::vector<double> square_, allowed_;
};

// R(−m) = R(m)ᵀ for each pair and each m with both signs in the subject: |ẑ_{−m} − conj(ẑ_m)| ≤
// 2a·ε_m. Rows are ordered by |position|, so that −m directly precedes m.

class Inverse final : public WorstCaseCheck {
  public:
    Inverse(const Comparison& comparison, PairRange pairs)
        : WorstCaseCheck("no position comes with its negative"),
          comparison_(comparison),
          pairs_(pairs),
          cos_(pairs.count),
          sin_(pairs.count) {}

    void observe(const Tile& tile) override {
        for (std::size_t r = 0; r < tile.positions.size(); ++r) {
            const double m = tile.positions[r];
            const double *cos = tile.cos + r * pairs_.count, *sin = tile.sin + r * pairs_.count;
            if (m < 0) {
                back_ = m;
                cos_.assign(cos, cos + pairs_.count);
                sin_.assign(sin, sin + pairs_.count);
            } else if (m == -back_ && m > 0) {
                compare(m, cos, sin);
            }
        }
    }

  private:
    void compare(double m, const double* cos, const double* sin) {
        worst_case_.add_samples(pairs_.count);
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            const std::uint32_t pair = pairs_.first + i;
            const double error = portable::hypot(cos_[i] - cos[i], sin_[i] + sin[i]);
            const double allowed =
                2 * comparison_.plan.attention_factor * comparison_.effective_tolerance(m, pair);
            worst_case_.judge(error, allowed, m, pair,
                              [&] { return Witness{{-m, m}, pair, sin_[i], -sin[i]}; });
        }
    }

    const Comparison& comparison_;
    PairRange pairs_;
    double back_ = 0;  // the last negative position, and its row below
    std::vector<double> cos_, sin_;
};

// R(0) = a·I, for tables bit by bit: cos 0 = 1 and sin 0 = 0 in every format. With several axes,
// only rows with position 0 on all of them are checked, since otherwise some pairs rotate.

class IdentityAtZero final : public WorstCaseCheck {
  public:
    explicit IdentityAtZero(const Comparison& comparison)
        : WorstCaseCheck("position 0 is not among the rows"),
          comparison_(comparison),
          amplitude_(comparison.plan.attention_factor),
          // an amplitude other than 1 is rounded, and so are the results of polar forms
          allowed_(comparison.subject.exactness().recovery +
                   (amplitude_ == 1 && comparison.subject.answers() == nullptr
                        ? 0
                        : comparison.subject.exactness().rounding)) {}

    void observe(const Tile& tile) override {
        const std::uint32_t axis = comparison_.axis[tile.pairs.first];
        for (std::size_t r = 0; r < tile.positions.size() && tile.positions[r] == 0; ++r) {
            if (!comparison_.subject.is_at_zero(tile.first_row + r, axis)) continue;
            for (std::uint32_t i = 0; i < tile.pairs.count; ++i) {
                const std::size_t k = r * tile.pairs.count + i;
                judge(tile.pairs.first + i, tile.cos[k], amplitude_);
                judge(tile.pairs.first + i, tile.sin[k], 0);
            }
        }
    }

  private:
    void judge(std::uint32_t pair, double got, double want) {
        worst_case_.add_samples(1);
        worst_case_.judge_value(got, want, allowed_, 0, pair);
    }

    const Comparison& comparison_;
    double amplitude_, allowed_;
};

}  // namespace

std::unique_ptr<RowCheck> make_orthogonality(const Comparison& comparison, PairRange) {
    return std::make_unique<Orthogonality>(comparison);
}

void check_composition(const Comparison& comparison, const Sample& sample, Finding& finding) {
    WorstCase worst_case;
    Compositions compositions(comparison);
    const std::vector<Factor> rows = factors(comparison, sample);
    for (std::size_t j = 0; j < rows.size(); ++j)
        for (std::size_t l = 0; l <= j; ++l) {
            const double m = rows[l].position, n = rows[j].position;
            const Sample::Row* sum = sample.row(m + n);
            if (sum == nullptr || m + n - m != n) continue;  // m + n is not exact in double
            compositions.compare(rows[l], rows[j], *sum, worst_case);
        }
    worst_case.report_to(finding);
    if (finding.samples == 0) finding.note = "no position is the sum of two others";
}

std::unique_ptr<RowCheck> make_inverse(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<Inverse>(comparison, pairs);
}

std::unique_ptr<RowCheck> make_identity_at_zero(const Comparison& comparison, PairRange) {
    return std::make_unique<IdentityAtZero>(comparison);
}

}  // namespace rope
