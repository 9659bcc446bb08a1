// |ẑ − a·z| ≤ E componentwise, E being what the user accepts: of no format, position or frequency.
#include <limits>

#include "base/decimal.hpp"
#include "rope/checks/absolute_error.hpp"
#include "rope/checks/checks.hpp"

namespace rope {
namespace {

class MaxError final : public RowCheck {
  public:
    MaxError(const Comparison& comparison, PairRange pairs)
        : limit_(comparison.max_error),
          truth_(comparison.plan.attention_factor),
          error_(pairs, {limit_.value_or(std::numeric_limits<double>::infinity())}) {}

    void observe(const Tile& tile) override { error_.observe(tile, truth_.of(tile)); }
    void exchange(Archive& archive) override { archive(error_); }
    void merge(RowCheck& next) override { error_.merge(static_cast<MaxError&>(next).error_); }

    void report_to(Finding& finding) override {
        if (!limit_) {
            finding.note = "no largest error was given";
            return;
        }
        finding.samples = error_.samples();
        if (finding.samples == 0) return;
        finding.observed = error_.worst();
        finding.allowed = *limit_;
        finding.worst = error_.at();
        finding.verdict = error_.worst() <= *limit_ ? Verdict::holds : Verdict::violated;
        finding.fields.push_back(
            {"first_beyond", position_value(error_.first_beyond(0)), FieldRole::place});
    }

  private:
    std::optional<double> limit_;
    ScaledTruth truth_;
    AbsoluteError error_;
};

}  // namespace

std::unique_ptr<RowCheck> make_max_error(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<MaxError>(comparison, pairs);
}

}  // namespace rope
