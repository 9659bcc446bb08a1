// Positions that start over: in chunks, or in an integer type too narrow for them.
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/decimal.hpp"
#include "rope/diagnose/positions/places.hpp"

namespace rope {
namespace {

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
