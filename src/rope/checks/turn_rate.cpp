#include "rope/checks/turn_rate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/checks/check.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"
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
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) {
        formats.scale_rounding = vectors->scale_rounding;
        formats.roundings = vectors->roundings;
    }
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

double SlowTurns::moved(double x, const Turn& turn) const {
    switch (formats_.roundings) {
        case Roundings::of_inputs:
            return half_spacing(formats_.values(), std::abs(x) * (1 + 0x1p-20));
        case Roundings::twice:
            return rotation_rounding(formats_.values(), 1) * portable::hypot(turn.x1, turn.x2);
        case Roundings::once:
            break;
    }
    return std::abs(round_to(formats_.values(), x) - x);
}

template <class AnyDump, class Read>
void SlowTurns::visit_rows(const AnyDump& dump, const Read& read,
                           const std::function<void(const Turn&)>& visit) const {
    const bool is_one_axis = dump.more_positions.empty();
    for (std::uint64_t row = 0; row < dump.positions.size(); ++row) {
        const auto set_values = read(row);
        const std::uint64_t group = group_of(row);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const std::uint32_t axis = pairs_[k].axis;
            const double m =
                is_one_axis || axis == 0 ? dump.positions[row] : dump.more_positions[axis - 1][row];
            if (m == 0) continue;
            Turn turn{k, group, m, m * pairs_[k].theta, 1, 0, 0, 0};
            set_values(turn);
            if (turn.x1 != 0 || turn.x2 != 0) visit(turn);
        }
    }
}

namespace {

// Of each row the columns from the first that is needed to the last.
class ColumnsOfRow {
  public:
    explicit ColumnsOfRow(std::vector<std::size_t> needed)
        : first_(*std::ranges::min_element(needed)),
          values_(*std::ranges::max_element(needed) + 1 - first_) {}

    void read(const StridedRows& rows, std::uint64_t row) {
        rows.read(row, first_, values_.size(), values_.data());
    }
    double operator[](std::size_t column) const { return values_[column - first_]; }

  private:
    std::size_t first_;
    std::vector<double> values_;
};

}  // namespace

