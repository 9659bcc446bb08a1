#include "rope/diagnose/still_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/comparison/worst_case.hpp"
#include "rope/diagnose/explain/mistakes.hpp"
#include "rope/number/format.hpp"
#include "rope/report/lookup.hpp"
#include "rope/spec/axis.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {
namespace {

// Angles whose sine and cosine two terms give to 1e-6: larger ones are beyond every allowance.
constexpr double largest_angle = 0.1;

// What arithmetic in a format may round to 0 is subnormal, in float16 at the latest.
double least_normal(Format format) {
    return std::ldexp(1.0, std::max(smallest_exponent(format), smallest_exponent(Format::float16)));
}

struct SmallTurn {
    double angle;
    double sin() const { return angle - angle * angle * angle / 6; }
    double less() const { return angle * angle / 2; }  // 1 − cos
};

// How often, and where most clearly, a pair that is still should not be.
class StillPairs {
  public:
    template <class AnyDump>
    StillPairs(const Report& report, const AnyDump& dump)
        : inv_freq_(report.inv_freq),
          amplitude_(report.attention_factor),
          axis_(axis_of_pairs(report.spec.axes, report.spec.pairs())) {
        for (std::uint32_t i = 0; i < report.spec.pairs(); ++i)
            if (inv_freq_[i] != 0 && is_still(report.spec, dump, i)) judge(report.spec, dump, i);
    }

    const std::vector<std::uint32_t>& pairs() const { return pairs_; }
    const WorstCase& worst() const { return worst_; }

  private:
    static bool is_still(const Spec&, const TableDump& table, std::uint32_t i) {
        for (std::uint64_t row = 0; row < table.positions.size(); ++row)
            if (table.sin.at(row, i) != 0) return false;
        return true;
    }

    static bool is_still(const Spec& spec, const RotatedDump& vectors, std::uint32_t i) {
        const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
        for (std::uint64_t row = 0; row < vectors.positions.size(); ++row)
            if (!is_unchanged(vectors, row, from.first, to.first) ||
                !is_unchanged(vectors, row, from.second, to.second))
                return false;
        return true;
    }

    // But for its rounding to the format of the rotated ones.
    static bool is_unchanged(const RotatedDump& vectors, std::uint64_t row, std::size_t from,
                             std::size_t to) {
        return round_to(vectors.format, vectors.before.at(row, from)) == vectors.after.at(row, to);
    }

    template <class AnyDump>
    void judge(const Spec& spec, const AnyDump& dump, std::uint32_t i) {
        const std::uint64_t before = violations_;
        for (std::uint64_t row = 0; row < dump.positions.size(); ++row) {
            const auto& more = dump.more_positions;
            const double m =
                axis_[i] == 0 || more.empty() ? dump.positions[row] : more[axis_[i] - 1][row];
            const SmallTurn turn{m * inv_freq_[i]};
            if (turn.angle != 0 && std::abs(turn.angle) <= largest_angle)
                judge_row(spec, dump, {row, m, i}, turn);
        }
        if (violations_ > before) pairs_.push_back(i);
    }

    struct Place {
        std::uint64_t row;
        double position;
        std::uint32_t pair;
    };

    void judge_row(const Spec&, const TableDump& table, const Place& at, const SmallTurn& turn) {
        const double want = std::abs(amplitude_ * turn.sin());
        if (want >= least_normal(table.format)) add(at, turn, 1 / unit_roundoff(table.format));
    }

    // A sum of products, each rounded, is off by less than half a spacing where cos is 1 or next
    // to it and the change more than that.
    void judge_row(const Spec& spec, const RotatedDump& vectors, const Place& at,
                   const SmallTurn& turn) {
        const Lanes lanes = lanes_of_pair(spec, at.pair);
        const double x1 = vectors.before.at(at.row, lanes.first);
        const double x2 = vectors.before.at(at.row, lanes.second);
        for (const auto& [x, other] : {std::pair{x1, -x2}, std::pair{x2, x1}}) {
            const double change = std::abs(other * turn.sin() - x * turn.less());
            const double least = std::max(4 * half_spacing(vectors.format, std::abs(x)),
                                          least_normal(vectors.format));
            if (change > least) add(at, turn, change / least);
        }
    }

    // `over`: how many times as far off as the format shows.
    void add(const Place& at, const SmallTurn& turn, double over) {
        const double want = amplitude_ * turn.sin();
        ++violations_;
        worst_.add_samples(1);
        worst_.judge(std::abs(want), std::abs(want) / over, at.position, at.pair,
                     [&] { return Witness{{at.position}, at.pair, 0, want}; });
    }

    const std::vector<double>& inv_freq_;
    double amplitude_;
    std::vector<std::uint32_t> axis_;
    std::vector<std::uint32_t> pairs_;
    std::uint64_t violations_ = 0;
    WorstCase worst_;
};

std::string what_is_still(const std::vector<std::uint32_t>& pairs, const Report& report,
                          bool is_table) {
    const bool one = pairs.size() == 1;
    return (one ? "pair " : "pairs ") + ranges(pairs, 4) + " of " + decimal(report.spec.pairs()) +
           (one ? " is" : " are") + " not rotated: " +
           (is_table ? "every sine is exactly 0" : "every value is exactly what it was in q");
}

Explanation explanation_of(std::string what, bool all, const Finding& before,
                           const Finding& after) {
    Explanation one;
    one.mistake = all ? "not-rotated" : "rotary-dim";
    one.what = std::move(what);
    one.before = before.observed / before.allowed;
    one.after = after.allowed == 0 ? 0 : after.observed / after.allowed;
    one.advice = std::string(find_mistake(one.mistake).advice);
    return one;
}

bool is_in_16_bits(Format format) {
    return format == Format::bfloat16 || format == Format::float16;
}

template <class AnyDump>
void find_in(Report& report, Finding& accuracy, const AnyDump& dump) {
    if (!is_in_16_bits(dump.format)) return;
    const StillPairs still(report, dump);
    if (still.pairs().empty()) return;
    const Finding within = accuracy;
    still.worst().report_to(accuracy);
    accuracy.samples = within.samples;
    for (Field& field : accuracy.fields)
        if (field.name == "component") field.value = std::string("sin");
    const std::string what =
        what_is_still(still.pairs(), report, std::is_same_v<AnyDump, TableDump>);
    accuracy.note = what + ", which the allowance of each value by itself hides";
    const bool all = still.pairs().size() == report.spec.pairs();
    report.diagnosis = {explanation_of(what, all, accuracy, within)};
}

}  // namespace

void find_still_pairs(Report& report, const Dump& dump) {
    const auto accuracy = std::ranges::find(report.findings, "table-accuracy", &Finding::check);
    if (accuracy == report.findings.end() || accuracy->verdict != Verdict::holds ||
        summarize(report).violated > 0)
        return;
    if (const auto* table = std::get_if<TableDump>(&dump)) find_in(report, *accuracy, *table);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) find_in(report, *accuracy, *vectors);
}

}  // namespace rope
