#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

std::string text(double x) { return decimal(x); }

// How far the rows are off on average; NaN where one is nowhere.
double offset_of(const Places& places) {
    double sum = 0, weights = 0;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        const double weight = 1 / (places.tolerance[r] * places.tolerance[r]);
        sum += weight * (places.stand[r] - places.should[r]);
        weights += weight;
    }
    return whole_if_near(sum / weights, least_tolerance(places));
}

// Rows for one position are off by any rule: by a scale sooner than by a number that is not whole,
// or by the position itself.
bool is_scale_likelier(const Places& places) {
    if (places.should.front() != places.should.back()) return false;
    const double k = offset_of(places);
    return k != std::round(k) || k == places.should.front();
}

// All rows are for negative positions, though none was given: another direction's.
bool are_turned_back(const Places& places, double offset) {
    return std::ranges::all_of(places.should, [&](double m) { return m >= 0 && m + offset < 0; });
}

void try_offset(const Places& places, Rules& rules) {
    const double k = offset_of(places);
    if (std::isnan(k) || are_turned_back(places, k)) return;
    if (k == 0 || !places.follow([&](double m) { return m + k; })) return;
    rules.push_back({"position-offset",
                     {{"offset", k}},
                     "every row is for position m " + std::string(k < 0 ? "− " : "+ ") +
                         text(std::abs(k)) + ", not m",
                     {.kind = PositionMap::Kind::affine, .offset = k},
                     2 * k == std::round(2 * k) ? 1 : 2});  // a free number takes up others' error
}

// The rule begins between two rows, and from the second on it is seen.
std::string beginning(const RowsOfSwitch& rows) {
    const std::string from = "from position " + text(rows.from) + " on";
    return rows.before >= 0 && rows.before + 1 < rows.from
               ? from + " (the last before it, " + text(rows.before) + ", is right)"
               : from;
}

PositionRule switched_rule(double k, const RowsOfSwitch& rows) {
    const double from = rows.from;
    return {"position-offset",
            {{"offset", k}, {"from", from}},
            beginning(rows) + ", every row is for position m " + std::string(k < 0 ? "− " : "+ ") +
                text(std::abs(k)) + ", not m",
            {.kind = PositionMap::Kind::switched, .offset = k, .from = from}};
}

// The first row that is not where it should be; as many as there are if all are.
std::size_t first_other_ids(const Places& places) {
    std::size_t r = 0;
    while (r < places.should.size() &&
           std::abs(places.stand[r] - places.should[r]) <= places.tolerance[r])
        ++r;
    return r;
}

// Right up to some position, shifted from there on: prefill and decode that disagree.
void try_switched(const Places& places, Rules& rules) {
    const std::size_t r = first_other_ids(places);
    if (r < 2 || r + 2 > places.should.size() || std::isnan(places.stand[r])) return;
    const double k = std::round(places.stand[r] - places.should[r]), from = places.should[r];
    if (k == 0 || !places.follow([&](double m) { return m >= from ? m + k : m; })) return;
    rules.push_back(switched_rule(k, {places.should[r - 1], from, places.should.back()}));
}

PositionRule stopped_rule(const RowsOfSwitch& rows) {
    const double from = rows.from;
    return {"not-rotated",
            {{"from", from}},
            from < rows.last ? "rows are not rotated " + beginning(rows)
                             : "the row for position " + text(from) + " is not rotated",
            {.kind = PositionMap::Kind::stopped, .from = from}};
}

// Right up to some position, as q was from there on: a kernel that misses its last rows.
void try_stopped(const Places& places, Rules& rules) {
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        const double from = places.should[r];
        if (std::abs(places.stand[r] - from) <= places.tolerance[r]) continue;
        if (r < 2) return;
        PositionRule rule = stopped_rule({places.should[r - 1], from, places.should.back()});
        if (from > 1 && places.follow(rule.map)) rules.push_back(std::move(rule));
        return;
    }
}

void try_constant(const Places& places, Rules& rules) {
    if (std::isnan(places.stand[0])) return;
    const double p = whole_if_near(places.stand[0], places.tolerance[0]) + 0.0;  // no -0
    if (!places.follow([&](double) { return p; })) return;
    rules.push_back({"position-collapse",
                     {{"position", p}},
                     "every row is for position " + text(p),
                     {.kind = PositionMap::Kind::constant, .offset = p}});
}

