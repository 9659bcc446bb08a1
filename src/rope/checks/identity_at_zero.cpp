// R(0) = a·I, to the bit: cos 0 = 1 and sin 0 = 0 in every format. Of several axes, where the
// position is 0 on each: on one alone it is the Spec that says which pairs do not turn.
#include <cmath>

#include "rope/checks/checks.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {
namespace {

class IdentityAtZero final : public RowCheck {
  public:
    explicit IdentityAtZero(const Comparison& comparison)
        : comparison_(comparison),
          amplitude_(comparison.plan.attention_factor),
          // an amplitude other than 1 is itself rounded
          allowed_(comparison.subject.exactness().recovery +
                   (amplitude_ == 1 ? 0 : comparison.subject.exactness().rounding)) {}

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

    void exchange(Archive& archive) override { archive(worst_case_); }

    void merge(RowCheck& next) override {
        worst_case_.merge(static_cast<IdentityAtZero&>(next).worst_case_);
    }

    void report_to(Finding& finding) override {
        worst_case_.report_to(finding);
        if (finding.samples == 0) finding.note = "position 0 is not among the rows";
    }

  private:
    void judge(std::uint32_t pair, double got, double want) {
        worst_case_.add_samples(1);
        worst_case_.judge(std::abs(got - want), allowed_, 0, pair,
                          [&] { return Witness{{0}, pair, got, want}; });
    }

    const Comparison& comparison_;
    double amplitude_, allowed_;
    WorstCase worst_case_;
};

}  // namespace

std::unique_ptr<RowCheck> make_identity_at_zero(const Comparison& comparison, PairRange) {
    return std::make_unique<IdentityAtZero>(comparison);
}

}  // namespace rope
