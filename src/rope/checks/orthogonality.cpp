// R(m)ᵀR(m) = a²I at every position: in each 2×2 block c² + s² = a².
// With |δc|, |δs| ≤ ρ:  |c² + s² − a²| ≤ 2aρ(|cos| + |sin|) + 2ρ² ≤ 2√2·aρ + 2ρ²
#include <cmath>
#include <numbers>

#include "rope/checks/checks.hpp"
#include "rope/kernels.hpp"
#include "rope/tally.hpp"

namespace rope {
namespace {

class Orthogonality final : public RowCheck {
  public:
    explicit Orthogonality(const Trial& trial) {
        const double a = trial.plan.attention_factor, rho = trial.subject.exactness().rounding;
        norm_ = a * a;
        allowed_ = 2 * std::numbers::sqrt2 * a * rho + 2 * rho * rho + 0x1p-50;
    }

    void observe(const Tile& tile) override {
        const std::size_t rows = tile.positions.size();
        tally_.add_samples(rows * tile.pairs.count);
        worst_.resize(rows);
        out_.resize(rows);
        kernels().norm_errors(rows, tile.pairs.count, norm_, allowed_, tile.cos, tile.sin,
                              worst_.data(), out_.data());
        for (std::size_t r = 0; r < rows; ++r)
            if (out_[r] > 0 || tally_.is_worse(worst_[r], allowed_)) judge_row(tile, r);
    }

    void report_to(Finding& finding) override { tally_.report_to(finding); }

  private:
    void judge_row(const Tile& tile, std::size_t r) {
        std::uint64_t out = 0;
        std::uint32_t first = 0;
        for (std::uint32_t i = 0; i < tile.pairs.count; ++i) {
            const std::size_t k = r * tile.pairs.count + i;
            const double got = tile.cos[k] * tile.cos[k] + tile.sin[k] * tile.sin[k];
            const double error = std::abs(got - norm_);
            const std::uint32_t pair = tile.pairs.first + i;
            tally_.add(error, allowed_,
                       [&] { return Witness{{tile.positions[r]}, pair, got, norm_}; });
            if (error <= allowed_) continue;
            if (out++ == 0) first = pair;
        }
        tally_.add_violations(out, tile.positions[r], first);
    }

    double norm_ = 1, allowed_ = 0;
    std::vector<double> worst_, out_;
    Tally tally_;
};

}  // namespace

std::unique_ptr<RowCheck> make_orthogonality(const Trial& trial) {
    return std::make_unique<Orthogonality>(trial);
}

}  // namespace rope
