#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/spec/axis.hpp"

namespace rope {
namespace {

// "−2i/40" for each ladder, or "−2i/16, −2i/56, −2i/56"
std::string of_ladders(const std::string& prefix, std::vector<double> divisors) {
    if (std::ranges::count(divisors, divisors[0]) == std::ssize(divisors)) divisors.resize(1);
    return join(divisors, [&](double divisor) { return prefix + decimal(divisor); });
}

std::vector<double> widths_of(const Spec& asked) {
    const auto widths = ladder_widths(asked.axes, asked.pairs());
    return {widths.begin(), widths.end()};
}

// The Spec's scaling of other unscaled frequencies: by pair, or of llama3 by frequency.
double scaled(const Spec& asked, const Frequencies& plan, const Frequencies& plain, double theta,
              std::size_t i) {
    const Scaling& scaling = asked.scaling;
    if (scaling.rope_type != "llama3")
        return plain.theta[i] == 0 ? 0 : theta * (plan.theta[i] / plain.theta[i]);
    const double low = *scaling.low_freq_factor, high = *scaling.high_freq_factor;
    const double factor = *scaling.factor;
    const auto length = static_cast<double>(*scaling.original_max_position_embeddings);
    const double turns = length * theta / (2 * std::numbers::pi);
    if (turns < low) return theta / factor;
    if (turns > high || high == low) return theta;
    const double smooth = (turns - low) / (high - low);
    return (1 - smooth) * theta / factor + smooth * theta;
}

// −ln θ_0 … of a power law: its exponents are those of base^(−2i/d)
bool is_power_law(const Spec& asked) {
    const std::string& type = asked.scaling.rope_type;
    return type == "default" || type == "ntk" || type == "dynamic";
}

// The exponents −(2i + 2·start)/divisor of each pair's own i, by the width of its ladder.
template <class DivisorOf, class Add>
void add_exponents(const Spec& asked, const Frequencies& plan, const DivisorOf& divisor,
                   double start, const Add& add) {
    const Frequencies plain = frequencies_of(unscaled(asked));
    const bool power = is_power_law(asked);
    const Frequencies& law = power ? plan : plain;
    const auto steps = frequency_steps(asked.axes, asked.pairs());
    const auto second = std::ranges::find(steps, 1, &FrequencyStep::index);
    if (second == steps.end()) return;
    const double next = law.theta[static_cast<std::size_t>(second - steps.begin())];
    if (!(law.theta[0] > 0) || !(next > 0)) return;
    const double log_base = portable::log(law.theta[0] / next) * second->width / 2;
    add([&, log_base](std::size_t i) {
        const double exponent = 2 * (steps[i].index + start) / divisor(steps[i].width);
        const double theta = law.theta[0] * portable::exp(-log_base * exponent);
        return power ? theta : scaled(asked, plan, plain, theta, i);
    });
}

// cos of an angle that was made for a function of another unit: farther off than rows are looked
// for, or by a number that nobody writes
void add_units(FrequencySet& list, const Frequencies& plan) {
    const auto add = [&](const char* unit, double scale) {
        add_changed_candidate(list, plan, "position-scale", {{"scale", scale}},
                              std::string("positions are multiplied by ") + unit,
                              [&](std::size_t i) { return plan.theta[i] * scale; });
    };
    add("180/π: angles are in degrees", 180 / std::numbers::pi);
    add("2π: turns were converted to radians twice", 2 * std::numbers::pi);
    add("π: cospi and sinpi were given radians", std::numbers::pi);
    add("π/180: radians were taken for degrees", std::numbers::pi / 180);
    add("1/2π: angles are in turns", 0.5 / std::numbers::pi);
}

// Those of well-known models, which a port has as its default or a config as its neighbour's.
void add_base_mistakes(FrequencySet& list, const Spec& asked) {
    for (const double base : usual_bases)
        if (base != asked.rope_theta) {
            Spec other = asked;
            other.rope_theta = base;
            add_candidate(list, "base", {{"rope_theta", base}},
                          "rope_theta is " + decimal(base) + ", not " + decimal(asked.rope_theta),
                          other);
        }
}

// scale·width + offset, of a ladder of so many lanes
struct Divisor {
    double scale, offset;
    double operator()(double width) const { return scale * width + offset; }
};

// By the lanes of the head, or of all that rotates, or of one ladder for all; or by another width.
std::vector<Divisor> divisors_for(const Spec& asked) {
    std::vector<Divisor> all{{0, static_cast<double>(asked.head_dim)},
                             {0, static_cast<double>(asked.rotary_dim)},
                             {2, 0},
                             {0.5, 0},
                             {1, -2},
                             {1, 2}};
    for (const double width : widths_of(asked)) all.push_back({0, width});
    return all;
}

void add_divisors(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    const std::vector<double> widths = widths_of(asked);
    std::vector<std::vector<double>> known{widths};
    for (const Divisor& divisor : divisors_for(asked)) {
        std::vector<double> divisors;
        std::ranges::transform(widths, std::back_inserter(divisors), divisor);
        if (std::ranges::count(known, divisors) > 0 || std::ranges::min(divisors) <= 0) continue;
        known.push_back(divisors);
        const NamedMistake named = divisor_mistake(asked, divisors);
        add_exponents(asked, plan, divisor, 0, [&](const auto& theta) {
            add_changed_candidate(list, plan, named.mistake, named.parameters, named.what, theta);
        });
    }
}

// The frequencies are right but belong to other pairs.
void add_orders(FrequencySet& list, const Frequencies& plan) {
    const std::size_t n = plan.theta.size();
    add_changed_candidate(list, plan, "frequency-order", {{"order", std::string("reversed")}},
                          "the frequencies are in reverse order",
                          [&](std::size_t i) { return plan.theta[n - 1 - i]; });
    add_changed_candidate(
        list, plan, "frequency-order", {{"order", std::string("2i")}},
        "pair i has the frequency of pair 2i mod d/2, as if a repeated table were read as "
        "a half table",
        [&](std::size_t i) { return plan.theta[2 * i % n]; });
    add_changed_candidate(list, plan, "frequency-order", {{"order", std::string("i/2")}},
                          "pairs 2i and 2i + 1 have the frequency of pair i",
                          [&](std::size_t i) { return plan.theta[i / 2]; });
    for (const std::size_t back : {std::size_t{1}, n - 1})
        add_changed_candidate(list, plan, "frequency-order",
                              {{"order", std::string(back == 1 ? "i-1" : "i+1")}},
                              "pair i has the frequency of pair i " +
                                  std::string(back == 1 ? "− 1" : "+ 1") + " mod d/2",
                              [&](std::size_t i) { return plan.theta[(i + n - back) % n]; });
    add_changed_candidate(list, plan, "frequency-order", {{"order", std::string("first")}},
                          "every pair has the first pair's frequency",
                          [&](std::size_t) { return plan.theta[0]; });
}

void add_exponent_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    add_divisors(list, asked, plan);
    const auto add_start = [&](const std::string& two, double first, const char* why) {
        const std::string start = frequency_restarts(asked.axes) > 1
                                      ? "within each axis, the exponents start at " +
                                            of_ladders(two + "/", widths_of(asked))
                                      : "the exponents start at " + two + "/d";
        add_exponents(asked, plan, std::identity(), first, [&](const auto& theta) {
            add_changed_candidate(list, plan, "exponent-start", {{"first", first}},
                                  start + ", not at 0: " + why, theta);
        });
    };
    add_start("2", 1, "pairs are counted from 1");
    add_start("−2", -1, "they are −2(i − 1)/d of pairs that are counted from 0");
    add_orders(list, plan);
    if (plan.theta.size() > 1)
        add_changed_candidate(
            list, plan, "exponent-sign", {},
            "the exponent's sign is lost: frequencies increase with the pair",
            [&](std::size_t i) { return plan.theta[i] == 0 ? 0 : 1 / plan.theta[i]; });
}

// p-RoPE and partial rotary, taken for each other: zero frequencies of a tail of the pairs, or
// none, and the exponent over the whole head or over the part.
void add_partial_mistakes(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    const bool proportional = asked.scaling.rope_type == "proportional";
    const std::size_t n = plan.theta.size();
    if (proportional) {
        const auto zero = std::find(plan.theta.begin(), plan.theta.end(), 0.0);
        const auto turning = static_cast<double>(zero - plan.theta.begin());
        const double d = asked.rotary_dim;
        const double step = portable::pow(asked.rope_theta, -1 / turning);
        add_changed_candidate(
            list, plan, "exponent-divisor", {{"divisor", 2 * turning}},
            "the exponent is −2i/" + decimal(2 * turning) + ", the rotating part, not −2i/" +
                decimal(d) + ", the whole head",
            [&](std::size_t i) {
                return plan.theta[i] == 0 ? 0 : portable::pow(step, static_cast<double>(i));
            });
        return;
    }
    for (const double one_mistake : {0.25, 0.5, 0.75}) {
        const auto turning = static_cast<std::size_t>(one_mistake * static_cast<double>(n));
        if (turning == 0) continue;
        add_changed_candidate(
            list, plan, "rotary-dim", {parameter(&Scaling::partial_rotary_factor, one_mistake)},
            "only the first " + decimal(turning) + " of " + decimal(n) + " pairs rotate",
            [&](std::size_t i) { return i < turning ? plan.theta[i] : 0; });
    }
}

}  // namespace

NamedMistake divisor_mistake(const Spec& asked, const std::vector<double>& divisors) {
    const std::string within = frequency_restarts(asked.axes) > 1 ? "within each axis, " : "";
    const bool is_one = std::ranges::count(divisors, divisors[0]) == std::ssize(divisors);
    return {"exponent-divisor",
            {{"divisor", is_one ? FieldValue(divisors[0]) : FieldValue(join(divisors))}},
            within + "the exponent is " + of_ladders("−2i/", divisors) + ", not " +
                of_ladders("−2i/", widths_of(asked))};
}

void add_exponent_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    add_base_mistakes(list, asked);
    add_exponent_mistakes(list, asked, plan);
}

void add_width_candidates(FrequencySet& list, const Spec& asked, const Frequencies& plan) {
    add_partial_mistakes(list, asked, plan);
    add_units(list, plan);
}

}  // namespace rope
