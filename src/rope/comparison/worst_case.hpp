// The worst of a stream of comparisons, judged by observed over allowed.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "rope/report/report.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// NaN is worst and sticky. No samples is never "holds".
class WorstCase {
  public:
    void add_samples(std::uint64_t count) { samples_ += count; }

    // The witness is made only for a new worst.
    template <class MakeWitness>
    void add(double observed, double allowed, MakeWitness make_witness) {
        if (!is_worse(observed, allowed)) return;
        observed_ = observed;
        allowed_ = allowed;
        worst_ = make_witness();
    }

    // The same, and a violation where it is beyond its allowance.
    template <class MakeWitness>
    void judge(double observed, double allowed, double position, std::uint32_t pair,
               MakeWitness make_witness) {
        add(observed, allowed, make_witness);
        if (!(observed <= allowed)) add_violation(position, pair);
    }

    // A value beyond its allowance; the first is kept, outward from 0 and then by pair.
    void add_violation(double position, std::uint32_t pair) {
        Violations& known = violations_;
        if (known.count++ != 0 && !is_nearer_zero(position, known.first_position) &&
            (position != known.first_position || pair >= known.first_pair))
            return;
        known.first_position = position;
        known.first_pair = pair;
    }

    // Whether all values beyond their allowances at this position and further come after the first.
    bool has_violation_before(double position) const {
        return violations_.count != 0 && is_nearer_zero(violations_.first_position, position);
    }
    // So many of them.
    void add_violations(std::uint64_t count) { violations_.count += count; }

    // The same comparisons, had those of `later` come after this worst_case's. Whether its worst is
    // the worst now.
    bool merge(const WorstCase& later) {
        samples_ += later.samples_;
        const Violations& added = later.violations_;
        if (added.count != 0) {
            add_violation(added.first_position, added.first_pair);
            violations_.count += added.count - 1;
        }
        if (!later.worst_ || !is_worse(later.observed_, later.allowed_)) return false;
        observed_ = later.observed_;
        allowed_ = later.allowed_;
        worst_ = later.worst_;
        return true;
    }

    // What is observed within this share of its allowance is neither worse nor a violation.
    double sure_share() const {
        if (!worst_) return 0;
        const bool beyond = !(observed_ < allowed_);  // NaN too
        return beyond ? 1 : observed_ / allowed_ * (1 - 0x1p-50);
    }

    bool is_worse(double observed, double allowed) const {
        if (!worst_) return true;
        if (std::isnan(observed_)) return false;
        if (std::isnan(observed)) return true;
        if (observed_ == 0) return observed > 0;  // 0 of 0 is no error
        if (allowed_ == 0 && allowed == 0) return observed > observed_;
        return observed * allowed_ > observed_ * allowed;
    }

    Verdict verdict() const {
        if (samples_ == 0) return Verdict::not_applicable;
        return observed_ <= allowed_ && violations_.count == 0 ? Verdict::holds : Verdict::violated;
    }

    void report_to(Finding& finding) const {
        finding.verdict = verdict();
        finding.samples = samples_;
        if (samples_ == 0) return;
        finding.observed = observed_;
        finding.allowed = allowed_;
        finding.worst = worst_;
        if (violations_.count != 0) finding.violations = violations_;
    }

    friend void exchange(Archive& archive, WorstCase& worst_case) {
        archive(worst_case.observed_, worst_case.allowed_, worst_case.samples_, worst_case.worst_,
                worst_case.violations_);
    }

  private:
    double observed_ = 0, allowed_ = 0;
    std::uint64_t samples_ = 0;
    std::optional<Witness> worst_;
    Violations violations_;
};

}  // namespace rope