void try_clamp(const Places& places, Rules& rules) {
    const double last = std::round(places.stand.back()) + 0.0;  // no -0
    if (!(last < places.should.back())) return;
    if (!places.follow([&](double m) { return std::min(m, last); })) return;
    rules.push_back({"position-collapse",
                     {{"last", last}},
                     "every position beyond " + text(last) + " is clamped to it",
                     {.kind = PositionMap::Kind::clamp, .offset = last}});
}

// From below, as padding of −1 that becomes 0.
void try_raised(const Places& places, Rules& rules) {
    const auto lowest = std::ranges::min_element(places.should);
    const double first =
        std::round(places.stand[static_cast<std::size_t>(lowest - places.should.begin())]) + 0.0;
    if (!(first > *lowest)) return;
    const PositionMap map{.kind = PositionMap::Kind::raised, .offset = first};
    if (!places.follow(map)) return;
    rules.push_back({"position-collapse",
                     {{"first", first}},
                     "every position below " + text(first) + " is raised to it",
                     map});
}

// The shortest run that may take position m to p, within t: k·n ≤ p + t and m < (k + 1)·n of
// k = ⌊m/n⌋, so that k·(m − p − t) < p + t. None where p is beyond.
double shortest_run(double m, double p, double t) {
    if (!(m - p > t)) return HUGE_VAL;
    const double k = std::max(0.0, std::ceil((p + t) / (m - p - t)));
    return std::max(2.0, std::floor(m / (k + 1)));
}

// By the first row that is elsewhere.
void try_runs(const Places& places, Rules& rules) {
    constexpr double longest = 65536;
    const std::size_t r = first_other_ids(places);
    if (r == places.should.size() || std::isnan(places.stand[r])) return;
    const double m = places.should[r], p = places.stand[r], tolerance = places.tolerance[r];
    const double most = std::min(longest, places.should.back());
    if (!(most >= 2)) return;
    const double first = std::min(shortest_run(m, p, tolerance), most + 1);
    for (auto n = static_cast<std::uint64_t>(first); static_cast<double>(n) <= most; ++n) {
        const auto step = static_cast<double>(n);
        const auto rule = [&](double at) { return step * std::floor(at / step); };
        if (std::abs(rule(m) - p) > tolerance || !places.follow(rule)) continue;
        rules.push_back({"position-collapse",
                         {{"run", step}},
                         "each run of " + text(step) + " positions uses its first one",
                         {.kind = PositionMap::Kind::run, .scale = step}});
        return;
    }
}

// p = ⌊m/step⌋, so that m/(p + 1) < step ≤ m/p of the last row.
void try_quotients(const Places& places, Rules& rules) {
    const double last = places.should.back(), p = std::round(places.stand.back());
    if (!(p > 0 && last > 0)) return;
    constexpr double limit = 65536;
    const double least = std::max(2.0, std::floor(last / (p + 1)) + 1);
    const auto most = static_cast<std::uint32_t>(std::min(limit, std::floor(last / p)));
    for (auto n = static_cast<std::uint32_t>(std::min(limit + 1, least)); n <= most; ++n) {
        const double step = n;
        if (!places.follow([&](double m) { return std::floor(m / step); })) continue;
        rules.push_back({"position-collapse",
                         {{"divisor", step}},
                         "positions are divided by " + text(step) + " and rounded down",
                         {.kind = PositionMap::Kind::quotient, .scale = step}});
        return;
    }
}

void try_rounded(const Places& places, Rules& rules) {
    for (const Format format : {Format::bfloat16, Format::float16, Format::tf32}) {
        if (!places.follow([&](double m) { return round_to(format, m); })) continue;
        if (places.follow([](double m) { return m; })) continue;
        rules.push_back({"position-precision",
                         {{"format", std::string(to_string(format))}},
                         "positions were rounded to " + std::string(to_string(format)),
                         {.kind = PositionMap::Kind::rounded, .format = format}});
    }
}

void try_magnitude(const Places& places, Rules& rules) {
    const PositionMap map{.kind = PositionMap::Kind::magnitude};
    if (places.follow([](double m) { return m; }) || !places.follow(map)) return;
    rules.push_back({"position-sign", {}, "negative positions are used without their sign", map});
}

