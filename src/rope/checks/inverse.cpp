// R(−m) = R(m)ᵀ per pair, at every m that the subject has of both signs:
// |ẑ_{−m} − conj(ẑ_m)| ≤ 2a·ε_m. Rows come outward from 0, so that −m is just before m.
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

class Inverse final : public RowCheck {
  public:
    Inverse(const Comparison& comparison, PairRange pairs)
        : comparison_(comparison), pairs_(pairs), cos_(pairs.count), sin_(pairs.count) {}

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

    void exchange(Archive& archive) override { archive(worst_case_); }

    void merge(RowCheck& next) override {
        worst_case_.merge(static_cast<Inverse&>(next).worst_case_);
    }

    void report_to(Finding& finding) override {
        worst_case_.report_to(finding);
        if (finding.samples == 0) finding.note = "no position comes with its negative";
    }

  private:
    void compare(double m, const double* cos, const double* sin) {
        worst_case_.add_samples(pairs_.count);
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            const std::uint32_t pair = pairs_.first + i;
            const double error = portable::hypot(cos_[i] - cos[i], sin_[i] + sin[i]);
            const double allowed =
                2 * comparison_.plan.attention_factor * comparison_.effective_allowance(m, pair);
            worst_case_.judge(error, allowed, m, pair,
                              [&] { return Witness{{-m, m}, pair, sin_[i], -sin[i]}; });
        }
    }

    const Comparison& comparison_;
    PairRange pairs_;
    double back_ = 0;  // the last negative position, and its row
    std::vector<double> cos_, sin_;
    WorstCase worst_case_;
};

}  // namespace

std::unique_ptr<RowCheck> make_inverse(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<Inverse>(comparison, pairs);
}

}  // namespace rope
