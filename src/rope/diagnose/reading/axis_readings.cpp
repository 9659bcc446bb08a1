#include <algorithm>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/reading/other_readings.hpp"

namespace rope {
namespace {

// None where the map does not fit so many pairs.
std::optional<std::vector<std::uint32_t>> axes_of(const AxisMap& map, std::uint32_t pairs) {
    try {
        return axis_of_pairs(map, pairs);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace

void add_axis_maps(Readings& all, const DumpReading& plain) {
    const AxisMap& axes = plain.asked.axes;
    const std::uint32_t count_of_axes = axis_count(axes);
    if (plain.samples.positions.size() < 2 || count_of_axes < 2) return;
    const auto add = [&](const std::string& map, const std::string& what,
                         std::vector<std::uint32_t> axis) {
        if (axis == plain.axis) return;
        DumpReading other = plain;
        other.mistakes.push_back({"axis-map", {{"map", map}}, what});
        other.axis = std::move(axis);
        all.push_back(std::move(other));
    };
    const auto add_map = [&](const std::string& map, const std::string& what,
                             const AxisMap& other) {
        if (auto axis = axes_of(other, plain.asked.pairs())) add(map, what, std::move(*axis));
    };
    const auto add_scheme = [&](AxisScheme scheme) {
        AxisMap other = axes;
        other.scheme = scheme;
        if (axis_count(other) > count_of_axes) return;
        add_map(std::string(to_string(scheme)),
                "the pairs' axes are " + std::string(to_string(scheme)) + ", not " +
                    std::string(to_string(axes.scheme)),
                other);
    };
    add_scheme(AxisScheme::sectioned);
    add_scheme(AxisScheme::interleaved);
    for (std::uint32_t a = 0; a < count_of_axes; ++a)
        add("axis " + decimal(a), "every pair follows axis " + decimal(a),
            std::vector<std::uint32_t>(plain.asked.pairs(), a));
    std::vector<std::uint32_t> order(count_of_axes);
    for (std::uint32_t a = 0; a < count_of_axes; ++a) order[a] = a;
    while (std::next_permutation(order.begin(), order.end())) {
        std::vector<std::uint32_t> axis = plain.axis;
        for (std::uint32_t& a : axis) a = order[a];
        const std::string names = join(order);
        add("order " + names, "axes are taken in the order " + names, std::move(axis));
    }
    if (axes.sections.size() > 1) {
        std::vector<std::uint32_t> sections = axes.sections;
        std::sort(sections.begin(), sections.end());
        do {
            AxisMap other = axes;
            other.sections = sections;
            const std::string names = join(sections);
            add_map("sections " + names, "the sections are " + names, other);
        } while (std::next_permutation(sections.begin(), sections.end()));
    }
}

}  // namespace rope
