#include "rope/suite/faulty_rotation.hpp"

#include <cmath>
#include <limits>

#include "rope/exact/phase.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace {

RotaryTable table_of(const SuiteCase& right, const FrequencyPlan& plan) {
    std::vector<std::uint64_t> positions(right.positions[0].begin(), right.positions[0].end());
    return build_table(plan, std::move(positions), Format::float64);
}

FrequencyPlan plan_of(const FaultySubject& subject) {
    return plan_frequencies(subject.right.spec, exact_precision);
}

using PairMap = void (*)(double& x1, double& x2, const TableEntry& turn);

void rotate_pair(double& x1, double& x2, const TableEntry& turn) {
    const double y1 = x1 * turn.cos - x2 * turn.sin;
    x2 = x2 * turn.cos + x1 * turn.sin;
    x1 = y1;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // of one sign everywhere

double stored(double y) { return std::isnan(y) ? nan : round_to(Format::float32, y); }

// Its position, its pair, and where it is.
template <class Visit>
void for_each_entry(RotaryTable& table, const Visit& visit) {
    std::size_t k = 0;
    for (double& cos : table.cos) {
        visit(static_cast<double>(table.positions[k / table.pairs]), k % table.pairs, cos,
              table.sin[k]);
        ++k;
    }
}

// Every value in float64, rounded once at the end.
Answer turned(const FaultySubject& subject, const RotaryTable& table, PairMap map = rotate_pair) {
    const Spec& spec = subject.right.spec;
    Answer y = subject.x;
    for (std::size_t k = 0; k < table.cos.size(); ++k) {
        const std::size_t row = k / table.pairs * spec.head_dim, i = k % table.pairs;
        const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
        double x1 = subject.x[row + from.first], x2 = subject.x[row + from.second];
        map(x1, x2, {table.cos[k], table.sin[k]});
        y[row + to.first] = stored(x1);
        y[row + to.second] = stored(x2);
    }
    return y;
}

}  // namespace

Answer by_spec(const FaultySubject& subject, const std::function<void(Spec&)>& change) {
    Spec spec = subject.right.spec;
    change(spec);
    return GoldenRows(spec, Format::float32).rotated(subject.right.positions, subject.x);
}

Answer by_positions(const FaultySubject& subject,
                    const std::function<double(double m, std::size_t row)>& change) {
    PositionsByAxis positions = subject.right.positions;
    for (std::vector<double>& axis : positions)
        for (std::size_t row = 0; row < axis.size(); ++row) axis[row] = change(axis[row], row);
    return GoldenRows(subject.right.spec, Format::float32).rotated(positions, subject.x);
}

Answer by_frequencies(const FaultySubject& subject,
                      const std::function<void(std::vector<PlannedFrequency>&)>& change) {
    FrequencyPlan plan = plan_of(subject);
    change(plan.pairs);
    return turned(subject, table_of(subject.right, plan));
}

Answer by_angles(const FaultySubject& subject,
                 const std::function<double(double m, const BigReal& theta)>& angle) {
    const FrequencyPlan plan = plan_of(subject);
    RotaryTable table = table_of(subject.right, plan);
    for_each_entry(table, [&](double m, std::size_t pair, double& cos, double& sin) {
        const double phi = angle(m, plan.pairs[pair].inv_freq);
        if (std::isfinite(phi))
            rounded_cos_sin(BigReal(phi, exact_precision), plan.amplitude, Format::float64, cos,
                            sin);
        else
            cos = sin = nan;
    });
    return turned(subject, table);
}

Answer by_entries(const FaultySubject& subject,
                  const std::function<TableEntry(TableEntry right, double m)>& change) {
    RotaryTable table = table_of(subject.right, plan_of(subject));
    for_each_entry(table, [&](double m, std::size_t, double& cos, double& sin) {
        const TableEntry entry = change({cos, sin}, m);
        cos = entry.cos;
        sin = entry.sin;
    });
    return turned(subject, table);
}

Answer by_pairs(const FaultySubject& subject, PairMap map) {
    return turned(subject, table_of(subject.right, plan_of(subject)), map);
}

}  // namespace rope