// −1 is the greatest number of a type.
void try_unsigned(const Places& places, Rules& rules) {
    if (*std::ranges::min_element(places.should) >= 0) return;
    for (const double bits : {8.0, 16.0, 32.0}) {
        const double size = std::exp2(bits);
        const PositionMap map{.kind = PositionMap::Kind::unsigned_wrap, .offset = size};
        if (!places.follow(map)) continue;
        const std::string type = "uint" + text(bits);
        rules.push_back({"position-sign",
                         {{"type", type}},
                         "positions were converted to " + type + ": -1 becomes " + text(size - 1),
                         map});
    }
}

// Fractional positions that became whole ones.
void try_whole(const Places& places, Rules& rules) {
    if (places.follow([](double m) { return m; })) return;
    using Kind = PositionMap::Kind;
    struct Way {
        const char *name, *words;
        Kind kind;
    };
    for (const Way& way : {Way{"truncated", "truncated to whole numbers", Kind::truncated},
                           Way{"floor", "rounded down to whole numbers", Kind::run},
                           Way{"nearest", "rounded to the nearest whole number", Kind::nearest}}) {
        const PositionMap map{.kind = way.kind};
        if (!places.follow(map)) continue;
        rules.push_back({"position-collapse",
                         {{"whole", std::string(way.name)}},
                         std::string("fractional positions are ") + way.words,
                         map});
        return;
    }
}

}  // namespace

PositionRule switched_at(const PositionRule& rule, const RowsOfSwitch& rows) {
    return rule.map.kind == PositionMap::Kind::stopped ? stopped_rule(rows)
                                                       : switched_rule(rule.map.offset, rows);
}

Rules rules_of(const Places& places, double unit) {
    Rules rules;
    const bool scale_first = is_scale_likelier(places);
    if (scale_first) try_scale(places, unit, rules);
    try_unsigned(places, rules);  // before an offset by 2^16, where no row is for 0 or beyond
    try_offset(places, rules);
    try_constant(places, rules);
    if (!scale_first) try_scale(places, unit, rules);
    try_rounded(places, rules);
    try_clamp(places, rules);
    try_raised(places, rules);
    try_stopped(places, rules);
    try_wraps(places, rules);
    try_runs(places, rules);
    try_quotients(places, rules);
    try_switched(places, rules);
    try_chunks(places, rules);
    try_magnitude(places, rules);
    try_whole(places, rules);
    return rules;
}

std::vector<PositionRule> position_rules(const Samples& samples, const Hypothesis& hypothesis,
                                         double unit) {
    if (samples.positions.size() > 1) return {};
    const auto places = places_of(samples, hypothesis);
    return places ? rules_of(*places, unit) : Rules{};
}

namespace {

// Positions that are multiplied by a number.

// p = scale·m + offset through the rows, each by its tolerance.
struct Affine {
    double scale, offset;
};
std::optional<Affine> fit_affine(const Places& places) {
    LineSums sums;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        const double tolerance = places.tolerance[r];
        sums.add(places.should[r], places.stand[r], 1 / (tolerance * tolerance));
    }
    if (!(sums.spread() > 0)) return std::nullopt;
    return Affine{sums.slope(), sums.offset(sums.slope())};
}

constexpr double least_position_scale = 1e-4;  // nobody's mistake is beyond

}  // namespace

void try_scale(const Places& places, double unit, Rules& rules) {
    double through_zero = 0, weights = 0;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        if (std::isnan(places.stand[r])) return;
        const double m = places.should[r], w = 1 / (places.error[r] * places.error[r]);
        through_zero += w * m * places.stand[r];
        weights += w * m * m;
    }
    if (weights == 0) return;
    const double own = through_zero / weights;
    if (own < 0) return;  // that is the other direction
    if (!(own > least_position_scale && own < 1 / least_position_scale)) return;
    const double tolerance = 1e-7 + 2 / (std::sqrt(weights) * std::min(1.0, own));  // relative
    const auto written = written_scale(own, tolerance, unit);
    // any other explains the rows only where nothing else is wrong
    const double scale = written ? written->scale : few_digits(own, tolerance);
    if (scale != 1 && places.follow([&](double m) { return scale * m; })) {
        rules.push_back({"position-scale",
                         {{"scale", scale}},
                         "positions are multiplied by " + decimal(scale),
                         {.kind = PositionMap::Kind::affine, .scale = scale},
                         written ? written->cost() : 2});
        return;
    }
    const auto fit = fit_affine(places);
    if (!fit) return;
    const double offset = whole_if_near(fit->offset, 8 * least_tolerance(places));
    if (!(fit->scale > least_position_scale && fit->scale < 1 / least_position_scale)) return;
    const auto slope = written_scale(fit->scale, 1e-6, unit);
    if (!slope || slope->scale == 1 || offset == 0) return;
    const PositionMap map{
        .kind = PositionMap::Kind::affine, .scale = slope->scale, .offset = offset};
    if (!places.follow(map)) return;
    rules.push_back({"position-scale",
                     {{"scale", slope->scale}, {"offset", offset}},
                     "positions are multiplied by " + decimal(slope->scale) + " and " +
                         decimal(offset) + " is added",
                     map,
                     1 + slope->cost()});
}

