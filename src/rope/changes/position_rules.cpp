// Rules for wrong positions: each proposes the parameters that the rows suggest, and names the
// mistake.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope {
namespace {

using Kind = PositionMap::Kind;

NamedMistake named_chunks(double step, double gain) {
    Parameters context{{"gains", gain < 0 ? "loses" : "gains"},
                       {"once", step + gain},
                       {"twice", 2 * step},
                       {"twice_more", 2 * (step + gain)}};
    if (gain == step) context.emplace_back("is_twice", 1.0);
    return named("position-offset", {{"offset", gain}, {"every", step}}, context);
}

NamedMistake named_integer(const PositionMap& map) {
    const double period = map.offset;
    if (map.from == 0)
        return named("position-sign", {{"type", "uint" + decimal(std::log2(period))}},
                     {{"largest", period - 1}});
    const char* type = period == 0x1p8 ? "int8" : period == 0x1p16 ? "int16" : "int32";
    return named("position-wrap", {{"period", period}, {"type", type}}, {{"half", period / 2}});
}

NamedMistake named_whole(const char* how) { return named("position-collapse", {{"whole", how}}); }

// If positions are missing before the start of a rule, the sentence names the last right one.
Parameters context_of(const RowsOfSwitch& rows) {
    if (rows.before >= 0 && rows.before + 1 < rows.from) return {{"last_right", rows.before}};
    return {};
}

NamedMistake named_map(const PositionMap& map, const RowsOfSwitch& rows) {
    const double scale = map.scale, offset = map.offset;
    switch (map.kind) {
        case Kind::affine:
            if (scale == 1) return named("position-offset", {{"offset", offset}});
            if (offset == 0) return named("position-scale", {{"scale", scale}});
            return named("position-scale", {{"scale", scale}, {"offset", offset}});
        case Kind::switched:
            if (scale == 1)
                return named("position-offset", {{"offset", offset}, {"from", map.from}},
                             context_of(rows));
            return named("not-rotated", {{"from", map.from}},
                         map.from < rows.last ? context_of(rows) : Parameters{{"is_last", 1.0}});
        case Kind::constant:
            return named("position-collapse", {{"position", offset}});
        case Kind::clamp:
            return named("position-collapse", {{"last", offset}});
        case Kind::raised:
            return named("position-collapse", {{"first", offset}});
        case Kind::run:
            return scale == 1 ? named_whole("floor") : named("position-collapse", {{"run", scale}});
        case Kind::quotient:
            return named("position-collapse", {{"divisor", scale}});
        case Kind::truncated:
            return named_whole("truncated");
        case Kind::nearest:
            return named_whole("nearest");
        case Kind::chunks:
            return named_chunks(scale, offset);
        case Kind::wrap:
            return named("position-wrap", {{"period", offset}});
        case Kind::integer:
            return named_integer(map);
        case Kind::magnitude:
            break;
    }
    return named("position-sign");
}

// Adds a map as a rule if every row follows it.
struct Proposals {
    const Places& places;
    double unit;  // as in rules_of()
    std::vector<PositionRule> rules = {};

