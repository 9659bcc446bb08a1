#include "rope/comparison/turn_rates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rope/spec/axis.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {
namespace {

constexpr double largest_angle = 0.25;
constexpr double least_over_error = 4;
constexpr std::uint64_t most_groups = 4096;

template <class AnyDump>
double farthest_on(const AnyDump& dump, std::uint32_t axis) {
    const auto& positions =
        axis == 0 || dump.more_positions.empty() ? dump.positions : dump.more_positions[axis - 1];
    double farthest = 0;
    for (const double m : positions) farthest = std::max(farthest, std::abs(m));
    return farthest;
}

// Calls with a table or vectors.
template <class Visit>
void with_rows(const Dump& dump, const Visit& visit) {
    if (const auto* table = std::get_if<TableDump>(&dump)) visit(*table);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) visit(*vectors);
}

TurnFormats formats_of(const Dump& dump, const FrequencyPlan& plan, Format table) {
    Format values = table;
    with_rows(dump, [&](const auto& rows) { values = rows.format; });
    const bool is_coarser = unit_roundoff(values) > unit_roundoff(table);
    TurnFormats formats(values, is_coarser ? values : table, plan.attention_factor);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        formats.scale_rounding = vectors->scale_rounding;
    return formats;
}

}  // namespace

SlowTurns::SlowTurns(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table)
    : dump_(dump), formats_(formats_of(dump, plan, table)) {
    const auto axis = axis_of_pairs(spec.axes, spec.pairs());
    const auto k = angle_k(least_exact, spec, plan);
    with_rows(dump, [&](const auto& rows) {
        std::vector<double> farthest(axis_count(spec.axes));
        for (std::uint32_t a = 0; a < farthest.size(); ++a) farthest[a] = farthest_on(rows, a);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double theta = plan.pairs[i].inv_freq.to_double();
            if (theta == 0 || !(farthest[axis[i]] * theta <= largest_angle)) continue;
            pairs_.push_back(
                {i, axis[i], theta, 3 * formats_.roundoff() + 0x1p-25 / theta + k[i] * 0x1p-24});
            lanes_.emplace_back(lanes_of_pair(spec, i), written_lanes_of_pair(spec, i));
        }
    });
}

const RowGrid& SlowTurns::grid() const {
    const auto* table = std::get_if<TableDump>(&dump_);
    return table ? table->grid : std::get<RotatedDump>(dump_).grid;
}

std::uint64_t SlowTurns::groups() const {
    const std::uint64_t groups = grid().batch.length * grid().head.length;
    return groups > most_groups ? 1 : groups;
}

std::uint64_t SlowTurns::group_of(std::uint64_t row) const {
    if (groups() == 1) return 0;
    return grid().batch.of(row) * grid().head.length + grid().head.of(row);
}

double SlowTurns::moved(double x) const { return std::abs(round_to(formats_.values(), x) - x); }

template <class AnyDump, class Read>
void SlowTurns::visit_rows(const AnyDump& dump, const Read& read,
                           const std::function<void(const Turn&)>& visit) const {
    const bool is_one_axis = dump.more_positions.empty();
    for (std::uint64_t row = 0; row < dump.positions.size(); ++row) {
        const std::uint64_t group = group_of(row);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const std::uint32_t axis = pairs_[k].axis;
            const double m =
                is_one_axis || axis == 0 ? dump.positions[row] : dump.more_positions[axis - 1][row];
            if (m == 0) continue;
            Turn turn{k, group, m, m * pairs_[k].theta, 1, 0, 0, 0};
            read(row, turn);
            if (turn.x1 != 0 || turn.x2 != 0) visit(turn);
        }
    }
}

// A table is what (1, 0) becomes.
void SlowTurns::for_each(const std::function<void(const Turn&)>& visit) const {
    if (const auto* table = std::get_if<TableDump>(&dump_)) {
        const auto read = [&](std::uint64_t row, Turn& turn) {
            turn.y1 = table->cos.at(row, pairs_[turn.k].pair);
            turn.y2 = table->sin.at(row, pairs_[turn.k].pair);
        };
        visit_rows(*table, read, visit);
    }
    if (const auto* vectors = std::get_if<RotatedDump>(&dump_)) {
        const auto read = [&](std::uint64_t row, Turn& turn) {
            const auto& [from, to] = lanes_[turn.k];
            turn.x1 = vectors->before.at(row, from.first);
            turn.x2 = vectors->before.at(row, from.second);
            turn.y1 = vectors->after.at(row, to.first);
            turn.y2 = vectors->after.at(row, to.second);
        };
        visit_rows(*vectors, read, visit);
    }
}

namespace {

// A sum is rounded by at least u/2 of itself.
bool may_tell(const TurnedLane& lane, const TurnFormats& formats) {
    return std::abs(lane.slope) >=
           least_over_error / 2 * formats.roundoff_of_values() * std::abs(lane.value);
}

void add_lane(RateSum& sum, double y, const TurnedLane& lane) {
    if (!(std::abs(lane.slope) >= least_over_error * lane.error) || !std::isfinite(y)) return;
    sum.add(y - lane.value, lane);
}

}  // namespace

void add_turn(RateSum& sum, const SlowTurns& turns, const SlowTurns::Turn& turn, double rate) {
    const SmallTurn small(rate * turn.angle, turns.formats());
    SmallTurn::Turned want = small.of(turn.x1, turn.x2);
    if (!may_tell(want.first, turns.formats()) && !may_tell(want.second, turns.formats())) return;
    small.add_errors(want, turn.x1, turn.x2, turns.moved(turn.x1), turns.moved(turn.x2));
    add_lane(sum, turn.y1, want.first);
    add_lane(sum, turn.y2, want.second);
}

TurnRates turn_rates(const SlowTurns& turns,
                     const std::function<bool(const SlowTurns::Turn&)>& counts,
                     const std::vector<double>& rate) {
    const std::size_t pairs = turns.pairs().size();
    TurnRates rates{std::vector(pairs, std::vector<RateSum>(turns.groups())),
                    std::vector<RateSum>(pairs), std::vector<double>(pairs)};
    turns.for_each([&](const SlowTurns::Turn& turn) {
        if (counts && !counts(turn)) return;
        RateSum& sum = rates.of[turn.k][turn.group];
        const std::uint64_t before = sum.lanes();
        add_turn(sum, turns, turn, rate.empty() ? 1 : rate[turn.k]);
        double& farthest = rates.farthest[turn.k];
        if (sum.lanes() > before && std::abs(turn.position) > std::abs(farthest))
            farthest = turn.position;
    });
    for (std::size_t k = 0; k < pairs; ++k)
        for (const RateSum& sum : rates.of[k]) rates.of_pair[k].add(sum);
    return rates;
}

bool is_in_16_bits(const Dump& dump, Format table) {
    double roundoff = 0;
    with_rows(dump, [&](const auto& rows) {
        roundoff = std::max(unit_roundoff(rows.format), unit_roundoff(table));
    });
    return roundoff >= unit_roundoff(Format::float16);
}

double share_off(const RateSum& sum, const SlowPair& pair) {
    if (sum.lanes() == 0) return 0;
    return std::abs(sum.deviation()) / (sum.allowed() + pair.tolerance);
}

}  // namespace rope
