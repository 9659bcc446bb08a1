#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/checks/check.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/printed_digits.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/other_judges.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {
namespace {

class Printed {
  public:
    Printed(const Spec& spec, const Dump& dump)
        : spec_(spec),
          dump_(dump),
          plan_(plan_frequencies(spec, exact_precision)),
          k_(angle_k(least_exact, spec, plan_)) {}

    std::optional<PrintedReport> report() {
        std::visit([this](const auto& dump) { read(dump); }, dump_);
        Finding accuracy = finding_of("table-accuracy", values_);
        Finding norms = finding_of(
            std::holds_alternative<TableDump>(dump_) ? "orthogonality" : "pair-norm", norms_);
        if (accuracy.samples == 0) return std::nullopt;
        const std::uint64_t wrong = accuracy.violations ? accuracy.violations->count : 0;
        const bool are_near = are_near_ && 2 * wrong <= accuracy.samples;
        Report report = report_on(spec_, plan_, dump_, Subject{}.seed);
        report.subject.notes.push_back("every value was printed with " + digits_->words() +
                                       ": the tolerance is half a unit of the last one");
        report.observations = std::move(observations_);
        report.findings.push_back(std::move(accuracy));
        if (norms.samples > 0) report.findings.push_back(std::move(norms));
        return PrintedReport{std::move(report), are_near};
    }

  private:
    // Printed inputs have the same rounding.
    static double half_unit(const std::optional<PrintedDigits>& digits, double value) {
        return digits && value != std::round(value) ? digits->half_unit(value) : 0;
    }

    // Returns the effect of a float32 angle, relative to the norm.
    double of_angle(double position, std::uint32_t pair) const {
        return k_[pair] * 0x1p-24 * std::abs(position) * plan_.pairs[pair].inv_freq.to_double() +
               0x1p-22;
    }

    // `further`: the tolerance in addition to the rounding of `got`. A misprint is off by two units
    // or less, in few values.
    void add(double got, double want, double further, double position, std::uint32_t pair,
             const char* what) {
        const double half = digits_->half_unit(got), allowed = half * (1 + 0x1p-20) + further;
        values_.add_samples(1);
        values_.judge_value(got, want, allowed, position, pair);
        if (std::abs(got - want) <= allowed) return;
        are_near_ = are_near_ && std::abs(got - want) <= allowed + 4 * half;
        observe(what, got, want, position, pair, "its last printed digit is wrong");
    }

    void observe(const char* what, double got, double want, double position, std::uint32_t pair,
                 const char* meaning) {
        if (observations_.size() < 8)
            observations_.push_back(std::string(what) + " of pair " + decimal(pair) +
                                    " at position " + decimal(position) + " is " +
                                    decimal(few_digits(got, 1e-9)) + ", not " +
                                    decimal(few_digits(want, 1e-9)) + ": " + meaning);
    }

    // A rotation by a rounded angle keeps norms, however far the position is.
    void add_norm(double got, double want, double allowed, double position, std::uint32_t pair) {
        norms_.add_samples(1);
        norms_.judge_value(got, want, allowed, position, pair);
        if (!(std::abs(got - want) <= allowed))
            observe("the norm", got, want, position, pair, "a digit before the last is wrong");
    }

    void read(const FrequencyDump& dump) {
        if (dump.inv_freq.size() != spec_.pairs()) return;
        const StridedRows inv_freq(dump.inv_freq, dump.inv_freq.size());
        digits_ = printed_digits({&inv_freq}, 1, dump.inv_freq.size(), dump.format);
        for (std::uint32_t i = 0; digits_ && i < spec_.pairs(); ++i) {
            const double theta = plan_.pairs[i].inv_freq.to_double();
            add(dump.inv_freq[i], theta, k_[i] * 0x1p-24 * theta, 1, i, "inv_freq");
        }
    }

    bool is_readable(const DumpedRows& rows) const {
        return rows.axes() == 1 && rows.positions.size() * spec_.head_dim <= most_printed &&
               rows.are_all(is_whole);
    }

    void read(const TableDump& dump) {
        if (dump.pairs != spec_.pairs() || !is_readable(DumpedRows(dump))) return;
        digits_ =
            printed_digits({&dump.cos, &dump.sin}, dump.positions.size(), dump.pairs, dump.format);
        if (digits_) read_pairs(PairReader(dump), dump.positions, {}, "cos", "sin");
    }

    void read(const RotatedDump& dump) {
        if (head_dim_of(dump) != spec_.head_dim || !is_readable(DumpedRows(dump))) return;
        const auto digits_of = [&](const StridedRows& rows) {
            return printed_digits({&rows}, dump.positions.size(), spec_.head_dim, dump.format);
        };
        digits_ = digits_of(dump.after);
        if (digits_)
            read_pairs(PairReader(spec_, dump), dump.positions, digits_of(dump.before),
                       "the first dimension", "the second dimension");
    }

    // `inputs`: the digits of the vectors before the rotation.
    void read_pairs(PairReader values, const std::vector<double>& positions,
                    const std::optional<PrintedDigits>& inputs, const char* first,
                    const char* second) {
        const ExactRows rows(turn_rates(plan_.pairs));
        const double a = plan_.attention_factor;
        std::vector<double> c(spec_.pairs()), s(spec_.pairs());
        for (std::size_t row = 0; row < positions.size(); ++row) {
            const double m = positions[row];
            rows.fill_row(static_cast<std::uint64_t>(m), c.data(), s.data());
            values.read(row);
            for (std::uint32_t i = 0; i < spec_.pairs(); ++i) {
                const auto [x1, x2, y1, y2] = values[i];
                const double h1 = half_unit(inputs, x1), h2 = half_unit(inputs, x2);
                const double cos = a * std::abs(c[i]), sin = a * std::abs(s[i]);
                const double angle = a * of_angle(m, i) * (std::abs(x1) + std::abs(x2));
                add(y1, a * (c[i] * x1 - s[i] * x2), cos * h1 + sin * h2 + angle, m, i, first);
                add(y2, a * (c[i] * x2 + s[i] * x1), cos * h2 + sin * h1 + angle, m, i, second);
                const double norm = a * std::hypot(x1, x2);
                const double rounding = std::hypot(digits_->half_unit(y1), digits_->half_unit(y2));
                add_norm(std::hypot(y1, y2), norm,
                         rounding * (1 + 0x1p-20) + a * std::hypot(h1, h2) + 0x1p-21 * norm, m, i);
            }
        }
    }

    const Spec& spec_;
    const Dump& dump_;
    FrequencyPlan plan_;
    std::vector<double> k_;
    std::optional<PrintedDigits> digits_;
    WorstCase values_, norms_;
    bool are_near_ = true;
    std::vector<std::string> observations_;
};

}  // namespace

std::optional<PrintedReport> judge_printed(const Spec& spec, const Dump& dump) {
    return Printed(spec, dump).report();
}

}  // namespace rope
