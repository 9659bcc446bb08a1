// Positions that gain as much again at the beginning of every chunk: its start is counted twice, or
// one token more.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/decimal.hpp"
#include "rope/diagnose/positions/places.hpp"

namespace rope {
namespace {

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

}  // namespace rope
