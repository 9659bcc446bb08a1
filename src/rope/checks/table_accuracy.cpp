// Every cos and sin against the truth.
//     |ẑ − a·z| ≤ a·min(2, K·2^-24·mθ) + rounding     componentwise, since |dcos| ≤ |dφ|
#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/checks/checks.hpp"
#include "rope/kernels.hpp"
#include "rope/tally.hpp"

namespace rope {
namespace {

class TableAccuracy final : public RowCheck {
  public:
    explicit TableAccuracy(const Trial& trial)
        : trial_(trial),
          amplitude_(trial.plan.attention_factor),
          rounding_(trial.subject.exactness().rounding + 0x1p-48) {
        for (std::uint32_t i = 0; i < trial.spec.pairs(); ++i) {
            const double theta = trial.plan.pairs[i].inv_freq.to_double();
            slope_.push_back(amplitude_ * trial.slope(i));
            per_theta_.push_back(theta == 0 ? 0 : 1 / theta);
        }
    }

    void observe(const Tile& tile) override {
        const std::size_t rows = tile.positions.size(), n = rows * tile.pairs.count;
        tally_.add_samples(2 * n);
        true_cos_.assign(tile.true_cos, tile.true_cos + n);
        true_sin_.assign(tile.true_sin, tile.true_sin + n);
        for (std::size_t k = 0; amplitude_ != 1 && k < n; ++k) {
            true_cos_[k] *= amplitude_;
            true_sin_[k] *= amplitude_;
        }
        position_.assign(tile.positions.begin(), tile.positions.end());
        worst_.resize(rows);
        out_.resize(rows);
        drift_.resize(rows);
        kernels().table_errors(rows, tile.pairs.count, position_.data(), &slope_[tile.pairs.first],
                               &per_theta_[tile.pairs.first], rounding_, ceiling(), slack(),
                               tile.cos, tile.sin, true_cos_.data(), true_sin_.data(),
                               worst_.data(), out_.data(), drift_.data());
        for (std::size_t r = 0; r < rows; ++r) {
            if (out_[r] > 0 || tally_.is_worse(worst_[r], 1)) judge_row(tile, r);
            const double m = position_[r];
            if (m > 0 && drift_[r] > k_ * m * 0x1p-24) k_ = drift_[r] / (m * 0x1p-24);
        }
    }

    void report_to(Finding& finding) override {
        tally_.report_to(finding);
        finding.fields.emplace_back("K", k_);
        finding.fields.emplace_back("class", std::string(class_of_k()));
        if (finding.worst) finding.fields.emplace_back("component", component_);
    }

  private:
    double ceiling() const { return 2 * amplitude_ + rounding_; }
    double slack() const { return std::numbers::sqrt2 * rounding_; }
    double allowed(double m, std::uint32_t pair) const {
        return std::min(rounding_ + m * slope_[pair], ceiling());
    }

    void judge_row(const Tile& tile, std::size_t r) {
        std::uint64_t out = 0;
        std::uint32_t first = 0;
        for (std::uint32_t i = 0; i < tile.pairs.count; ++i) {
            const std::size_t k = r * tile.pairs.count + i;
            const std::uint32_t pair = tile.pairs.first + i;
            const double limit = allowed(position_[r], pair);
            const auto judge = [&](const char* component, double got, double want) {
                const double error = std::abs(got - want);
                tally_.add(error, limit, [&] {
                    component_ = component;
                    return Witness{{tile.positions[r]}, pair, got, want};
                });
                if (error <= limit) return;
                if (out++ == 0) first = pair;
            };
            judge("cos", tile.cos[k], true_cos_[k]);
            judge("sin", tile.sin[k], true_sin_[k]);
        }
        tally_.add_violations(out, tile.positions[r], first);
    }

    // The smallest class of sound implementations whose K reaches this one's.
    std::string_view class_of_k() const {
        const double log_base = std::log(trial_.spec.rope_theta), d = trial_.spec.rotary_dim;
        if (k_ <= 0) return "exact";
        if (k_ <= 9 + log_base / 2) return "pow";
        if (k_ <= 9 + 2 * log_base) return "exp";
        if (k_ <= d + log_base + 4) return "iterative";
        return k_ <= largest_sound_k ? "unknown" : "none";
    }

    const Trial& trial_;
    double amplitude_, rounding_;
    std::vector<double> slope_, per_theta_;
    std::vector<double> true_cos_, true_sin_, position_, worst_, out_, drift_;
    Tally tally_;
    std::string component_;
    double k_ = 0;
};

}  // namespace

std::unique_ptr<RowCheck> make_table_accuracy(const Trial& trial) {
    return std::make_unique<TableAccuracy>(trial);
}

}  // namespace rope
