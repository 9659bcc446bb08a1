#include "rope/diagnose/positions/axis_rule.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/reading/reading.hpp"

namespace rope {
namespace {

// "1 (height)"; "1" where the scheme does not say what its axes are.
std::string axis_label(const AxisMap& axes, std::uint32_t axis) {
    constexpr std::array<std::string_view, 3> of_images{"time", "height", "width"};
    const bool is_of_images =
        axis_count(axes) == 3 || (axes.scheme == AxisScheme::interleaved4 && axis < 3);
    return decimal(axis) + (is_of_images ? " (" + std::string(of_images[axis]) + ")" : "");
}

std::string labels(const std::vector<std::uint32_t>& axes, const AxisMap& map) {
    const auto label = [&](std::uint32_t axis) { return axis_label(map, axis); };
    return (axes.size() == 1 ? "axis " : "axes ") + join(axes, label, " and ");
}

}  // namespace

AxisRule elsewhere_rule(std::vector<std::uint32_t> axes, const Elsewhere& source,
                        std::vector<std::size_t> elsewhere, const AxisMap& map) {
    AxisRule rule{std::move(axes), std::move(elsewhere), {}, {}};
    if (source.source == PositionSource::position_ids)
        rule.mistakes.push_back({"axis-map",
                                 {{"map", "axis " + decimal(source.axis)}},
                                 "the ids are those of axis " + axis_label(map, source.axis)});
    else
        rule.mistakes.push_back(source_mistake(source.source));
    return rule;
}

AxisRule mapped_rule(std::vector<std::uint32_t> axes, PositionRule&& rule) {
    AxisRule one{std::move(axes), {}, rule.map, {}, rule.cost};
    one.mistakes.push_back({rule.mistake, std::move(rule.parameters), std::move(rule.what)});
    if (rule.also) one.mistakes.push_back(std::move(*rule.also));
    return one;
}

void name_axes(AxisRule& rule, const AxisMap& map, const std::vector<std::uint32_t>& open) {
    for (NamedMistake& one : rule.mistakes) {
        one.parameters.emplace_back("axes", join(rule.axes));
        one.what = labels(rule.axes, map) + ": " + one.what;
        if (!open.empty()) one.what += "; " + labels(open, map) + " may be so, too";
    }
}

std::vector<AxisPlace> places_by(std::span<const AxisRule> rules,
                                 std::span<const std::uint32_t> axis) {
    std::vector<AxisPlace> places(1 + *std::ranges::max_element(axis));
    for (const AxisRule& rule : rules)
        for (std::size_t k = 0; k < rule.axes.size(); ++k) {
            AxisPlace& place = places[rule.axes[k]];
            if (!rule.elsewhere.empty()) place.elsewhere = rule.elsewhere[k];
            place.map = rule.map;
        }
    return places;
}

std::vector<AxisRule> without(const NamedMistake& mistake, std::span<const AxisRule> rules) {
    std::vector<AxisRule> others;
    std::ranges::copy_if(rules, std::back_inserter(others), [&](const AxisRule& rule) {
        return std::ranges::none_of(
            rule.mistakes, [&](const NamedMistake& own) { return own.what == mistake.what; });
    });
    return others;
}

}  // namespace rope