namespace {

// Positions that gain as much again at the beginning of every chunk: its start is counted twice, or
// one token more.

constexpr double least_chunk = 16;

struct Steps {
    double least, most;  // whole numbers
};

// Rows dealt out to n ranks and numbered by each lose n − 1 of every n positions, and are no
// chunks.
bool is_likely(double gain, double step) {
    return step >= least_chunk && (gain == step || 8 * std::abs(gain) <= step);
}

// p = m + gain·⌊m/step⌋ of every row: step in (m/(k + 1), m/k] where k = (p − m)/gain. None where a
// row gains anything else, or there are not two gains.
std::optional<Steps> steps_of(const Places& places, double gain) {
    Steps steps{1, HUGE_VAL};
    std::set<double> times;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        const double m = places.should[r], k = std::round(places.stand[r] - m) / gain;
        if (!(k >= 0) || k != std::floor(k) || m < 0) return std::nullopt;
        steps.least = std::max(steps.least, std::floor(m / (k + 1)) + 1);
        if (k > 0) steps.most = std::min(steps.most, std::floor(m / k));
        times.insert(k);
    }
    if (times.size() < 3 || steps.least > steps.most) return std::nullopt;
    return steps;
}

// The least that a row gains, of all that do.
double least_gain(const Places& places) {
    double gain = 0;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        const double own = std::round(places.stand[r] - places.should[r]);
        if (own != 0 && (gain == 0 || std::abs(own) < std::abs(gain))) gain = own;
    }
    return gain;
}

std::string what_of(double gain, double step) {
    const std::string length = decimal(step), twice = decimal(2 * step);
    if (gain == step)
        return "the start of each chunk of " + length + " positions is added twice: " + length +
               " becomes " + twice + ", " + twice + " becomes " + decimal(4 * step);
    return "each chunk of " + length + " positions " + (gain < 0 ? "loses " : "gains ") +
           decimal(std::abs(gain)) + " more than the one before it: " + length + " becomes " +
           decimal(step + gain) + ", " + twice + " becomes " + decimal(2 * (step + gain));
}

PositionRule chunk_rule(double gain, double step) {
    return {"position-offset",
            {{"offset", gain}, {"every", step}},
            what_of(gain, step),
            {.kind = PositionMap::Kind::chunks, .scale = step, .offset = gain}};
}

}  // namespace

// Where rows leave the length of a chunk open, the gain itself, else the roundest number.
void try_chunks(const Places& places, Rules& rules) {
    const double gain = least_gain(places);
    if (gain == 0) return;
    const auto steps = steps_of(places, gain);
    if (!steps) return;
    const auto is_open = [&](double step) { return steps->least <= step && step <= steps->most; };
    double step = is_open(gain) ? gain : steps->most;
    for (double unit = 1; !is_open(gain) && unit <= steps->most; unit *= 2)
        if (const double round = std::floor(steps->most / unit) * unit; is_open(round))
            step = round;
    PositionRule rule = chunk_rule(gain, step);
    if (is_likely(gain, step) && places.follow(rule.map)) rules.push_back(std::move(rule));
}

