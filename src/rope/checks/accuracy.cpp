#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "rope/checks/check.hpp"
#include "rope/checks/report.hpp"
#include "rope/exact/memory.hpp"
#include "rope/kernels/checks.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/row_source.hpp"

namespace rope {

FieldValue position_value(std::optional<double> position) {
    if (position && is_whole(*position)) return static_cast<std::uint64_t>(*position);
    return position ? FieldValue(*position) : FieldValue();
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double nearer(const std::optional<double>& first, double position) {
    return first && is_nearer_zero(*first, position) ? *first : position;
}

// The largest error |ẑ − a·z| of one cos or sin, and the first positions beyond given limits.
class AbsoluteError {
  public:
    AbsoluteError(PairRange pairs, std::vector<double> limits)
        : limits_(std::move(limits)), zeros_(pairs.count, 0), first_(limits_.size()) {}

    // Counts NaN as an infinite error. `want` is the tile's ScaledTruth.
    void observe(const Tile& tile, const CosSin& want) {
        const std::size_t rows = tile.positions.size();
        samples_ += 2 * rows * tile.pairs.count;
        if (!are_of_interest(tile, want, 0, rows)) return;
        for (std::size_t r = 0; r < rows; ++r) {
            if (!are_of_interest(tile, want, r, 1)) continue;
            for (std::uint32_t i = 0; i < tile.pairs.count; ++i) {
                const std::size_t k = r * tile.pairs.count + i;
                add(tile.positions[r], tile.pairs.first + i, tile.cos[k], want.c[k]);
                add(tile.positions[r], tile.pairs.first + i, tile.sin[k], want.s[k]);
            }
        }
    }

    // Adds the values of `later`, as if they had followed.
    void merge(const AbsoluteError& later) {
        samples_ += later.samples_;
        for (std::size_t k = 0; k < first_.size(); ++k)
            if (later.first_[k]) first_[k] = nearer(first_[k], *later.first_[k]);
        if (!(later.worst_ > worst_)) return;
        worst_ = later.worst_;
        at_ = later.at_;
    }

    // Returns the worst error, or a smaller limit not exceeded yet: a value up to it changes
    // nothing. Errors grow with the position, so most tiles have none beyond it.
    double known() const {
        double known = worst_;
        for (std::size_t k = 0; k < limits_.size(); ++k)
            if (!first_[k]) known = std::min(known, limits_[k]);
        return known;
    }

    std::uint64_t samples() const { return samples_; }
    double worst() const { return worst_; }
    // Returns the place of the worst error; empty if there is no error.
    const std::optional<Witness>& at() const { return at_; }
    // Returns the first position, by |position|, at which an error exceeds limit number `limit`.
    std::optional<double> first_beyond(std::size_t limit) const { return first_[limit]; }

  private:
    bool are_of_interest(const Tile& tile, const CosSin& want, std::size_t first,
                         std::size_t rows) const {
        const ExpectedErrors expected{zeros_.data(), known(),  known(),
                                      zeros_.data(), infinity, infinity};
        const std::size_t pairs = tile.pairs.count, k = first * pairs;
        return kernels().checks->table_suspects(
            {rows, pairs, {tile.cos + k, tile.sin + k}, {want.c + k, want.s + k}}, 0, expected);
    }

    void add(double position, std::uint32_t pair, double got, double want) {
        const double difference = std::abs(got - want);
        const double error = std::isnan(difference) ? infinity : difference;
        for (std::size_t k = 0; k < limits_.size(); ++k)
            if (error > limits_[k]) first_[k] = nearer(first_[k], position);
        if (!(error > worst_)) return;
        worst_ = error;
        at_ = Witness{{position}, pair, got, want};
    }

    std::vector<double> limits_;
    AlignedVector<double> zeros_;  // slopes: the limits are the same at every position
    std::uint64_t samples_ = 0;
    double worst_ = 0;
    std::optional<Witness> at_;
    std::vector<std::optional<double>> first_;
};

// |ẑ − a·z| ≤ E for each cos and sin, where E is the user's max-error, independent of format,
// position and frequency.

class MaxError final : public RowCheck {
  public:
    MaxError(const Comparison& comparison, PairRange pairs)
        : limit_(comparison.max_error),
          truth_(comparison.plan.attention_factor),
          error_(pairs, {limit_.value_or(std::numeric_limits<double>::infinity())}) {}

    void observe(const Tile& tile) override { error_.observe(tile, truth_.of(tile)); }
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

// Compares every cos and sin with the exact value:
//   |ẑ − a·z| ≤ a·min(2, K·2^-24·|m|θ) + rounding   for each cos and sin, since |dcos| ≤ |dφ|

constexpr double absolute_limit = 1e-3;
constexpr std::string_view like_none = "no known arithmetic does this";
constexpr std::string_view like_any = "no error beyond the rounding of the stored values";

class TableAccuracy final : public RowCheck {
  public:
    TableAccuracy(const Comparison& comparison, PairRange pairs)
        : comparison_(comparison),
          pairs_(pairs),
          amplitude_(comparison.plan.attention_factor),
          truth_(amplitude_),
          absolute_(pairs, {absolute_limit, amplitude_ * 0x1p-9}),
          rounding_(comparison.rounding + 0x1p-48) {
        for (std::uint32_t i = pairs.first; i < pairs.first + pairs.count; ++i) {
            theta_.push_back(comparison.plan.pairs[i].inv_freq.to_double());
            slope_.push_back(amplitude_ * comparison.slope[i]);
            per_theta_.push_back(theta_.back() == 0 ? 0 : 1 / theta_.back());
        }
        for (auto* values : {&worst_, &out_, &drift_}) values->resize(pairs.count);
        expect_no_worse();
    }

    void observe(const Tile& tile) override {
        const std::size_t rows = tile.positions.size();
        furthest_ = std::max(furthest_, std::abs(tile.positions[rows - 1]));
        worst_case_.add_samples(2 * rows * pairs_.count);
        const CosSin want = truth_.of(tile);
        const double least = std::abs(tile.positions[0]);
        const ComparedRows compared{rows, pairs_.count, {tile.cos, tile.sin}, want};
        const bool suspicious = kernels().checks->table_suspects(compared, least, expected_);
        if (!suspicious && !worst_case_.is_worse(0, 1)) return;  // always keeps the first one
        absolute_.observe(tile, want);
        position_.clear();  // |m|
        for (const double m : tile.positions) position_.push_back(std::abs(m));
        per_angle_.clear();  // 1/(2^-24·m), to give K's unit
        for (const double m : position_) per_angle_.push_back(m == 0 ? 0 : 0x1p24 / m);
        kernels().checks->table_errors(
            compared,
            {position_.data(), per_angle_.data(), slope_.data(), per_theta_.data(), rounding_,
             ceiling(), slack(), 1 / (amplitude_ * amplitude_)},
            {worst_.data(), out_.data(), drift_.data()});
        const bool only_count = worst_case_.has_violation_before(tile.positions[0]);
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            k_ = std::max(k_, drift_[i]);
            if (worst_case_.is_worse(worst_[i] * (1 + 0x1p-50), 1) || (out_[i] > 0 && !only_count))
                judge_column(tile, i, want);
            else
                worst_case_.add_violations(static_cast<std::uint64_t>(out_[i]), pairs_.first + i);
        }
        expect_no_worse();
    }

    void merge(RowCheck& next) override {
        const auto& later = static_cast<TableAccuracy&>(next);
        if (worst_case_.merge(later.worst_case_)) component_ = later.component_;
        k_ = std::max(k_, later.k_);
        furthest_ = std::max(furthest_, later.furthest_);
        absolute_.merge(later.absolute_);
    }

    void report_to(Finding& finding) override {
        worst_case_.report_to(finding);
        finding.fields.push_back({"K", k_, FieldRole::units});
        const auto arithmetic = arithmetic_of_k();
        finding.fields.push_back(
            {"class", std::string(arithmetic ? to_string(*arithmetic) : "none"), FieldRole::place});
        finding.fields.push_back({"like", in_words_of(arithmetic), FieldRole::place});
        if (finding.worst) finding.fields.push_back({"component", component_, FieldRole::place});
        report_absolute(finding);
    }

  private:
    double ceiling() const { return 2 * amplitude_ + rounding_; }
    // error of the angle of ẑ = a·e^{iφ} from rounding: |δ|/a, and 2^-48 for computations in double
    double slack() const { return std::numbers::sqrt2 * std::max(rounding_ / amplitude_, 0x1p-48); }
    double allowed(double m, std::uint32_t i) const {
        return std::min(rounding_ + m * slope_[i], ceiling());
    }

    // Sets the errors below which nothing changes: the worst values, the violations or K. With δ =
    // ẑ − az, the sine that `drift` measures is |ẑ × az|/a² ≤ |δ|/a; if the cosine is negative, |δ|
    // ≥ a.
    void expect_no_worse() {
        const double share = std::min(1.0, worst_case_.sure_share());
        const double k = amplitude_ * k_ * (1 - 0x1p-48);
        slope_share_.clear();
        reach_slope_.clear();
        for (std::uint32_t i = 0; i < pairs_.count; ++i) {
            slope_share_.push_back(slope_[i] * share);
            reach_slope_.push_back(k * theta_[i] * 0x1p-24);
        }
        expected_ = {slope_share_.data(),
                     rounding_ * share,
                     std::min(ceiling() * share, absolute_.known()),
                     reach_slope_.data(),
                     amplitude_ * (slack() - 0x1p-50),
                     amplitude_ / 2};
    }

    void judge_column(const Tile& tile, std::uint32_t i, const CosSin& wanted) {
        const std::uint32_t pair = tile.pairs.first + i;
        for (std::size_t r = 0; r < tile.positions.size(); ++r) {
            const std::size_t k = r * tile.pairs.count + i;
            const double limit = allowed(position_[r], i);
            const auto judge = [&](const char* component, double got, double want) {
                worst_case_.judge(std::abs(got - want), limit, tile.positions[r], pair, [&] {
                    component_ = component;
                    return Witness{{tile.positions[r]}, pair, got, want};
                });
            };
            judge("cos", tile.cos[k], wanted.c[k]);
            judge("sin", tile.sin[k], wanted.s[k]);
        }
    }

    // Reports the size of the error and where it begins to matter, whatever the tolerance.
    void report_absolute(Finding& finding) const {
        const auto add = [&](const char* name, FieldValue value, const char* event = "") {
            finding.fields.push_back({name, std::move(value), FieldRole::place, event});
        };
        finding.fields.push_back({"worst_error", absolute_.worst(), FieldRole::measured});
        if (const auto& at = absolute_.at()) {
            add("worst_error_position", position_value(at->positions.front()));
            add("worst_error_pair", std::uint64_t{*at->pair});
        }
        add("first_beyond_1e_3", position_value(absolute_.first_beyond(0)), "above 1e-3");
        add("first_beyond_2e_9", position_value(absolute_.first_beyond(1)), "above 2^-9");
    }

    // Returns the most accurate class whose largest K is at least this K; for an unknown
    // implementation, the class of its profile.
    std::optional<Arithmetic> arithmetic_of_k() const {
        if (const auto& profile = comparison_.profile)
            return profile->explains ? std::optional(profile->arithmetic) : std::nullopt;
        for (const Arithmetic each : arithmetics) {
            const auto k = angle_k(each, comparison_.spec, comparison_.plan);
            const double most = *std::max_element(k.begin(), k.end());
            if (k_ <= most + comparison_.position_k(each)) return each;
        }
        return std::nullopt;
    }

    std::string in_words_of(std::optional<Arithmetic> arithmetic) const {
        if (!arithmetic) return std::string(like_none);
        const bool is_hidden = *arithmetic != least_exact && hides(next_less_exact(*arithmetic));
        std::string words(is_hidden ? like_any : in_words(*arithmetic));
        const bool is_reduced = comparison_.profile && comparison_.profile->reduced;
        return is_reduced ? words + ", its angles reduced and rounded to float32" : words;
    }

    // Returns whether the arithmetic's angle errors are smaller than the rounding of the values.
    bool hides(Arithmetic arithmetic) const {
        const auto k = angle_k(arithmetic, comparison_.spec, comparison_.plan);
        double most = 0;
        for (std::size_t i = 0; i < k.size(); ++i)
            most = std::max(most, k[i] * comparison_.plan.pairs[i].inv_freq.to_double());
        return most * 0x1p-24 * furthest_ <= slack();
    }

    const Comparison& comparison_;
    PairRange pairs_;
    double amplitude_;
    ScaledTruth truth_;
    AbsoluteError absolute_;
    double rounding_;
    AlignedVector<double> theta_, slope_, per_theta_, slope_share_, reach_slope_;
    AlignedVector<double> position_, per_angle_;
    AlignedVector<double> worst_, out_, drift_;
    ExpectedErrors expected_{};
    WorstCase worst_case_;
    std::string component_;
    double k_ = 0;
    double furthest_ = 0;  // |position|
};

}  // namespace

CosSin ScaledTruth::of(const Tile& tile) {
    if (amplitude_ == 1) return {tile.true_cos, tile.true_sin};
    const std::size_t n = tile.positions.size() * tile.pairs.count;
    for (const auto& [scaled, exact] :
         {std::pair{&cos_, tile.true_cos}, std::pair{&sin_, tile.true_sin}}) {
        scaled->assign(exact, exact + n);
        for (double& value : *scaled) value *= amplitude_;
    }
    return {cos_.data(), sin_.data()};
}

std::unique_ptr<RowCheck> make_max_error(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<MaxError>(comparison, pairs);
}

std::unique_ptr<RowCheck> make_table_accuracy(const Comparison& comparison, PairRange pairs) {
    return std::make_unique<TableAccuracy>(comparison, pairs);
}

}  // namespace rope
