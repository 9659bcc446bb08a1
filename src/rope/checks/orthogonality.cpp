// R(m)ᵀR(m) = a²I at every position: in each 2×2 block c² + s² = a².
// With |δc|, |δs| ≤ ρ:  |c² + s² − a²| ≤ 2aρ(|cos| + |sin|) + 2ρ² ≤ 2√2·aρ + 2ρ²
#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/memory.hpp"

namespace rope {
namespace {

class Orthogonality final : public RowCheck {
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
        // what changes neither the worst nor the violations; the first comparison is kept
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
                worst_case_.add_violations(static_cast<std::uint64_t>(out_[i]));
    }

    void exchange(Archive& archive) override { archive(worst_case_); }

    void merge(RowCheck& next) override {
        worst_case_.merge(static_cast<Orthogonality&>(next).worst_case_);
    }

    void report_to(Finding& finding) override { worst_case_.report_to(finding); }

  private:
    void judge_column(const Tile& tile, std::uint32_t i) {
        const std::uint32_t pair = tile.pairs.first + i;
        for (std::size_t r = 0; r < tile.positions.size(); ++r) {
            const std::size_t k = r * tile.pairs.count + i;
            const double got = tile.cos[k] * tile.cos[k] + tile.sin[k] * tile.sin[k];
            const double m = tile.positions[r];
            worst_case_.judge(std::abs(got - norm_), allowed_, m, pair,
                              [&] { return Witness{{m}, pair, got, norm_}; });
        }
    }

    double norm_ = 1, allowed_ = 0;
    AlignedVector<double> worst_, out_;
    WorstCase worst_case_;
};

}  // namespace

std::unique_ptr<RowCheck> make_orthogonality(const Comparison& comparison, PairRange) {
    return std::make_unique<Orthogonality>(comparison);
}

}  // namespace rope