namespace {

// Positions that start over: in chunks, or in an integer type too narrow for them.

using Kind = PositionMap::Kind;

PositionRule wrap_rule(double period) {
    return {"position-wrap",
            {{"period", period}},
            "positions start over every " + decimal(period),
            {.kind = Kind::wrap, .offset = period}};
}

PositionRule signed_wrap_rule(double period) {
    const std::string type = period == 256 ? "int8" : period == 65536 ? "int16" : "int32";
    return {"position-wrap",
            {{"period", period}, {"type", type}},
            "positions wrap around as " + type + ": from " + decimal(period / 2) +
                " on they are negative",
            {.kind = Kind::signed_wrap, .offset = period}};
}

// m − p of each row in whole numbers; empty where a row is not finite.
std::vector<double> moves(const Places& places) {
    std::vector<double> moved;
    for (std::size_t r = 0; r < places.should.size(); ++r) {
        if (std::isnan(places.stand[r])) return {};
        moved.push_back(std::round(places.should[r] - places.stand[r]));
    }
    return moved;
}

// Whole divisors of what all moves have in common, the greatest first: only the greatest period
// that follows is one.
std::vector<double> possible_periods(const std::vector<double>& moved, double first) {
    std::uint64_t common = 0;
    for (const double move : moved)
        common = std::gcd(common, static_cast<std::uint64_t>(std::abs(move - first)));
    std::vector<double> periods;
    for (std::uint64_t divisor = 1; common != 0 && divisor <= 64; ++divisor) {
        const std::uint64_t period = common / divisor;
        if (common == period * divisor) periods.push_back(static_cast<double>(period));
    }
    return periods;
}

bool is_power_of_two(double x) { return std::exp2(std::round(std::log2(x))) == x; }

// Whether rows for two positions are elsewhere: one alone shows no period.
bool move_twice(const Places& places, const std::vector<double>& moved) {
    std::set<double> positions;
    for (std::size_t r = 0; r < moved.size(); ++r)
        if (moved[r] != 0) positions.insert(places.should[r]);
    return positions.size() > 1;
}

void try_wrap(const Places& places, const std::vector<double>& moved, Rules& rules) {
    if (!std::ranges::all_of(moved, [](double move) { return move >= 0; })) return;
    const bool twice = move_twice(places, moved);
    for (const double period : possible_periods(moved, 0)) {
        // of one row alone a power of two may be, but not where it is simply not rotated
        if (!twice && (!is_power_of_two(period) || period == places.should.back())) continue;
        if (!places.follow([&](double m) { return std::fmod(m, period); })) continue;
        rules.push_back(wrap_rule(period));
        return;
    }
}

void try_signed_wrap(const Places& places, Rules& rules) {
    for (const double size : {256.0, 65536.0, 0x1p32}) {
        PositionRule rule = signed_wrap_rule(size);
        if (places.should.back() < size / 2 || !places.follow(rule.map)) continue;
        rules.push_back(std::move(rule));
    }
}

// The wrap of m + k, or the wrap and k: both where the rows leave open which.
bool add_with_offset(const Places& places, const PositionRule& wrap, double k, Rules& rules) {
    bool found = false;
    if (k == 0) return found;
    for (const bool is_before : {true, false}) {
        PositionRule rule = wrap;
        (is_before ? rule.map.before : rule.map.after) = k;
        if (!places.follow(rule.map)) continue;
        rule.cost = 2;
        const std::string when = is_before ? "before" : "after";
        rule.also = {"position-offset",
                     {{"offset", k}, {"applied", when + " the wrap"}},
                     decimal(std::abs(k)) + (k < 0 ? " is taken off" : " is added to") +
                         " positions " + when + " they wrap"};
        rules.push_back(std::move(rule));
        found = true;
    }
    return found;
}

// m − p ≡ −k by the period: k or k − period.
bool try_either_offset(const Places& places, const PositionRule& wrap, double first, Rules& rules) {
    const double period = wrap.map.offset;
    const double k = -first - period * std::floor(-first / period);
    const double other = k - period;
    const bool is_nearer = k <= -other;
    return add_with_offset(places, wrap, is_nearer ? k : other, rules) ||
           add_with_offset(places, wrap, is_nearer ? other : k, rules);
}

// One jump alone may be anything's; two of one length, or one by a power of two, are a wrap's.
void try_shifted_wraps(const Places& places, const std::vector<double>& moved, Rules& rules) {
    const double first = moved.front();
    const std::set<double> different(moved.begin(), moved.end());
    if (different.size() < 2) return;
    for (const double period : possible_periods(moved, first)) {
        if (period < 4 || (different.size() < 3 && !is_power_of_two(period))) continue;
        if (try_either_offset(places, wrap_rule(period), first, rules)) return;
    }
    for (const double size : {256.0, 65536.0})
        if (try_either_offset(places, signed_wrap_rule(size), first, rules)) return;
}

}  // namespace

void try_wraps(const Places& places, Rules& rules) {
    const std::vector<double> moved = moves(places);
    if (moved.empty()) return;
    try_wrap(places, moved, rules);
    try_signed_wrap(places, rules);
    if (rules.empty()) try_shifted_wraps(places, moved, rules);
}

}  // namespace rope
