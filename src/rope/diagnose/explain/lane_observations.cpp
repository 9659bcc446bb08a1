#include "rope/diagnose/explain/lane_observations.hpp"

#include <algorithm>
#include <cmath>

#include "rope/number/format.hpp"
#include "rope/spec/lanes.hpp"
#include "rope/table/exact_rows.hpp"
#include "rope/table/rotate.hpp"

namespace rope {
namespace {

// Pairs whose first lane is as asked, and whose second is.
struct LanesRight {
    std::uint64_t pairs = 0, first = 0, second = 0;

    bool are_first_alone() const { return first == pairs && 2 * second < pairs; }
    bool are_second_alone() const { return second == pairs && 2 * first < pairs; }
};

class RotatedLanes {
  public:
    RotatedLanes(const DumpReading& reading, const DumpPart& part)
        : spec_(reading.asked),
          part_(part),
          dump_(std::get<RotatedDump>(part.dump)),
          plan_(plan_frequencies(spec_, exact_precision)),
          rows_(plan_.pairs, turn_rates(plan_.pairs)) {}

    // Where the vectors were `before`.
    LanesRight right(const StridedRows& before) {
        LanesRight all;
        const std::size_t lanes = spec_.head_dim;
        Vector x(lanes), y(lanes), cos(rows_.pairs()), sin(rows_.pairs());
        for (const std::size_t row : part_.sampled) {
            const double position = part_.rows.position(row);
            if (position == 0) continue;  // where nothing turns
            before.read(row, 0, lanes, x.data());
            dump_.after.read(row, 0, lanes, y.data());
            rows_.fill({&position, 1}, cos.data(), sin.data());
            count(all, rotate(spec_, x, cos, sin), y);
        }
        return all;
    }

  private:
    void count(LanesRight& all, const Vector& expected, const Vector& y) const {
        const double tolerance = std::max(0x1p-14, 16 * half_spacing(dump_.format, 1));
        for (std::size_t i = 0; i < plan_.pairs.size(); ++i) {
            const Lanes lanes = written_lanes_of_pair(spec_, i);
            const double allowed =
                tolerance * std::hypot(expected[lanes.first], expected[lanes.second]);
            const auto is_right = [&](std::size_t lane) {
                return std::abs(plan_.attention_factor * expected[lane] - y[lane]) <= allowed;
            };
            ++all.pairs;
            all.first += is_right(lanes.first) ? 1 : 0;
            all.second += is_right(lanes.second) ? 1 : 0;
        }
    }

    const Spec& spec_;
    const DumpPart& part_;
    const RotatedDump& dump_;
    FrequencyPlan plan_;
    RealRows rows_;
};

}  // namespace

std::vector<std::string> lane_observations(const DumpReading& reading, const DumpPart& part) {
    const auto* dump = std::get_if<RotatedDump>(&part.dump);
    if (!dump || !reading.mistakes.empty() || part.rows.axes() > 1 || !part.before_group.empty())
        return {};
    RotatedLanes lanes(reading, part);
    const LanesRight own = lanes.right(dump->before);
    if (own.pairs == 0 || !(own.are_first_alone() || own.are_second_alone())) return {};
    const bool is_first = own.are_first_alone();
    std::string said = std::string("the ") + (is_first ? "first" : "second") +
                       " lane of every pair is right, the " + (is_first ? "second" : "first");
    if (dump->other) {
        const LanesRight other = lanes.right(dump->other->before);
        if ((is_first ? other.second : other.first) == other.pairs)
            return {said + " is that of the rotation of " + dump->other->name};
    }
    return {said + " is not"};
}

}  // namespace rope