// A table is what (1, 0) becomes.
void SlowTurns::for_each(const std::function<void(const Turn&)>& visit) const {
    if (pairs_.empty()) return;
    const auto columns = [&](const auto& add) {
        std::vector<std::size_t> needed;
        for (std::size_t k = 0; k < pairs_.size(); ++k) add(needed, k);
        return ColumnsOfRow(std::move(needed));
    };
    if (const auto* table = std::get_if<TableDump>(&dump_)) {
        ColumnsOfRow cos =
            columns([&](auto& all, std::size_t k) { all.push_back(pairs_[k].pair); });
        ColumnsOfRow sin = cos;
        const auto set_values = [&](Turn& turn) {
            turn.y1 = cos[pairs_[turn.k].pair];
            turn.y2 = sin[pairs_[turn.k].pair];
        };
        const auto read = [&](std::uint64_t row) {
            cos.read(table->cos, row);
            sin.read(table->sin, row);
            return set_values;
        };
        visit_rows(*table, read, visit);
    }
    if (const auto* vectors = std::get_if<RotatedDump>(&dump_)) {
        const auto both = [](auto& all, const Lanes& lanes) {
            all.insert(all.end(), {lanes.first, lanes.second});
        };
        ColumnsOfRow x = columns([&](auto& all, std::size_t k) { both(all, lanes_[k].first); });
        ColumnsOfRow y = columns([&](auto& all, std::size_t k) { both(all, lanes_[k].second); });
        const auto set_values = [&](Turn& turn) {
            const auto& [from, to] = lanes_[turn.k];
            turn.x1 = x[from.first];
            turn.x2 = x[from.second];
            turn.y1 = y[to.first];
            turn.y2 = y[to.second];
        };
        const auto read = [&](std::uint64_t row) {
            x.read(vectors->before, row);
            y.read(vectors->after, row);
            return set_values;
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

// Of two roundings many lanes tell together what none tells alone.
void add_lane(RateSum& sum, double y, const TurnedLane& lane, Roundings roundings) {
    const double least = roundings == Roundings::once ? least_over_error : 0;
    if (!(std::abs(lane.slope) >= least * lane.error) || !std::isfinite(y) || lane.error == 0)
        return;
    sum.add(y - lane.value, lane);
}

}  // namespace

void add_turn(RateSum& sum, const SlowTurns& turns, const SlowTurns::Turn& turn, double rate) {
    const SmallTurn small(rate * turn.angle, turns.formats());
    SmallTurn::Turned want = small.of(turn.x1, turn.x2);
    const Roundings roundings = turns.formats().roundings;
    if (roundings == Roundings::once && !may_tell(want.first, turns.formats()) &&
        !may_tell(want.second, turns.formats()))
        return;
    small.add_errors(want, turn.x1, turn.x2, turns.moved(turn.x1, turn),
                     turns.moved(turn.x2, turn));
    add_lane(sum, turn.y1, want.first, roundings);
    add_lane(sum, turn.y2, want.second, roundings);
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

double rounding_of(const RateSum& sum, Roundings roundings) {
    return roundings == Roundings::once ? sum.allowed() : std::min(sum.allowed(), sum.likely());
}

double share_off(const RateSum& sum, const SlowPair& pair, Roundings roundings) {
    if (sum.lanes() == 0) return 0;
    return std::abs(sum.deviation()) / (rounding_of(sum, roundings) + pair.tolerance);
}

namespace {

struct CosSin1 {
    double c, s;
};

// Of small angles by their series, to 2^-26 of the sine.
CosSin1 cos_sin(double angle) {
    CosSin1 z{};
    const double q = angle * angle;
    if (q <= 0x1p-4)
        return {1 - q / 2 * (1 - q / 12 * (1 - q / 30)), angle * (1 - q / 6 * (1 - q / 20))};
    if (!std::isfinite(angle)) return {NAN, NAN};  // of a rate that no lane told
    const std::uint64_t turn = turn_of(angle);
    kernels().cos_sin_of_turns(1, &turn, &z.c, &z.s);
    return z;
}

// What an implementation may round to 0 is subnormal, in float16 at the latest.
double least_kept(Format format) {
    return std::ldexp(1.0, std::max(smallest_exponent(format), smallest_exponent(Format::float16)));
}

}  // namespace

TurnFormats::TurnFormats(Format values, Format table, double amplitude)
    : values_(values),
      amplitude_(amplitude),
      u_(unit_roundoff(values)),
      u_table_(unit_roundoff(table)),
      least_(least_kept(values)),
      least_of_table_(least_kept(table)) {}

double TurnFormats::lost(double value) const {
    return std::abs(value) < least_ ? std::abs(value) : 0;
}

double TurnFormats::lost_of_table(double value) const {
    return std::abs(value) < least_of_table_ ? std::abs(value) : 0;
}

SmallTurn::SmallTurn(double angle, const TurnFormats& formats) : formats_(formats), angle_(angle) {
    const auto [c, s] = cos_sin(angle);
    c_ = formats.amplitude() * c;
    s_ = formats.amplitude() * s;
}

// C and S are each rounded once, and thrice with an amplitude: itself, and their product with it.
// A cos within half a spacing of 1 is rounded to 1, by which products are exact; the angle, itself
// rounded, moves it by 8u of that.
SmallTurn::Errors SmallTurn::errors() const {
    const double u = formats_.roundoff_of_table(), a = formats_.amplitude();
    const double once = (a == 1 ? 1 : 3) * u + formats_.roundoff_of_values();
    const double less = angle_ * angle_ / 2;
    const bool is_one = a == 1 && less * (1 + 8 * formats_.roundoff()) <= u / 2;
    return {is_one ? less : once * std::abs(c_),
            formats_.lost_of_table(s_) > 0 ? std::abs(s_) : once * std::abs(s_)};
}

SmallTurn::Turned SmallTurn::of(double x1, double x2) const {
    const double y1 = c_ * x1 - s_ * x2, y2 = c_ * x2 + s_ * x1;
    return {{y1, -angle_ * y2, 0}, {y2, angle_ * y1, 0}};
}

void SmallTurn::add_errors(Turned& turned, double x1, double x2, double moved1,
                           double moved2) const {
    const Errors own = errors();
    turned.first.error = error_of(own, turned.first.value, x1, x2, moved1, moved2);
    turned.second.error = error_of(own, turned.second.value, x2, x1, moved2, moved1);
}

// Of both products, and of their sum, which is rounded once.
double SmallTurn::error_of(const Errors& errors, double value, double same, double other,
                           double moved_same, double moved_other) const {
    const double products = std::abs(same) * errors.c + std::abs(other) * errors.s +
                            std::abs(c_) * moved_same + std::abs(s_) * moved_other +
                            formats_.lost(c_ * same) + formats_.lost(s_ * other);
    const double size = std::abs(value) + products;
    const double sum = half_spacing(formats_.values(), size) + formats_.lost(value);
    return (products + sum + formats_.scale_rounding * size) * (1 + 8 * formats_.roundoff());
}

namespace {

// Of sums of the same pairs: those that are odd, where others show that they are not.
template <class Key>
std::vector<Key> odd_ones(const std::map<Key, RateSum>& sums, const SlowPair& pair) {
    std::vector<Key> odd;
    RateSum all;
    for (const auto& [key, sum] : sums)
        if (is_odd(sum, pair)) {
            odd.push_back(key);
            all.add(sum);
        }
    if (odd.empty()) return {};
    const double half = std::abs(all.deviation()) / 2;
    const bool has_right = std::ranges::any_of(sums, [&](const auto& one) {
        const RateSum& sum = one.second;
        return sum.lanes() > 0 && !is_odd(sum, pair) && sum.allowed() + pair.tolerance < half;
    });
    return has_right ? odd : std::vector<Key>{};
}

class OddTurnSearch {
  public:
    OddTurnSearch(const SlowTurns& turns, const TurnRates& rates)
        : turns_(turns), is_odd_pair_(turns.pairs().size()) {
        for (std::size_t k = 0; k < is_odd_pair_.size(); ++k) {
            const SlowPair& pair = turns.pairs()[k];
            is_odd_pair_[k] = is_odd(rates.of_pair[k], pair) ||
                              std::ranges::any_of(rates.of[k], [&](const RateSum& sum) {
                                  return is_odd(sum, pair);
                              });
        }
        find_groups(rates);
        find_positions();
    }

    OddTurns found() && {
        const TurnRates rates = turn_rates(turns_, counting());
        const std::vector<Rate> own = fitted_rates(rates, false),
                                common = fitted_rates(rates, true);
        const auto turning = turnings(own, common);
        for (std::size_t k = 0; k < own.size(); ++k)
            if (is_odd_pair_[k]) add(k, turning[k]);
        return std::move(found_);
    }

  private:
    bool counts(const SlowTurns::Turn& turn) const {
        const auto has = [](const auto& all, auto one) {
            return all.empty() || std::ranges::binary_search(all, one);
        };
        return is_odd_pair_[turn.k] && has(found_.groups, std::size_t{turn.group}) &&
               has(found_.positions, turn.position);
    }
    std::function<bool(const SlowTurns::Turn&)> counting() const {
        return [this](const SlowTurns::Turn& turn) { return counts(turn); };
    }

    // The most that any of the odd pairs allows.
    SlowPair laxest() const {
        SlowPair all = turns_.pairs().front();
        all.tolerance = 0;
        for (std::size_t k = 0; k < is_odd_pair_.size(); ++k)
            if (is_odd_pair_[k])
                all.tolerance = std::max(all.tolerance, turns_.pairs()[k].tolerance);
        return all;
    }

    void find_groups(const TurnRates& rates) {
        std::map<std::size_t, RateSum> sums;
        for (std::size_t k = 0; k < is_odd_pair_.size(); ++k)
            for (std::size_t g = 0; is_odd_pair_[k] && g < rates.of[k].size(); ++g)
                sums[g].add(rates.of[k][g]);
        found_.groups = odd_ones(sums, laxest());
    }

    // Of several axes a position is not a row.
    void find_positions() {
        const auto is_on_other = [](const SlowPair& pair) { return pair.axis != 0; };
        if (std::ranges::any_of(turns_.pairs(), is_on_other)) return;
        std::map<double, RateSum> sums;
        turns_.for_each([&](const SlowTurns::Turn& turn) {
            if (counts(turn)) add_turn(sums[turn.position], turns_, turn);
        });
        found_.positions = odd_ones(sums, laxest());
    }

    // Over the Spec's, off by at most so much.
    struct Rate {
        double value = 1, error = 0;
    };
    struct RatedTurn {
        Turning turning;
        double rate;
    };

    // Least squares again about what it gave, since slow pairs may turn far by another rate; of
    // each pair, or one of all.
    std::vector<Rate> fitted_rates(TurnRates rates, bool common) const {
        std::vector<double> rate(is_odd_pair_.size(), 1);
        std::vector<Rate> fitted(rate.size());
        for (int step = 0; step < 3; ++step) {
            if (step > 0) rates = turn_rates(turns_, counting(), rate);
            RateSum all;
            for (const RateSum& sum : rates.of_pair) all.add(sum);
            for (std::size_t k = 0; k < rate.size(); ++k) {
                const RateSum& sum = common ? all : rates.of_pair[k];
                if (sum.lanes() == 0) continue;
                fitted[k] = {rate[k] * (1 + sum.deviation()), std::abs(rate[k]) * sum.allowed()};
                rate[k] = fitted[k].value;
            }
        }
        return fitted;
    }

    // What each pair does, of all that would explain every lane the first.
    std::vector<RatedTurn> turnings(const std::vector<Rate>& own,
                                    const std::vector<Rate>& common) const {
        using enum Turning;
        constexpr std::size_t ways = 4;
        const auto rates_of = [&](std::size_t k) {
            return std::array<Rate, ways>{{{0, 0}, {-1, 0}, common[k], own[k]}};
        };
        std::vector<std::array<bool, ways>> explains(own.size(), {true, true, true, true});
        turns_.for_each([&](const SlowTurns::Turn& turn) {
            if (!counts(turn)) return;
            const auto rates = rates_of(turn.k);
            for (std::size_t r = 0; r < ways; ++r)
                if (explains[turn.k][r]) explains[turn.k][r] = is_within(turn, rates[r]);
        });
        constexpr std::array each{still, backwards, at_another_rate, at_another_rate, at_no_rate};
        std::vector<RatedTurn> all;
        for (std::size_t k = 0; k < own.size(); ++k) {
            const auto r = static_cast<std::size_t>(std::ranges::find(explains[k], true) -
                                                    explains[k].begin());
            all.push_back({each[r], r < ways ? rates_of(k)[r].value : own[k].value});
        }
        return all;
    }

    bool is_within(const SlowTurns::Turn& turn, const Rate& rate) const {
        const SmallTurn small(rate.value * turn.angle, turns_.formats());
        SmallTurn::Turned want = small.of(turn.x1, turn.x2);
        small.add_errors(want, turn.x1, turn.x2, turns_.moved(turn.x1, turn),
                         turns_.moved(turn.x2, turn));
        const double moved = turns_.pairs()[turn.k].tolerance * std::abs(rate.value) + rate.error;
        const auto is_near = [&](double y, const TurnedLane& lane, double other) {
            return std::abs(y - lane.value) <= lane.error + moved * std::abs(turn.angle * other);
        };
        return is_near(turn.y1, want.first, want.second.value) &&
               is_near(turn.y2, want.second, want.first.value);
    }

    void add(std::size_t k, const RatedTurn& turn) {
        auto same = std::ranges::find(found_.turns, turn.turning, &OddTurn::turning);
        if (same == found_.turns.end())
            same = found_.turns.insert(same, {{}, turn.turning, turn.rate, turn.rate});
        same->pairs.push_back(turns_.pairs()[k].pair);
        same->least_rate = std::min(same->least_rate, turn.rate);
        same->most_rate = std::max(same->most_rate, turn.rate);
    }

    const SlowTurns& turns_;
    std::vector<bool> is_odd_pair_;
    OddTurns found_;
};

}  // namespace

std::vector<std::uint32_t> undetermined_pairs(const SlowTurns& turns, const TurnRates& rates) {
    std::vector<std::uint32_t> pairs;
    const Roundings roundings = turns.formats().roundings;
    for (std::size_t k = 0; k < turns.pairs().size(); ++k)
        if (const RateSum& sum = rates.of_pair[k];
            sum.lanes() == 0 || rounding_of(sum, roundings) >= 1)
            pairs.push_back(turns.pairs()[k].pair);
    return pairs;
}

OddTurns odd_turns(const SlowTurns& turns, const TurnRates& rates) {
    OddTurns odd = OddTurnSearch(turns, rates).found();
    odd.undetermined = undetermined_pairs(turns, rates);
    return odd;
}

namespace {

// In hundredths, or as finely as it takes to differ from 1.
std::string rounded(double rate) {
    double unit = 100;
    while (std::round(unit * rate) == unit && rate != 1 && unit < 1e9) unit *= 10;
    return decimal(std::round(unit * rate) / unit);
}

std::string rate_in_words(const OddTurn& odd) {
    const std::string least = rounded(odd.least_rate), most = rounded(odd.most_rate);
    const bool is_one = odd.most_rate - odd.least_rate <= 0.05 * std::abs(odd.most_rate);
    const double middle = (odd.least_rate + odd.most_rate) / 2;
    return (is_one ? rounded(middle) : least + " to " + most) + " times";
}

std::string numbered_pairs(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return (pairs.size() == 1 ? "pair " : "pairs ") + ranges(pairs, 4) + " of " +
           decimal(spec.pairs());
}

std::string pairs_in_words(const OddTurn& odd, const Spec& spec) {
    const bool is_one = odd.pairs.size() == 1;
    const std::string text = numbered_pairs(odd.pairs, spec) + " ";
    const std::string s = is_one ? "s" : "", its = is_one ? "its" : "their";
    switch (odd.turning) {
        case Turning::still:
            return text + (is_one ? "does" : "do") + " not rotate";
        case Turning::backwards:
            return text + "rotate" + s + " backwards";
        case Turning::at_another_rate:
            return text + "turn" + s + " at " + rate_in_words(odd) + " " + its + " rate";
        case Turning::at_no_rate:
            break;
    }
    return text + "turn" + s + " by " + (is_one ? "an angle" : "angles") +
           " in no proportion to the position";
}

std::string numbered(const char* one, const char* several, const std::set<std::uint64_t>& numbers) {
    return (numbers.size() == 1 ? one : several) +
           ranges(std::vector<std::uint64_t>(numbers.begin(), numbers.end()), 4);
}

// "batch entry 1, heads 0, 2", where these are all of them.
std::string groups_in_words(const std::vector<std::size_t>& groups, const RowGrid& grid) {
    std::set<std::uint64_t> entries, heads;
    for (const std::size_t group : groups) {
        entries.insert(group / grid.head.length);
        heads.insert(group % grid.head.length);
    }
    if (entries.size() * heads.size() != groups.size())
        return decimal(groups.size()) + " of " + decimal(grid.batch.length * grid.head.length) +
               " sequences of heads";
    std::string text;
    if (entries.size() < grid.batch.length)
        text = numbered("batch entry ", "batch entries ", entries);
    if (heads.size() < grid.head.length)
        text += (text.empty() ? "" : ", ") + numbered("head ", "heads ", heads);
    return text;
}

}  // namespace

std::string undetermined_in_words(const std::vector<std::uint32_t>& pairs, const Spec& spec) {
    return "no value tells whether " + numbered_pairs(pairs, spec) +
           (pairs.size() == 1 ? " turns" : " turn");
}

std::string in_words(const OddTurns& odd, const Spec& spec, const RowGrid& grid) {
    std::string text = odd.groups.empty() ? "" : groups_in_words(odd.groups, grid) + ": ";
    text += join(odd.turns, [&](const OddTurn& one) { return pairs_in_words(one, spec); });
    if (!odd.positions.empty()) text += ", at positions " + ranges(odd.positions, 4);
    if (!odd.undetermined.empty()) text += "; " + undetermined_in_words(odd.undetermined, spec);
    return text;
}

namespace {

// Slow pairs turn at the Spec's rate: r = 1 to within what rounding may make of it, and what
// rounding inv_freq, position and their product to the format does (checks/turn_rate.hpp). Of
// each pair in all heads together, and in each of them.

void judge_rate(WorstCase& worst, const RateSum& sum, const SlowPair& pair, double position,
                Roundings roundings) {
    if (sum.lanes() == 0) return;
    const double deviation = sum.deviation();
    worst.judge(std::abs(deviation), rounding_of(sum, roundings) + pair.tolerance, position,
                pair.pair, [&] { return Witness{{position}, pair.pair, 1 + deviation, 1}; });
}

WorstCase judge_rates(const SlowTurns& turns, const TurnRates& rates) {
    WorstCase worst;
    for (std::size_t k = 0; k < turns.pairs().size(); ++k) {
        const SlowPair& pair = turns.pairs()[k];
        worst.add_samples(rates.of_pair[k].lanes());
        const Roundings roundings = turns.formats().roundings;
        judge_rate(worst, rates.of_pair[k], pair, rates.farthest[k], roundings);
        for (const RateSum& of_group : rates.of[k])
            judge_rate(worst, of_group, pair, rates.farthest[k], roundings);
    }
    return worst;
}

}  // namespace

void judge_turn_rate(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     Finding& finding) {
    const SlowTurns turns(spec, plan, dump, table);
    const TurnRates rates = turn_rates(turns);
    judge_rates(turns, rates).report_to(finding);
    finding.violations.reset();  // of pairs, not of values
    const auto undetermined = undetermined_pairs(turns, rates);
    if (finding.samples == 0) finding.note = "no pair is slow";
    if (!undetermined.empty()) finding.note = undetermined_in_words(undetermined, spec);
}

void check_turn_rate(const Comparison& comparison, const Sample&, Finding& finding) {
    const RowSource& subject = comparison.subject;
    if (subject.dumped() != nullptr && is_in_16_bits(*subject.dumped(), subject.exactness().table))
        judge_turn_rate(comparison.spec, comparison.plan, *subject.dumped(),
                        subject.exactness().table, finding);
    else
        finding.note = "of dumps and audits in 16 bits alone";
}

}  // namespace rope
