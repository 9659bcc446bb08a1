#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "rope/diagnose/positions/places.hpp"
#include "rope/diagnose/positions/position_map.hpp"

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
std::size_t first_elsewhere(const Places& places) {
    std::size_t r = 0;
    while (r < places.should.size() &&
           std::abs(places.stand[r] - places.should[r]) <= places.tolerance[r])
        ++r;
    return r;
}

// Right up to some position, shifted from there on: prefill and decode that disagree.
void try_switched(const Places& places, Rules& rules) {
    const std::size_t r = first_elsewhere(places);
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
    const std::size_t r = first_elsewhere(places);
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

}  // namespace rope