    bool follow(const PositionMap& map) const {
        return std::ranges::all_of(
            places, [&](const PlacedRow& row) { return row.is_at(map(row.should)); });
    }
    bool operator()(const PositionMap& map, int cost = 1) {
        if (!follow(map)) return false;
        RowsOfSwitch rows{.from = map.from, .last = places.back().should};
        const auto from = std::ranges::find(places, map.from, &PlacedRow::should);
        if (from != places.begin() && from != places.end()) rows.before = (from - 1)->should;
        rules.push_back({named_map(map, rows), map, cost});
        return true;
    }
    // The first row at a wrong position.
    Places::const_iterator first_off() const {
        return std::ranges::find_if_not(places,
                                        [](const PlacedRow& row) { return row.is_at(row.should); });
    }
};

// Returns the whole number within `tolerance` of x, else x.
double whole_if_near(double x, double tolerance) {
    return std::abs(x - std::round(x)) <= tolerance ? std::round(x) : x;
}

// The weighted mean of stand − should; NaN if a row is not finite.
double mean_offset(const Places& places) {
    double sum = 0, weights = 0;
    for (const PlacedRow& row : places) {
        const double weight = 1 / (row.tolerance * row.tolerance);
        sum += weight * (row.stand - row.should);
        weights += weight;
    }
    return whole_if_near(sum / weights, least_tolerance(places));
}

bool are_at_one_position(const Places& places) {
    return places.front().should == places.back().should;
}

// If all rows have one position, any rule fits. A scale is likelier than a fractional offset, or
// than an offset equal to the position.
bool is_scale_likelier(const Places& places) {
    if (!are_at_one_position(places)) return false;
    const double k = mean_offset(places);
    return k != std::round(k) || k == places.front().should;
}

void propose_offset(Proposals& propose) {
    const Places& places = propose.places;
    const double k = mean_offset(places);
    if (std::isnan(k) || k == 0) return;
    // rows of one position that rotate in the wrong direction also fit an offset
    const double m = places.front().should;
    if (are_at_one_position(places) && m >= 0 && m + k < 0) return;
    // a free number absorbs the error of something else
    propose({.kind = Kind::affine, .offset = k}, 2 * k == std::round(2 * k) ? 1 : 2);
}

// Right up to some position, shifted from there on: prefill and decode disagree.
void propose_switch(Proposals& propose) {
    const Places& places = propose.places;
    const auto off = propose.first_off();
    if (off - places.begin() < 2 || places.end() - off < 2 || std::isnan(off->stand)) return;
    if (const double k = off->move(); k != 0)
        propose({.kind = Kind::switched, .offset = k, .from = off->should});
}

// Right up to some position, not rotated from there on: a kernel misses its last rows.
void propose_stop(Proposals& propose) {
    const auto off = propose.first_off();
    if (off - propose.places.begin() < 2 || off == propose.places.end() || !(off->should > 1))
        return;
    propose({.kind = Kind::switched, .scale = 0, .from = off->should});
}

void propose_constant(Proposals& propose) {
    const PlacedRow& first = propose.places.front();
    if (std::isnan(first.stand)) return;
    const double p = whole_if_near(first.stand, first.tolerance) + 0.0;  // no -0
    // a wrong row of one position does not show that other positions share it
    if (p == 0 || !are_at_one_position(propose.places))
        propose({.kind = Kind::constant, .offset = p});
}

void propose_clamp(Proposals& propose) {
    const double last = std::round(propose.places.back().stand) + 0.0;
    if (last < propose.places.back().should) propose({.kind = Kind::clamp, .offset = last});
}

// Positions raised to a minimum, such as padding of −1 that becomes 0.
void propose_raised(Proposals& propose) {
    const PlacedRow lowest = std::ranges::min(propose.places, {}, &PlacedRow::should);
    const double first = std::round(lowest.stand) + 0.0;
    if (first > lowest.should && (first == 0 || !are_at_one_position(propose.places)))
        propose({.kind = Kind::raised, .offset = first});
}

// The shortest run n that may map m to p within t: k·n ≤ p + t and m < (k + 1)·n with k = ⌊m/n⌋, so
// k·(m − p − t) < p + t. Infinite if p > m − t.
double shortest_run(double m, double p, double t) {
    if (!(m - p > t)) return HUGE_VAL;
    const double k = std::max(0.0, std::ceil((p + t) / (m - p - t)));
    return std::max(2.0, std::floor(m / (k + 1)));
}

constexpr double longest_run = 65536;

// The run length is searched with the first row at a wrong position.
void propose_runs(Proposals& propose) {
    const Places& places = propose.places;
    const auto off = propose.first_off();
    if (off == places.end() || std::isnan(off->stand)) return;
    const double m = off->should, p = off->stand, tolerance = off->tolerance;
    const double most = std::min(longest_run, places.back().should);
    for (double n = shortest_run(m, p, tolerance); n <= most; ++n)
        if (std::abs(n * std::floor(m / n) - p) <= tolerance &&
            propose({.kind = Kind::run, .scale = n}))
            return;
}

// p = ⌊m/step⌋, so m/(p + 1) < step ≤ m/p for the last row.
void propose_quotients(Proposals& propose) {
    const double last = propose.places.back().should, p = std::round(propose.places.back().stand);
    if (!(p > 0 && last > 0)) return;
    const double most = std::min(longest_run, std::floor(last / p));
    for (double step = std::max(2.0, std::floor(last / (p + 1)) + 1); step <= most; ++step)
        if (propose({.kind = Kind::quotient, .scale = step})) return;
}

void propose_magnitude(Proposals& propose) {
    if (!propose.follow({})) propose({.kind = Kind::magnitude});
}

// −1 becomes the largest number of an unsigned type.
void propose_unsigned(Proposals& propose) {
    if (std::ranges::min(propose.places, {}, &PlacedRow::should).should >= 0) return;
    for (const double size : {0x1p8, 0x1p16, 0x1p32})
        propose({.kind = Kind::integer, .offset = size});
}

// Fractional positions become whole.
void propose_whole(Proposals& propose) {
    if (propose.follow({})) return;
    for (const Kind kind : {Kind::truncated, Kind::run, Kind::nearest})
        if (propose({.kind = kind})) return;
}

constexpr double least_position_scale = 1e-4;  // no known mistake has a smaller one

bool is_possible_scale(double scale) {
    return scale > least_position_scale && scale < 1 / least_position_scale;
}

// p = scale·m + offset fitted to the rows, weighted by their tolerances. A line fits any two
// positions, and explains them only if it fits a third.
void propose_affine(Proposals& propose) {
    std::set<double> different;
    LineSums sums;
    for (const PlacedRow& row : propose.places) {
        different.insert(row.should);
        sums.add(row.should, row.stand, 1 / (row.tolerance * row.tolerance));
    }
    if (different.size() < 3 || !(sums.spread() > 0) || !is_possible_scale(sums.slope())) return;
    const double offset =
        whole_if_near(sums.offset(sums.slope()), 8 * least_tolerance(propose.places));
    const auto slope = written_scale(sums.slope(), 1e-6, propose.unit);
    if (!slope || slope->scale == 1 || offset == 0) return;
    propose({.kind = Kind::affine, .scale = slope->scale, .offset = offset}, 1 + slope->cost());
}

void propose_scale(Proposals& propose) {
    double through_zero = 0, weights = 0;
    for (const auto& [m, stand, tolerance, error] : propose.places) {
        if (std::isnan(stand)) return;
        const double w = 1 / (error * error);
        through_zero += w * m * stand;
        weights += w * m * m;
    }
    if (weights == 0) return;
    const double own = through_zero / weights;  // negative for the opposite direction
    if (!is_possible_scale(own)) return;
    const double tolerance = 1e-7 + 2 / (std::sqrt(weights) * std::min(1.0, own));  // relative
    const auto written = written_scale(own, tolerance, propose.unit);
    // another scale counts as a rule only if nothing else is wrong
    const double scale = written ? written->scale : few_digits(own, tolerance);
    if (scale == 1 ||
        !propose({.kind = Kind::affine, .scale = scale}, written ? written->cost() : 2))
        propose_affine(propose);
}

// Positions gain a constant at the start of every chunk: its first token is counted twice, or one
// token is added.

constexpr double least_chunk = 16;

struct Steps {
    double least, most;  // of the step, whole numbers
};

// For p = m + gain·⌊m/step⌋, the steps that all rows permit: step in (m/(k + 1), m/k] with k = (p −
// m)/gain. None if a row's k is not whole, or if fewer than three k occur.
std::optional<Steps> steps_of(const Places& places, double gain) {
    Steps steps{1, HUGE_VAL};
    std::set<double> times;
    for (const PlacedRow& row : places) {
        const double m = row.should, k = row.move() / gain;
        if (!(k >= 0) || k != std::floor(k) || m < 0) return std::nullopt;
        steps.least = std::max(steps.least, std::floor(m / (k + 1)) + 1);
        if (k > 0) steps.most = std::min(steps.most, std::floor(m / k));
        times.insert(k);
    }
    if (times.size() < 3 || steps.least > steps.most) return std::nullopt;
    return steps;
}

// The smallest gain of a row, in absolute value.
double least_gain(const Places& places) {
    double gain = 0;
    for (const PlacedRow& row : places)
        if (const double own = row.move();
            own != 0 && (gain == 0 || std::abs(own) < std::abs(gain)))
            gain = own;
    return gain;
}

// If several steps are possible, the gain itself, else the number divisible by most powers of two.
void propose_chunks(Proposals& propose) {
    const double gain = least_gain(propose.places);
    const auto steps = gain == 0 ? std::nullopt : steps_of(propose.places, gain);
    if (!steps) return;
    const auto is_open = [&](double step) { return steps->least <= step && step <= steps->most; };
    double step = is_open(gain) ? gain : steps->most;
    for (double unit = 1; !is_open(gain) && unit <= steps->most; unit *= 2)
        if (const double round = std::floor(steps->most / unit) * unit; is_open(round))
            step = round;
    // positions dealt out to n ranks and renumbered lose n − 1 of every n, which are no chunks
    if (step >= least_chunk && (gain == step || 8 * std::abs(gain) <= step))
        propose({.kind = Kind::chunks, .scale = step, .offset = gain});
}

// m − p of each row, rounded; empty if a row is not finite.
std::vector<double> moves(const Places& places) {
    std::vector<double> moved;
    for (const PlacedRow& row : places) {
        if (std::isnan(row.stand)) return {};
        moved.push_back(-row.move());
    }
    return moved;
}

// Divisors of the greatest common divisor of all moves, largest first: the largest that fits is the
// period.
std::vector<double> possible_periods(const std::vector<double>& moved) {
    std::uint64_t common = 0;
    for (const double move : moved)
        common = std::gcd(common, static_cast<std::uint64_t>(std::abs(move)));
    std::vector<double> periods;
    for (std::uint64_t divisor = 1; common != 0 && divisor <= 64; ++divisor) {
        const std::uint64_t period = common / divisor;
        if (common == period * divisor) periods.push_back(static_cast<double>(period));
    }
    return periods;
}

bool is_power_of_two(double x) { return std::exp2(std::round(std::log2(x))) == x; }

void propose_wrap(Proposals& propose) {
    const Places& places = propose.places;
    const std::vector<double> moved = moves(places);
    if (!std::ranges::all_of(moved, [](double move) { return move >= 0; })) return;
    std::set<double> wrong;  // positions; a single one does not show a period
    for (std::size_t r = 0; r < moved.size(); ++r)
        if (moved[r] != 0) wrong.insert(places[r].should);
    for (const double period : possible_periods(moved)) {
        // one position may show a power of two, unless its row is simply not rotated
        if (wrong.size() < 2 && (!is_power_of_two(period) || period == places.back().should))
            continue;
        if (propose({.kind = Kind::wrap, .offset = period})) return;
    }
}

void propose_signed_wrap(Proposals& propose) {
    if (moves(propose.places).empty()) return;
    for (const double size : {0x1p8, 0x1p16, 0x1p32})
        if (propose.places.back().should >= size / 2)
            propose({.kind = Kind::integer, .offset = size, .from = -size / 2});
}

// In the order of likelihood.
constexpr void (*ways[])(Proposals& propose) = {
    propose_unsigned,  // before propose_offset, which fits 2^16 if no row is at 0 or beyond
    propose_offset,   propose_constant, propose_scale,       propose_clamp, propose_raised,
    propose_stop,     propose_wrap,     propose_signed_wrap, propose_runs,  propose_quotients,
    propose_switch,   propose_chunks,   propose_magnitude,   propose_whole,
};

}  // namespace

double least_tolerance(const Places& places) {
    return std::ranges::min(places, {}, &PlacedRow::tolerance).tolerance;
}

PositionRule switched_at(const PositionRule& rule, const RowsOfSwitch& rows) {
    PositionMap map = rule.map;
    map.from = rows.from;
    return {named_map(map, rows), map, rule.cost};
}

std::vector<PositionRule> rules_of(const Places& places, double unit) {
    Proposals propose{places, unit};
    const bool scale_first = is_scale_likelier(places);
    if (scale_first) propose_scale(propose);
    for (const auto way : ways)
        if (!scale_first || way != propose_scale) way(propose);
    return std::move(propose.rules);
}

}  // namespace rope
