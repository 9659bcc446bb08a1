#include "rope/diagnose/search/replay.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/decimal.hpp"

namespace rope {
namespace {

NamedMistake part_of(Orientation turn) {
    switch (turn) {
        case Orientation::reversed:
            return {
                "direction", {}, "every pair rotates in the opposite direction: sin is negated"};
        case Orientation::swapped:
            return {"cos-sin-swapped", {}, "cos and sin are swapped"};
        case Orientation::opposite:
            return {"sign",
                    {{"negated", std::string("cos and sin")}},
                    "cos and sin are both negated: every pair is half a turn ahead"};
        case Orientation::mirrored:
            return {"sign", {{"negated", std::string("cos")}}, "cos is negated"};
        default:
            return {"cos-sin-swapped",
                    {{"sign", std::string("negated")}},
                    "cos and sin are swapped and one is negated: every pair is a quarter turn "
                    "ahead"};
    }
}

// What applied twice is `turn`: (i·e^{−iφ})² = −e^{−2iφ}; nothing is i·e^{±2iφ}
std::optional<Orientation> square_root(Orientation turn) {
    switch (turn) {
        case Orientation::mirrored:
            return Orientation::swapped;
        case Orientation::opposite:
            return Orientation::rotated;
        case Orientation::swapped:
        case Orientation::rotated:
            return std::nullopt;
        default:
            return turn;
    }
}

}  // namespace

double fitted_amplitude(const Samples& samples) {
    std::vector<double> squares;
    for (const double modulus : samples.modulus)
        if (std::isfinite(modulus) && !Samples::is_left_out(modulus))
            squares.push_back(modulus * modulus);
    if (squares.empty()) return 1;
    // the mean of the middle half: a few odd values are not the amplitude's
    const auto first = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 4),
               last = first + static_cast<std::ptrdiff_t>((squares.size() + 1) / 2);
    std::ranges::nth_element(squares, first);
    std::ranges::nth_element(first, last, squares.end());
    std::ranges::sort(first, last);  // so that they are added in one order everywhere
    const std::span middle(first, last);
    return std::sqrt(std::accumulate(middle.begin(), middle.end(), 0.0) /
                     static_cast<double>(middle.size()));
}

int Replay::cost_of_positions() const {
    int sum = positions ? positions->cost : 0;
    for (const AxisRule& rule : on_axes) sum += rule.cost;
    return sum;
}

std::optional<double> Replay::scale() const {
    if (positions && positions->mistake == "position-scale") return positions->map.scale;
    if (frequencies.mistake != "position-scale") return std::nullopt;
    return std::get<double>(frequencies.parameters.front().second);
}

bool Replay::is_composed() const {
    if (!frequencies.are_twice()) return true;
    // the square of a table of 16 bits has more, and 2m + 1 is no position twice
    const bool is_square = !reading->samples.narrow && !reading->samples.is_of_narrow_table;
    const bool is_whole = !positions || positions->map.offset == std::round(positions->map.offset);
    return square_root(turn) && is_square && is_whole;
}

Hypothesis Replay::hypothesis() const {
    Hypothesis all{frequencies.theta, frequencies.angle_k, reading->axis, amplitude, turn};
    if (positions) all.position = positions->map;
    if (!on_axes.empty()) all.places = places_by(on_axes, all.axis);
    if (rounding) all.rounding = rounding->rounding;
    if (reading->samples.narrow) all.rounding.table = *reading->samples.narrow;
    return all;
}

std::vector<NamedMistake> Replay::mistakes() const {
    std::vector<NamedMistake> all = reading->mistakes;
    const bool twice = frequencies.are_twice();
    const Orientation each = twice ? square_root(turn).value_or(turn) : turn;
    if (each != Orientation::right) all.push_back(part_of(each));
    if (!frequencies.mistake.empty())
        all.push_back({frequencies.mistake, frequencies.parameters, frequencies.what});
    for (const Frequencies::Further& one : frequencies.also) all.push_back(one.mistake);
    if (positions) all.push_back({positions->mistake, positions->parameters, positions->what});
    if (positions && positions->also) all.push_back(*positions->also);
    for (const AxisRule& rule : on_axes)
        all.insert(all.end(), rule.mistakes.begin(), rule.mistakes.end());
    if (fitted_amplitude) {
        const double own = twice ? std::sqrt(amplitude) : amplitude;
        const double right = twice ? std::sqrt(frequencies.amplitude) : frequencies.amplitude;
        all.push_back({"attention-factor",
                       {parameter(&Scaling::attention_factor, own)},
                       "cos and sin are scaled by " + decimal(own) + ", not by " +
                           decimal(few_digits(right, 1e-9))});
    }
    if (rounding) all.push_back(rounding->named());
    if (reading->samples.narrow && !(rounding && rounding->rounding.cuts_table())) {
        const std::string format(to_string(*reading->samples.narrow));
        all.push_back({"table-precision",
                       {{"format", format}},
                       "cos and sin were rounded to " + format + " and stored as " +
                           std::string(to_string(reading->samples.format))});
    }
    return all;
}

}  // namespace rope
