#include "rope/spec/axis.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

constexpr std::array<std::pair<AxisScheme, std::string_view>, 6> names{
    {{AxisScheme::single, "single"},
     {AxisScheme::sectioned, "sectioned"},
     {AxisScheme::interleaved, "interleaved"},
     {AxisScheme::interleaved4, "interleaved4"},
     {AxisScheme::axial, "axial"},
     {AxisScheme::halves, "halves"}}};

void require_sections(const AxisMap& axes, std::size_t count, std::uint32_t pairs) {
    const std::uint64_t sum =
        std::accumulate(axes.sections.begin(), axes.sections.end(), std::uint64_t{0});
    if ((count == 0 ? !axes.sections.empty() : axes.sections.size() == count) && sum == pairs)
        return;
    throw InputError("mrope_section",
                     "has " + decimal(axes.sections.size()) + " sections of " + decimal(sum) +
                         " pairs; they must add up to rotary_dim/2, " + decimal(pairs) +
                         (count == 0 ? "" : ", in " + decimal(count) + " sections"));
}

std::vector<std::uint32_t> sectioned(const AxisMap& axes) {
    std::vector<std::uint32_t> axis;
    for (std::uint32_t a = 0; a < axes.sections.size(); ++a)
        axis.insert(axis.end(), axes.sections[a], a);
    return axis;
}

std::vector<std::uint32_t> interleaved(const AxisMap& axes, std::uint32_t pairs) {
    const std::uint32_t rest = axes.scheme == AxisScheme::interleaved4 ? 3 : 0;
    std::vector<std::uint32_t> axis(pairs, 0);
    for (std::uint32_t j = 0; j < pairs; ++j) {
        const std::uint32_t turn = j % 3;
        if (turn != 0) axis[j] = j < 3 * axes.sections[turn] ? turn : rest;
    }
    return axis;
}

}  // namespace

std::string_view to_string(AxisScheme scheme) {
    for (const auto& [each, name] : names)
        if (each == scheme) return name;
    return "";
}

AxisScheme parse_axis_scheme(std::string_view text) {
    using Name = decltype(names)::value_type;
    return one_of(names, &Name::second, "axis scheme", text).first;
}

std::uint32_t axis_count(const AxisMap& axes) {
    switch (axes.scheme) {
        case AxisScheme::single:
            return 1;
        case AxisScheme::sectioned:
            return static_cast<std::uint32_t>(axes.sections.size());
        case AxisScheme::interleaved:
            return 3;
        case AxisScheme::interleaved4:
            return 4;
        case AxisScheme::axial:
        case AxisScheme::halves:
            return 2;
    }
    return 1;
}

std::vector<std::uint32_t> axis_of_pairs(const AxisMap& axes, std::uint32_t pairs) {
    switch (axes.scheme) {
        case AxisScheme::single:
            break;
        case AxisScheme::sectioned:
            require_sections(axes, 0, pairs);
            return sectioned(axes);
        case AxisScheme::interleaved:
            require_sections(axes, 3, pairs);
            return interleaved(axes, pairs);
        case AxisScheme::interleaved4:
            require_sections(axes, 4, pairs);
            return interleaved(axes, pairs);
        case AxisScheme::axial:
        case AxisScheme::halves: {
            if (pairs % 2 != 0)
                throw InputError("rotary_dim", "is " + decimal(std::uint64_t{2} * pairs) +
                                                   "; two axes need a multiple of 4");
            std::vector<std::uint32_t> axis(pairs, 0);
            std::fill(axis.begin() + pairs / 2, axis.end(), 1);
            return axis;
        }
    }
    return std::vector<std::uint32_t>(pairs, 0);
}

GridPosition grid_position(std::uint64_t t, std::uint64_t width) { return {t % width, t / width}; }

std::uint32_t frequency_restarts(const AxisMap& axes) {
    return axes.scheme == AxisScheme::axial || axes.scheme == AxisScheme::halves ? 2 : 1;
}

}  // namespace rope
